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
