package fixer

import (
	"go/ast"
	"go/types"
)

// keptAsInterface reports whether a value is converted to an interface where it
// stands: returned, passed, appended, stored as one.
func (f typeRules) keptAsInterface(p place) bool {
	e, ok := p.node().(ast.Expr)
	if !ok || len(p.path) < 2 {
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
	switch n := p.path[1].(type) {
	case *ast.ReturnStmt:
		sig := p.signature()
		for i, r := range n.Results {
			if r == e && sig != nil && sig.Results().Len() == len(n.Results) {
				return isInterface(sig.Results().At(i).Type())
			}
		}
	case *ast.AssignStmt:
		for i, r := range n.Rhs {
			if r == e && len(n.Lhs) == len(n.Rhs) {
				return isInterface(p.info().TypeOf(n.Lhs[i]))
			}
		}
	case *ast.CallExpr:
		return isInterface(parameterType(p, n, e)) && (keepsValue(lastNameOnly(n.Fun)) || !f.isOutside(p, n))
	case *ast.KeyValueExpr:
		if lit, ok := p.path[2].(*ast.CompositeLit); ok && n.Value == e {
			return isInterface(elementType(p.info().TypeOf(lit), n.Key))
		}
	case *ast.CompositeLit:
		return isInterface(elementType(p.info().TypeOf(n), nil))
	case *ast.SendStmt:
		if ch, ok := typeUnder[*types.Chan](p.info().TypeOf(n.Chan)); ok {
			return isInterface(ch.Elem())
		}
	}
	return false
}

// isOutside reports whether a call leaves the user's code, as for printing.
func (f typeRules) isOutside(p place, call *ast.CallExpr) bool {
	fn := p.callee(call)
	return fn != nil && fn.Pkg() != nil && !f.ownsPackage(fn.Pkg())
}

// parameterType is the type of the parameter that an argument is given for.
func parameterType(p place, call *ast.CallExpr, arg ast.Expr) types.Type {
	if name, _ := p.builtin(call); name == "append" {
		if s, ok := typeUnder[*types.Slice](p.info().TypeOf(call.Args[0])); ok && arg != call.Args[0] {
			return s.Elem()
		}
		return nil
	}
	sig, ok := typeUnder[*types.Signature](p.info().TypeOf(call.Fun))
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
	if st, ok := underStruct(t); ok {
		if id, isIdent := key.(*ast.Ident); isIdent {
			if field := fieldOf(st, id.Name); field != nil {
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
