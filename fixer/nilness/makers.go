package nilness

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/workspace"
)

// makers finds the code that makes values of a struct type, and what it leaves out.
type makers struct{ *proposal.Proposal }

// assignedAfter reports whether the function of the building gives the field a
// value in a later statement (x.f = …), or calls a function that does (x.init()).
func (f makers) assignedAfter(b code.Building, field *types.Var) bool {
	d := b.Declaration()
	if d == nil {
		return false
	}
	found := false
	ast.Inspect(d, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && call.Pos() > b.Node().End() {
			found = found || f.assigns(b, call, field)
		}
		as, ok := n.(*ast.AssignStmt)
		if !ok || as.Pos() < b.Node().Pos() {
			return true
		}
		for _, l := range as.Lhs {
			if sel, ok := ast.Unparen(l).(*ast.SelectorExpr); ok && f.Same(b.Info().ObjectOf(sel.Sel), field) {
				found = true
			}
		}
		return true
	})
	return found
}

// assigns reports whether a call that gets a value of the building's type, as an argument or the
// receiver, assigns the field.
func (f makers) assigns(b code.Building, call *ast.CallExpr, field *types.Var) bool {
	takes := func(e ast.Expr) bool {
		t := b.Info().TypeOf(e)
		if t == nil {
			return false
		}
		_, has := owner(t, field)
		return has
	}
	sel, method := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !slices.ContainsFunc(call.Args, takes) && !(method && takes(sel.X)) {
		return false
	}
	for _, fn := range f.Case.Code.Index().Callees(b.Info(), call) {
		if slices.ContainsFunc(f.AssignmentsTo(field), func(p syntax.Place) bool { return syntax.Contains(fn.Decl, p.Node().Pos()) && !f.setsNil(p, field) }) {
			return true
		}
	}
	return false
}

// setsNil reports whether an assignment gives the field nil.
func (f makers) setsNil(p syntax.Place, field *types.Var) bool {
	stmt, ok := p.Node().(*ast.AssignStmt)
	if !ok || len(stmt.Rhs) != len(stmt.Lhs) {
		return false
	}
	for i, l := range stmt.Lhs {
		if f.Same(p.Object(l), field) && p.Info().Types[stmt.Rhs[i]].IsNil() {
			return true
		}
	}
	return false
}

// blameSuspects says which buildings of a struct leave a field out, where nothing else
// was said. Which of several made the value is not known; first is the one to point at.
// None is blamed where the value may be part of another one, which nothing built.
func (f makers) blameSuspects(t *types.Named, suspects []code.Building, first code.Building, field *types.Var) {
	if f.partOfZero(t, analysis.MaxTrace) {
		return
	}
	reason := f.neverSets(suspects[0], field)
	if len(suspects) > 1 {
		reason = f.severalLack(t, suspects, field)
	}
	if len(f.AssignmentsTo(field)) > 0 || len(suspects) > 1 {
		f.Guess(reason, first.Node().Pos())
		return
	}
	f.Note(reason, first.Node().Pos())
}

// notLater drops the buildings whose function gives the field a value in a later
// statement: to set it there, too, would change nothing.
func (f makers) notLater(list []code.Building, field *types.Var) []code.Building {
	return slices.DeleteFunc(slices.Clone(list), func(b code.Building) bool { return f.assignedAfter(b, field) })
}

// severalLack names the buildings that leave a field out, first those on the stack.
func (f makers) severalLack(t *types.Named, lacking []code.Building, field *types.Var) string {
	const most = 3
	var places []string
	lacking = slices.SortedStableFunc(slices.Values(lacking), func(a, b code.Building) int { return f.depth(a) - f.depth(b) })
	for _, b := range lacking[:min(most, len(lacking))] {
		places = append(places, fmt.Sprintf("%s (%s)", b.BuildName(), f.Where(b.Node().Pos())))
	}
	text := strings.Join(places, ", ")
	if n := len(lacking) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("%d places make a %s without %s: %s", len(lacking), t.Obj().Name(), field.Name(), text)
}

// depth is the frame of the function that builds a value; where it is not on the stack, the
// number of frames.
func (f makers) depth(b code.Building) int {
	pos := f.Case.Code.Fset.Position(b.Node().Pos())
	for i, fr := range f.Case.Stop.Frames {
		if home, ok := f.FunctionAt(fr); ok && fr.File == pos.Filename && syntax.Contains(home.Node(), b.Node().Pos()) {
			return i
		}
	}
	return len(f.Case.Stop.Frames)
}

