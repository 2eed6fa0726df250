package flow

import (
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/fixer/syntax"
)

func (fl *Flow) assign(p syntax.Place, lhs, rhs []ast.Expr) {
	if len(rhs) == 1 && len(lhs) > 1 {
		if call, ok := ast.Unparen(rhs[0]).(*ast.CallExpr); ok {
			for _, fn := range fl.Callees(p, call) {
				for i, l := range lhs {
					if shared(p.Info().TypeOf(l)) {
						fl.unite(fl.node(p, l), resultKey{fn, i})
					}
				}
			}
			return
		}
		lhs = lhs[:1]
	}
	for i := range min(len(lhs), len(rhs)) {
		if shared(p.Info().TypeOf(lhs[i])) || shared(p.Info().TypeOf(rhs[i])) {
			fl.unite(fl.node(p, lhs[i]), fl.node(p, rhs[i]))
			fl.appended(p, rhs[i])
		}
	}
}

// appended unites what append adds with the elements of the slice.
func (fl *Flow) appended(p syntax.Place, e ast.Expr) {
	name, call := p.Builtin(e)
	if name != "append" || len(call.Args) < 2 {
		return
	}
	slice := fl.node(p, call.Args[0])
	for _, a := range call.Args[1:] {
		if call.Ellipsis.IsValid() {
			fl.unite(slice, fl.node(p, a))
		} else {
			fl.unite(fl.ElemOf(slice), fl.node(p, a))
		}
	}
}

func (fl *Flow) returned(p syntax.Place, r *ast.ReturnStmt, fn any) {
	if fn == nil {
		return
	}
	if len(r.Results) == 1 {
		if call, ok := ast.Unparen(r.Results[0]).(*ast.CallExpr); ok {
			if tuple, ok := p.Info().TypeOf(call).(*types.Tuple); ok {
				for _, inner := range fl.Callees(p, call) {
					for i := range tuple.Len() {
						fl.unite(resultKey{fn, i}, resultKey{inner, i})
					}
				}
				return
			}
		}
	}
	for i, e := range r.Results {
		if shared(p.Info().TypeOf(e)) {
			fl.unite(resultKey{fn, i}, fl.node(p, e))
			fl.appended(p, e)
		}
	}
}

// passed unites arguments with parameters of the user's functions: what a library is given by
// one call, it does not hand to another.
func (fl *Flow) passed(p syntax.Place, call *ast.CallExpr) {
	sig, ok := syntax.TypeUnder[*types.Signature](p.Info().TypeOf(call.Fun))
	if !ok {
		return
	}
	for i, a := range call.Args {
		if !shared(p.Info().TypeOf(a)) {
			continue
		}
		for _, fn := range fl.Callees(p, call) {
			if f, ok := fn.(*types.Func); ok && !fl.code.OwnsPackage(f.Pkg()) {
				continue
			}
			param, variadic := fl.param(p, fn, i)
			switch {
			case param == nil:
			case variadic && !call.Ellipsis.IsValid():
				fl.unite(fl.ElemOf(param), fl.node(p, a))
			default:
				fl.unite(param, fl.node(p, a))
			}
		}
	}
	if sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr); isSel && sig.Recv() != nil && shared(p.Info().TypeOf(sel.X)) {
		if fn := p.Callee(call); fn != nil {
			fl.unite(syntax.OriginOf(fn.Origin().Type().(*types.Signature).Recv()), fl.node(p, sel.X))
		}
	}
}

// param returns the node of a function's parameter.
func (fl *Flow) param(p syntax.Place, fn any, i int) (node any, variadic bool) {
	var sig *types.Signature
	switch fn := fn.(type) {
	case *types.Func:
		sig = fn.Type().(*types.Signature)
	case *ast.FuncLit:
		sig, _ = p.Info().TypeOf(fn).(*types.Signature)
		if sig == nil { // a literal of another package, held by a variable
			return nil, false
		}
	}
	if sig == nil || sig.Params().Len() == 0 {
		return nil, false
	}
	last := sig.Params().Len() - 1
	if sig.Variadic() && i >= last {
		return syntax.OriginOf(sig.Params().At(last)), true
	}
	if i > last {
		return nil, false
	}
	return syntax.OriginOf(sig.Params().At(i)), false
}

// built unites the values of a literal with the fields or elements they become.
func (fl *Flow) built(p syntax.Place, lit *ast.CompositeLit) {
	st, isStruct := syntax.UnderStruct(p.Info().TypeOf(lit))
	for i, e := range lit.Elts {
		key, value := ast.Expr(nil), e
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			key, value = kv.Key, kv.Value
		}
		if !shared(p.Info().TypeOf(value)) {
			continue
		}
		if !isStruct {
			fl.unite(fl.ElemOf(lit), fl.node(p, value))
			continue
		}
		if id, ok := key.(*ast.Ident); ok {
			fl.unite(syntax.OriginOf(p.Info().ObjectOf(id)), fl.node(p, value))
		} else if key == nil && i < st.NumFields() {
			fl.unite(syntax.OriginOf(st.Field(i)), fl.node(p, value))
		}
	}
}
