package nilness

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

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
	if len(f.AssignmentsTo(field)) > 0 {
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

// severalLack names the buildings that leave a field out.
func (f makers) severalLack(t *types.Named, lacking []code.Building, field *types.Var) string {
	const most = 3
	var places []string
	for _, b := range lacking[:min(most, len(lacking))] {
		places = append(places, fmt.Sprintf("%s (%s)", b.BuildName(), f.Where(b.Node().Pos())))
	}
	text := strings.Join(places, ", ")
	if n := len(lacking) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("%d places make a %s without %s: %s", len(lacking), t.Obj().Name(), field.Name(), text)
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
