package fixer

import (
	"go/ast"
	"go/token"
	"go/types"
)

// formatsItself: a method that a library calls to print or encode a value hands
// that value to the library again.
func (o *overflow) formatsItself(t cycleFunc) {
	d, ok := t.fn.(*ast.FuncDecl)
	call, isCall := t.node().(*ast.CallExpr)
	if !ok || !isCall || d.Recv == nil || t.into == "" {
		return
	}
	recv := named(t.info().TypeOf(d.Recv.List[0].Type))
	if recv == nil {
		return
	}
	var args []ast.Expr
	for _, a := range call.Args {
		o.argumentsOf(t.place, a, recv, &args)
	}
}

// argumentsOf collects the values of the method's type in an argument.
func (o *overflow) argumentsOf(p place, e ast.Expr, recv *types.Named, list *[]ast.Expr) {
	e = ast.Unparen(e)
	if n := named(p.info().TypeOf(e)); n != nil && n.Origin() == recv.Origin() {
		*list = append(*list, e)
		return
	}
	switch x := e.(type) {
	case *ast.CompositeLit:
		for _, el := range x.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				el = kv.Value
			}
			o.argumentsOf(p, el, recv, list)
		}
	case *ast.UnaryExpr:
		o.argumentsOf(p, x.X, recv, list)
	case *ast.CallExpr:
		if name, _ := p.builtin(x); name == "append" {
			for _, a := range x.Args {
				o.argumentsOf(p, a, recv, list)
			}
		}
	}
}

// isReceiver reports whether an expression is the method's own receiver.
func (o *overflow) isReceiver(t cycleFunc, d *ast.FuncDecl, e ast.Expr) bool {
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
	if s, ok := e.(*ast.StarExpr); ok {
		e = s.X
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && len(d.Recv.List[0].Names) > 0 && t.info().ObjectOf(id) == t.info().Defs[d.Recv.List[0].Names[0]]
}
