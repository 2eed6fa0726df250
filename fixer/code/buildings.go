package code

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// Building is a place that makes a value of a struct type.
type Building struct {
	syntax.Place
	literal *ast.CompositeLit // T{…}
	alloc   *ast.CallExpr     // new(T)
	spec    *ast.ValueSpec    // var x T
}

// FieldValue returns what the literal gives a field; present is false when nothing.
func (b Building) FieldValue(field *types.Var) (value ast.Expr, present bool) {
	if b.literal == nil {
		return nil, false
	}
	st, _ := syntax.UnderStruct(b.Info().TypeOf(b.literal))
	for i, e := range b.literal.Elts {
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
	if b.spec != nil {
		return b.Info().Defs[b.spec.Names[0]]
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
	case b.literal != nil:
		return b.literal
	case b.alloc != nil:
		return b.alloc.Args[0]
	}
	return b.spec.Type
}

// Buildings lists the places in the user's code (outside tests) that make values of t.
func (f *Code) Buildings(t *types.Named) []Building {
	var list []Building
	for _, u := range f.Case.Code.Index().Makes(t.Origin().Obj()) {
		if u.Test {
			continue
		}
		p := f.placeOf(u)
		switch n := u.Node.(type) {
		case *ast.CompositeLit:
			if !isFailureValue(p, n) {
				list = append(list, Building{Place: p, literal: n})
			}
		case *ast.CallExpr:
			list = append(list, Building{Place: p, alloc: n})
		case *ast.ValueSpec:
			if len(n.Names) == 1 {
				list = append(list, Building{Place: p, spec: n})
			}
		}
	}
	return list
}

// isFailureValue reports whether T{} only accompanies an error or false in a return.
func isFailureValue(p syntax.Place, lit *ast.CompositeLit) bool {
	if len(lit.Elts) > 0 {
		return false
	}
	at := p.Of(lit)
	if len(at.Path) < 2 {
		return false
	}
	r, ok := at.Path[1].(*ast.ReturnStmt)
	if !ok || len(r.Results) < 2 {
		return false
	}
	id, ok := r.Results[len(r.Results)-1].(*ast.Ident)
	return !ok || (id.Name != "nil" && id.Name != "true")
}

// AssignmentsTo lists the assignments to a field anywhere in the user's code.
func (f *Code) AssignmentsTo(field *types.Var) []syntax.Place {
	var list []syntax.Place
	for _, u := range f.Case.Code.Index().Writes(field) {
		if as, ok := u.Node.(*ast.AssignStmt); ok && as.Tok == token.ASSIGN {
			list = append(list, f.placeOf(u))
		}
	}
	return list
}
