package fixer

import (
	"go/ast"
)

// condition says when a return, or the like, is taken: the text of the if around it.
func (d *deadlock) condition(p place, exit ast.Stmt) string {
	at := p.of(exit)
	for i, n := range at.path {
		switch n := n.(type) {
		case *ast.IfStmt:
			if i > 0 && at.path[i-1] == ast.Node(n.Body) {
				return " when " + short(d.text(n.Cond))
			}
		case *ast.FuncLit, *ast.FuncDecl:
			return ""
		}
	}
	return ""
}
