package fixer

import (
	"go/ast"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// condition says when a return, or the like, is taken: the text of the if around it.
func (d *deadlock) condition(p syntax.Place, exit ast.Stmt) string {
	at := p.Of(exit)
	for i, n := range at.Path {
		switch n := n.(type) {
		case *ast.IfStmt:
			if i > 0 && at.Path[i-1] == ast.Node(n.Body) {
				return " when " + syntax.Short(d.Text(n.Cond))
			}
		case *ast.FuncLit, *ast.FuncDecl:
			return ""
		}
	}
	return ""
}
