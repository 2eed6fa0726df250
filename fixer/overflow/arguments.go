package overflow

import (
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// recursions lists the calls of the cycle's function in itself.
func (o *overflow) recursions(t cycleFunc) []syntax.Place {
	var list []syntax.Place
	ast.Inspect(syntax.BodyOf(t.fn), func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok && o.callsSelf(t, call) {
			list = append(list, t.Of(call))
		}
		return true
	})
	return list
}

func (o *overflow) callsSelf(t cycleFunc, call *ast.CallExpr) bool {
	switch fn := t.fn.(type) {
	case *ast.FuncDecl:
		callee := t.Callee(call)
		return callee != nil && o.Same(syntax.OriginOf(callee), syntax.OriginOf(t.Info().Defs[fn.Name]))
	case *ast.FuncLit:
		for _, lit := range o.FlowOf().Callees(t.Place, call) {
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
	for _, field := range syntax.TypeOfFunc(t.fn).Params.List {
		for _, n := range field.Names {
			v, _ := t.Info().Defs[n].(*types.Var)
			list = append(list, v)
		}
	}
	return list
}
