package fixer

import (
	"go/ast"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// isContextDone reports whether a channel is that of a context's Done.
func isContextDone(p syntax.Place, ch ast.Expr) bool {
	call, ok := ast.Unparen(ch).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := p.Callee(call)
	return fn != nil && fn.FullName() == "(context.Context).Done"
}