// neverSets says that a building leaves a field out, and where else it is set to
// nil.
func (f makers) neverSets(b code.Building, field *types.Var) string {
	at := f.Where(b.Node().Pos())
	if v, present := b.FieldValue(field); present {
		return fmt.Sprintf("%s (%s) sets %s to %s", b.BuildName(), at, field.Name(), f.Text(v))
	}
	if as, ok := f.setToNil(field); ok {
		return fmt.Sprintf("%s (%s) does not set %s, and %s (%s) sets it to nil", b.BuildName(), at, field.Name(), syntax.FuncName(as.Function()), f.Where(as.Node().Pos()))
	}
	if f.assignedAfter(b, field) {
		return fmt.Sprintf("%s (%s) sets %s only later", b.BuildName(), at, field.Name())
	}
	if len(f.AssignmentsTo(field)) > 0 {
		return fmt.Sprintf("%s (%s) does not set %s", b.BuildName(), at, field.Name())
	}
	return fmt.Sprintf("%s (%s) never sets %s", b.BuildName(), at, field.Name())
}

// neverGiven reports whether no code of the user's gives a field a value: no
// assignment, no literal, and its address is not taken.
func (f nilRules) neverGiven(t *types.Named, field *types.Var) bool {
	if field.Exported() || len(f.AssignmentsTo(field)) > 0 {
		return false // other packages and decoders may set it
	}
	for _, b := range f.Buildings(t) {
		if !b.Lacks(field) {
			return false
		}
	}
	return !f.writtenOrTaken(field)
}

// writtenOrTaken reports whether the user's code gives a variable or field a value
// other than nil, or takes its address.
func (f nilRules) writtenOrTaken(v *types.Var) bool {
	return slices.ContainsFunc(f.Case.Code.Index().Uses(v), func(u workspace.Use) bool {
		return u.Kind == workspace.Address || u.Kind == workspace.Write && !isNil(u)
	})
}

// setToNil finds an assignment of nil to a field.
func (f makers) setToNil(field *types.Var) (syntax.Place, bool) {
	for _, as := range f.AssignmentsTo(field) {
		if f.setsNil(as, field) {
			return as, true
		}
	}
	return syntax.Place{}, false
}

// without lists the buildings of a struct that leave a field out.
func (f makers) without(t *types.Named, field *types.Var) []code.Building {
	return slices.DeleteFunc(f.Buildings(t), func(b code.Building) bool { return !b.Lacks(field) || f.completed(b, field) })
}

// completed reports whether a later statement of the same list gives the field of what was
// built a value, before the function returns what was built.
func (f makers) completed(b code.Building, field *types.Var) bool {
	made, stmt := b.Holder(), b.Anchor()
	if made == nil || stmt == nil {
		return false
	}
	for next := syntax.NextStatement(b.Of(stmt), stmt); next != nil; next = syntax.NextStatement(b.Of(next), next) {
		if as, ok := next.(*ast.AssignStmt); ok && as.Tok == token.ASSIGN && len(as.Lhs) == len(as.Rhs) {
			for i, l := range as.Lhs {
				sel, ok := ast.Unparen(l).(*ast.SelectorExpr)
				if ok && f.Same(b.Info().ObjectOf(sel.Sel), field) && b.Object(sel.X) == made {
					return !b.Info().Types[as.Rhs[i]].IsNil()
				}
			}
		}
		if returnsIt(b.Place, next, made) {
			return false
		}
	}
	return false
}

// returnsIt reports whether a statement may return a variable.
func returnsIt(p syntax.Place, s ast.Stmt, v types.Object) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		r, ok := n.(*ast.ReturnStmt)
		if !ok {
			return !found
		}
		found = found || len(r.Results) == 0
		for _, e := range r.Results {
			ast.Inspect(e, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				found = found || ok && p.Info().ObjectOf(id) == v
				return !found
			})
		}
		return false
	})
	return found
}

// suspects lists the buildings of a struct that leave out the field that sel reads,
// but for those that cannot have made the value that it reads from: its other fields
// tell.
func (f makers) suspects(src code.Source, sel *ast.SelectorExpr, t *types.Named, field *types.Var) []code.Building {
	lacking := f.without(t, field)
	if syntax.Named(src.Info().TypeOf(sel.X)) != t { // the field is promoted: sel.X is another struct
		return lacking
	}
	holder := f.Value(src.Place, src.Frame, sel.X)
	if !holder.Known {
		return lacking
	}
	all := f.Buildings(t)
	left := slices.DeleteFunc(slices.Clone(lacking), func(b code.Building) bool { return f.ruledOut(b, all, holder.Value.Deref()) })
	if len(left) == 0 {
		return lacking
	}
	return left
}

