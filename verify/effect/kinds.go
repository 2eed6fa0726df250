package effect

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/pausetui/pausetui/verify/effect/match"
)

func names(s source, list []ast.Expr) string {
	var text []string
	for _, e := range list {
		text = append(text, s.code(e))
	}
	return strings.Join(text, ", ")
}

// doesSomething reports whether a statement does more than print.
func (s source) doesSomething(stmt ast.Stmt) bool {
	switch stmt := stmt.(type) {
	case *ast.EmptyStmt:
		return false
	case *ast.AssignStmt:
		return !match.Blank(stmt)
	case *ast.ExprStmt:
		return !prints(s, stmt)
	}
	return true
}

// aboutError recognizes "err != nil".
func aboutError(cond ast.Expr) bool {
	c, ok := cond.(*ast.BinaryExpr)
	if !ok || c.Op != token.NEQ || !match.IsNil(c.Y) {
		return false
	}
	id, ok := c.X.(*ast.Ident)
	return ok && strings.HasSuffix(strings.ToLower(id.Name), "err")
}
