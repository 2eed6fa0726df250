package fixer

import (
	"go/ast"
)

// calleeRelocks: a function that is called with the lock held gives it up for
// a while, and does not take it again on all of its ways.
func (f lockRules) calleeRelocks(bad lockCall) {
	ast.Inspect(bodyOf(bad.function()), func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Pos() > bad.node().Pos() && !bad.deferred() {
			return true
		}
		_, ok = f.declarationOf(bad.callee(call))

		return true
	})
}
