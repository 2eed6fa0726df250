package effect

import (
	"go/ast"
	"go/parser"
	"slices"
)

// descends reports whether a guard against nil in a recursion asks for what the
// recursion goes on with: a field that it goes on with ends there, and another
// one is only missing.
func (b *function) descends(when string) bool {
	e, err := parser.ParseExpr(when)
	if err != nil {
		return true
	}
	c, ok := e.(*ast.BinaryExpr)
	if !ok || !isNil(c.Y) {
		return true
	}
	if _, ok := c.X.(*ast.SelectorExpr); !ok {
		return true
	}
	field := when[c.X.Pos()-1 : c.X.End()-1]
	is := func(e ast.Expr) bool { return b.after.code(e) == field }
	found := false
	ast.Inspect(b.fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || b.recursive(n) && mentionsCode(b.after.code(n), field)
		case *ast.RangeStmt:
			found = found || is(n.X)
		case *ast.AssignStmt:
			found = found || slices.ContainsFunc(n.Rhs, is)
		}
		return !found
	})
	return found
}