// partOfZero reports whether a struct is an element of a list that make fills, or a
// field by value of a struct that some code makes without it: no building made it.
func (f makers) partOfZero(t *types.Named, steps int) bool {
	found := false
	f.Each(func(p syntax.Place) {
		ast.Inspect(p.File, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				found = found || f.makesList(p, call, t)
			}
			spec, ok := n.(*ast.TypeSpec)
			if !ok || found {
				return !found
			}
			outer := syntax.Named(p.Info().TypeOf(spec.Name))
			st, ok := syntax.UnderStruct(p.Info().TypeOf(spec.Name))
			if !ok || outer == nil || steps == 0 {
				return true
			}
			for field := range st.Fields() {
				if f.isA(field.Type(), t) {
					found = found || len(f.without(outer, field)) > 0 || f.partOfZero(outer, steps-1)
				}
			}
			return true
		})
	})
	return found
}

// makesList reports whether a call is a make of a list with values of a struct.
func (f makers) makesList(p syntax.Place, call *ast.CallExpr, t *types.Named) bool {
	if name, _ := p.Builtin(call); name != "make" || len(call.Args) < 2 {
		return false
	}
	list, ok := p.Info().TypeOf(call).Underlying().(*types.Slice)
	size, fixed := syntax.ConstantInt(p, call.Args[1])
	return ok && f.isA(list.Elem(), t) && (!fixed || size > 0)
}

// isA reports whether a type is a struct type, and no pointer to it.
func (f makers) isA(typ types.Type, t *types.Named) bool {
	n, ok := types.Unalias(typ).(*types.Named)
	return ok && f.Same(n.Origin().Obj(), t.Origin().Obj())
}

// declaredWithout says that the struct that sel reads from is a variable that is
// declared without a value, which is where its fields are nil.
func (f makers) declaredWithout(src code.Source, sel *ast.SelectorExpr) {
	holder := f.Trace(src.Place, src.Frame, sel.X)
	if u, ok := ast.Unparen(syntax.OrNil(holder.Expr)).(*ast.UnaryExpr); ok && u.Op == token.AND && !holder.Unsure {
		holder = f.Trace(holder.Place, holder.Frame, u.X)
	}
	if holder.Kind != code.FromNothing || holder.Unsure || f.Diagnosis.Origin != "" {
		return
	}
	if _, pointer := holder.Object.Type().Underlying().(*types.Pointer); pointer { // a nil pointer has no fields
		return
	}
	where := "the package"
	if d := holder.Declaration(); d != nil {
		where = syntax.FuncName(d)
	}
	f.Reason(fmt.Sprintf("%s%s (%s) declares %s without it", proposal.Further, where, f.Where(holder.Stmt.Pos()), holder.Object.Name()), holder.Stmt.Pos())
}

// ruledOut reports whether a building cannot have made a value: it has a field that
// the building leaves nil, that another building sets, and that nothing sets later.
// Exported fields say nothing: other packages and decoders may set them.
func (f makers) ruledOut(b code.Building, all []code.Building, value debugger.Variable) bool {
	st, ok := syntax.UnderStruct(b.Info().TypeOf(b.Made()))
	if !ok {
		return false
	}
	for field := range st.Fields() {
		has, known := value.Child(field.Name())
		if !known || field.Exported() || !canBeNil(has) || has.Nil || !b.Lacks(field) || changesItself(field.Type()) {
			continue
		}
		explained := slices.ContainsFunc(all, func(o code.Building) bool { return !o.Lacks(field) })
		if explained && !f.setOutsideLiterals(field) {
			return true
		}
	}
	return false
}

// canBeNil reports whether a value is of a kind that can be nil, and was read.
func canBeNil(v debugger.Variable) bool {
	switch v.Kind {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Chan, reflect.Func, reflect.Interface:
		return v.Unreadable == ""
	}
	return false
}

// changesItself reports whether a type has methods that may give a variable of it
// another value: they have a pointer to it.
func changesItself(t types.Type) bool {
	return types.NewMethodSet(types.NewPointer(t)).Len() > types.NewMethodSet(t).Len()
}

// setOutsideLiterals reports whether the code gives a field a value, or may, other than
// where the struct is made.
func (f makers) setOutsideLiterals(field *types.Var) bool {
	return slices.ContainsFunc(f.Case.Code.Index().Uses(field), func(u workspace.Use) bool {
		_, statement := u.Node.(ast.Stmt)
		return u.Kind == workspace.Address || u.Kind == workspace.Write && statement
	})
}
