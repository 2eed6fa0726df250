package code

import (
	"go/ast"
	"go/types"

	"slices"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// Building is a place that makes a value of a struct type.
type Building struct {
	syntax.Place
	Literal *ast.CompositeLit // T{…}
	Alloc   *ast.CallExpr     // new(T)
	Spec    *ast.ValueSpec    // var x T
}

// FieldValue returns what the literal gives a field; present is false when nothing.
func (b Building) FieldValue(field *types.Var) (value ast.Expr, present bool) {
	if b.Literal == nil {
		return nil, false
	}
	st, _ := syntax.UnderStruct(b.Info().TypeOf(b.Literal))
	for i, e := range b.Literal.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && id.Name == field.Name() {
				return kv.Value, true
			}
		} else if st != nil && i < st.NumFields() && st.Field(i).Name() == field.Name() {
			return e, true
		}
	}
	return nil, false
}

// Lacks reports whether a building leaves a field without a value.
func (b Building) Lacks(field *types.Var) bool {
	v, present := b.FieldValue(field)
	if !present {
		return true
	}
	tv := b.Info().Types[v]
	return tv.IsNil()
}

// BuildName names the function that a building is in.
func (b Building) BuildName() string {
	if d := b.Declaration(); d != nil {
		return syntax.FuncName(d)
	}
	return "the declaration"
}

// Holder is the variable that has what was built.
func (b Building) Holder() types.Object {
	if b.Spec != nil {
		return b.Info().Defs[b.Spec.Names[0]]
	}
	for i := 1; i < len(b.Path); i++ {
		inner := b.Path[i-1]
		switch n := b.Path[i].(type) {
		case *ast.UnaryExpr, *ast.ParenExpr:
			continue
		case *ast.AssignStmt:
			if at := slices.IndexFunc(n.Rhs, func(e ast.Expr) bool { return e == inner }); at >= 0 && len(n.Lhs) == len(n.Rhs) {
				return b.Object(n.Lhs[at])
			}
		case *ast.ValueSpec:
			if at := slices.IndexFunc(n.Values, func(e ast.Expr) bool { return e == inner }); at >= 0 && len(n.Names) == len(n.Values) {
				return b.Info().Defs[n.Names[at]]
			}
		}
		return nil
	}
	return nil
}

// Made is the expression whose type is the struct that a building makes.
func (b Building) Made() ast.Expr {
	switch {
	case b.Literal != nil:
		return b.Literal
	case b.Alloc != nil:
		return b.Alloc.Args[0]
	}
	return b.Spec.Type
}
