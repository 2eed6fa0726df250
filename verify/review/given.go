package review

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pausetui/pausetui/verify/effect/match"
)

// object is the variable or field that an expression is; nil for others.
func (t typed) object(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return t.info.ObjectOf(e)
	case *ast.SelectorExpr:
		if s := t.info.Selections[e]; s != nil && s.Kind() == types.FieldVal {
			return s.Obj()
		}
		return t.info.Uses[e.Sel]
	}
	return nil
}

// isNothing reports whether the package gives an operand no value but nil and empty ones,
// and nobody else can: that there is an empty one in any case leaves nothing out.
func (t typed) isNothing(o operand) bool {
	v, ok := o.object.(*types.Var)
	if !ok || v.Exported() && (v.IsField() || v.Pkg() != nil && v.Parent() == v.Pkg().Scope()) {
		return false
	}
	declared := false
	for _, f := range t.files {
		for n := range ast.Preorder(f) {
			if id, ok := n.(*ast.Ident); ok && t.info.Defs[id] == v {
				declared = true
			}
			if t.gives(n, v) {
				return false
			}
		}
	}
	return declared
}

// gives reports whether a node gives a variable or a field a value that is not empty, or one
// that is not known.
func (t typed) gives(n ast.Node, v *types.Var) bool {
	is := func(e ast.Expr) bool { return e != nil && t.object(e) == v }
	pairs := func(to, from []ast.Expr) bool {
		for i, e := range to {
			if is(e) && (len(to) != len(from) || !t.isEmpty(from[i])) {
				return true
			}
		}
		return false
	}
	switch n := n.(type) {
	case *ast.FuncDecl:
		return n.Recv != nil && t.declares(n.Recv, v)
	case *ast.FuncType:
		return t.declares(n.Params, v)
	case *ast.AssignStmt:
		return pairs(n.Lhs, n.Rhs)
	case *ast.ValueSpec:
		names := make([]ast.Expr, len(n.Names))
		for i, id := range n.Names {
			names[i] = id
		}
		return len(n.Values) > 0 && pairs(names, n.Values)
	case *ast.RangeStmt:
		return is(n.Key) || is(n.Value)
	case *ast.UnaryExpr:
		return n.Op == token.AND && is(n.X)
	case *ast.CompositeLit:
		return t.givesIn(n, v)
	}
	return false
}

// givesIn reports whether a literal of a struct gives a field a value that is not empty.
func (t typed) givesIn(lit *ast.CompositeLit, v *types.Var) bool {
	typ := t.info.TypeOf(lit)
	if typ == nil || !v.IsField() {
		return false
	}
	st, _ := typ.Underlying().(*types.Struct)
	for i, e := range lit.Elts {
		kv, keyed := e.(*ast.KeyValueExpr)
		switch {
		case keyed:
			if id, ok := kv.Key.(*ast.Ident); ok && t.info.Uses[id] == v && !t.isEmpty(kv.Value) {
				return true
			}
		case st != nil && i < st.NumFields() && st.Field(i) == v && !t.isEmpty(e):
			return true
		}
	}
	return false
}

// declares reports whether a list of fields declares a variable.
func (t typed) declares(list *ast.FieldList, v types.Object) bool {
	return list != nil && slices.ContainsFunc(list.List, func(f *ast.Field) bool {
		return slices.ContainsFunc(f.Names, func(id *ast.Ident) bool { return t.info.Defs[id] == v })
	})
}

// isEmpty reports whether a value is nil, or a pointer to nothing but zero values.
func (t typed) isEmpty(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		lit, ok := e.X.(*ast.CompositeLit)
		return e.Op == token.AND && ok && len(lit.Elts) == 0
	case *ast.CallExpr:
		return match.IsName(e.Fun, "new")
	case *ast.Ident:
		return match.IsNil(e)
	}
	return false
}
