package fixer

import (
	"go/ast"
	"go/types"
)

// recursions lists the calls of the cycle's function in itself.
func (o *overflow) recursions(t cycleFunc) []place {
	var list []place
	ast.Inspect(bodyOf(t.fn), func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok && o.callsSelf(t, call) {
			list = append(list, t.of(call))
		}
		return true
	})
	return list
}

func (o *overflow) callsSelf(t cycleFunc, call *ast.CallExpr) bool {
	switch fn := t.fn.(type) {
	case *ast.FuncDecl:
		callee := t.callee(call)
		return callee != nil && o.same(originOf(callee), originOf(t.info().Defs[fn.Name]))
	case *ast.FuncLit:
		for _, lit := range o.flowOf().callees(t.place, call) {
			if lit == any(fn) {
				return true
			}
		}
	}
	return false
}

// parameters lists the parameters of the cycle's function in order.
func (o *overflow) parameters(t cycleFunc) []*types.Var {
	var list []*types.Var
	for _, field := range typeOfFunc(t.fn).Params.List {
		for _, n := range field.Names {
			v, _ := t.info().Defs[n].(*types.Var)
			list = append(list, v)
		}
	}
	return list
}

// sameArgument: a call passes a parameter on as it is, where a part of it was
// meant.
func (o *overflow) sameArgument(t cycleFunc) {
	line := o.c.Stop.Frames[t.frame].Line
	for _, r := range o.recursions(t) {
		if o.line(r.node().Pos()) <= line && line <= o.line(r.node().End()) {
			o.sameArgumentOf(cycleFunc{place: r, fn: t.fn, frame: t.frame}, r.node().(*ast.CallExpr))
		}
	}
}

func (o *overflow) sameArgumentOf(t cycleFunc, call *ast.CallExpr) {
	for _, p := range o.params() {
		if !p.same() {
			continue
		}
		for i, v := range o.parameters(t) {
			if v == nil || v != p.v || i >= len(call.Args) || call.Ellipsis.IsValid() {
				continue
			}
			id, isIdent := ast.Unparen(call.Args[i]).(*ast.Ident)
			if !isIdent || t.info().ObjectOf(id) != types.Object(v) {
				continue
			}
		}
	}
}
