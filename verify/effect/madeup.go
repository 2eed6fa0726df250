package effect

import (
	"go/ast"
	"go/token"

	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
)

// madeUp finds an empty struct in a statement, which is not in its old version, where the
// old program makes all values of that type with fields: the empty one is a stand-in for
// one that is missing. old is nil for a statement that was added.
func (b *function) madeUp(old, now ast.Stmt) ast.Expr {
	had := map[match.Form]bool{}
	if old != nil {
		had = match.Expressions(old)
	}
	for n := range ast.Preorder(now) {
		e, ok := n.(ast.Expr)
		if !ok || had[match.FormOf(e)] {
			continue
		}
		if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
			e = u.X
		}
		if c, ok := e.(*ast.CompositeLit); ok && len(c.Elts) == 0 && c.Type != nil && b.alwaysFilled(c.Type) {
			return n.(ast.Expr)
		}
	}
	return nil
}

// alwaysFilled reports whether the old file has values of a type, all of them with
// elements.
func (b *function) alwaysFilled(typ ast.Expr) bool {
	filled, empty := false, false
	of := match.FormOf(typ)
	for n := range ast.Preorder(b.before.ast) {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if n.Type != nil && match.FormOf(n.Type) == of {
				filled, empty = filled || len(n.Elts) > 0, empty || len(n.Elts) == 0
			}
		case *ast.CallExpr:
			empty = empty || syntax.Called(n) == "new" && len(n.Args) == 1 && match.FormOf(n.Args[0]) == of
		}
	}
	return filled && !empty
}
