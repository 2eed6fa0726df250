package fixer

import (
	"go/ast"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// sel returns the select statement that a communication clause belongs to.
func selectOf(p syntax.Place, c *ast.CommClause) *ast.SelectStmt {
	for i, n := range p.Path {
		if n == ast.Node(c) && i+2 < len(p.Path) {
			s, _ := p.Path[i+2].(*ast.SelectStmt)
			return s
		}
	}
	return nil
}
