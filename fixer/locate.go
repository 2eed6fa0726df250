package fixer

import (
	"go/ast"
	"go/token"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// terms splits an expression into the operands of its sum and an integer constant.
func offsetOf(p syntax.Place, e ast.Expr) (base ast.Expr, offset int64, ok bool) {
	e = ast.Unparen(e)
	if b, isBinary := e.(*ast.BinaryExpr); isBinary && (b.Op == token.ADD || b.Op == token.SUB) {
		if n, isConst := syntax.ConstantInt(p, b.Y); isConst {
			base, inner, ok := offsetOf(p, b.X)
			if b.Op == token.SUB {
				n = -n
			}
			return base, inner + n, ok
		}
		if n, isConst := syntax.ConstantInt(p, b.X); isConst && b.Op == token.ADD {
			base, inner, ok := offsetOf(p, b.Y)
			return base, inner + n, ok
		}
	}
	return e, 0, true
}
