package nilness

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/workspace"
)

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
