package fixer

import (
	"go/ast"
	"go/types"
)

// calledItself: a method calls itself where what it wraps, or its own field,
// was meant.
func (o *overflow) calledItself(t cycleFunc) {
	call, ok := t.node().(*ast.CallExpr)
	d, isDecl := t.fn.(*ast.FuncDecl)
	if !ok || !isDecl || t.into != "" {
		return
	}
	if d.Recv == nil {
		return
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !o.isReceiver(t, d, sel.X) || sel.Sel.Name != d.Name.Name {
		return
	}
}

func mentionsObject(p place, e ast.Node, obj types.Object) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && obj != nil && p.info().ObjectOf(id) == obj {
			found = true
		}
		return !found
	})
	return found
}
