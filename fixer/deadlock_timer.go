package fixer

import (
	"go/ast"
)

// isContextDone reports whether a channel is that of a context's Done.
func isContextDone(p place, ch ast.Expr) bool {
	call, ok := ast.Unparen(ch).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := p.callee(call)
	return fn != nil && fn.FullName() == "(context.Context).Done"
}
