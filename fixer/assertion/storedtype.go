package assertion

import (
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// keptAsInterface reports whether a value is converted to an interface where it
// stands: returned, passed, appended, stored as one.
func (f typeRules) keptAsInterface(p syntax.Place) bool {
	e, ok := p.Node().(ast.Expr)
	if !ok || len(p.Path) < 2 {
		return false
	}
	isInterface := func(t types.Type) bool {
		if t == nil {
			return false
		}
		_, is := t.Underlying().(*types.Interface)
		_, param := t.(*types.TypeParam)
		return is && !param
	}
	switch n := p.Path[1].(type) {
	case *ast.ReturnStmt:
		sig := p.Signature()
		for i, r := range n.Results {
			if r == e && sig != nil && sig.Results().Len() == len(n.Results) {
				return isInterface(sig.Results().At(i).Type())
			}
		}
	case *ast.AssignStmt:
		for i, r := range n.Rhs {
			if r == e && len(n.Lhs) == len(n.Rhs) {
				return isInterface(p.Info().TypeOf(n.Lhs[i]))
			}
		}
	case *ast.CallExpr:
		return isInterface(parameterType(p, n, e)) && (keepsValue(syntax.LastNameOnly(n.Fun)) || !f.isOutside(p, n))
	case *ast.KeyValueExpr:
		if lit, ok := p.Path[2].(*ast.CompositeLit); ok && n.Value == e {
			return isInterface(elementType(p.Info().TypeOf(lit), n.Key))
		}
	case *ast.CompositeLit:
		return isInterface(elementType(p.Info().TypeOf(n), nil))
	case *ast.SendStmt:
		if ch, ok := syntax.TypeUnder[*types.Chan](p.Info().TypeOf(n.Chan)); ok {
			return isInterface(ch.Elem())
		}
	}
	return false
}

// isOutside reports whether a call leaves the user's code, as for printing.
func (f typeRules) isOutside(p syntax.Place, call *ast.CallExpr) bool {
	fn := p.Callee(call)
	return fn != nil && fn.Pkg() != nil && !f.OwnsPackage(fn.Pkg())
}

// parameterType is the type of the parameter that an argument is given for.
func parameterType(p syntax.Place, call *ast.CallExpr, arg ast.Expr) types.Type {
	if name, _ := p.Builtin(call); name == "append" {
		if s, ok := syntax.TypeUnder[*types.Slice](p.Info().TypeOf(call.Args[0])); ok && arg != call.Args[0] {
			return s.Elem()
		}
		return nil
	}
	sig, ok := syntax.TypeUnder[*types.Signature](p.Info().TypeOf(call.Fun))
	if !ok {
		return nil
	}
	for i, a := range call.Args {
		if a != arg {
			continue
		}
		last := sig.Params().Len() - 1
		if sig.Variadic() && i >= last {
			return sig.Params().At(last).Type().(*types.Slice).Elem()
		}
		if i <= last {
			return sig.Params().At(i).Type()
		}
	}
	return nil
}

// elementType is the type of what a literal holds, for structs under a key.
func elementType(t types.Type, key ast.Expr) types.Type {
	if t == nil {
		return nil
	}
	if st, ok := syntax.UnderStruct(t); ok {
		if id, isIdent := key.(*ast.Ident); isIdent {
			if field := syntax.FieldOf(st, id.Name); field != nil {
				return field.Type()
			}
		}
		return nil
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		return u.Elem()
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	}
	return nil
}
