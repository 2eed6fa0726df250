package fixer

import (
	"go/ast"
	"go/token"
	"strings"
)

// instead puts lines in place of a statement.
func (ch *change) instead(s ast.Node, lines string) *change {
	return ch.replace(s.Pos(), s.End(), strings.ReplaceAll(lines, "\n", "\n"+lineIndentAt(ch.f, s)))
}

// insertAbove puts whole lines, with their line ends, above a statement and
// the comments that belong to it.
func (ch *change) insertAbove(s ast.Node, lines string) *change {
	name, start := ch.file(s.Pos())
	src := ch.f.source(name)
	indent, first := indentAt(src, start)
	if !first {
		ch.broken = true
		return ch
	}
	at := aboveComments(src, start-len(indent))
	ch.splices[name] = append(ch.splices[name], splice{at, at, lines, len(ch.splices[name])})
	return ch
}

// statements returns the list of statements that a block or clause holds.
func statements(block ast.Node) []ast.Stmt {
	switch b := block.(type) {
	case *ast.BlockStmt:
		return b.List
	case *ast.CaseClause:
		return b.Body
	case *ast.CommClause:
		return b.Body
	}
	return nil
}

// top returns the statement of the function's outermost list that holds the node.
func (p place) top() ast.Stmt {
	body := bodyOf(p.function())
	for i, n := range p.path {
		if i+1 < len(p.path) && p.path[i+1] == ast.Node(body) {
			s, _ := n.(ast.Stmt)
			return s
		}
	}
	return nil
}

// within returns the statement of a list that holds a position, and its index.
func within(list []ast.Stmt, pos token.Pos) (ast.Stmt, int) {
	for i, s := range list {
		if contains(s, pos) {
			return s, i
		}
	}
	return nil, -1
}

// leaves reports whether statements contain a way out of the function or of a
// loop around them.
func leaves(list []ast.Stmt) bool {
	found := false
	for _, s := range list {
		depth := 0
		var check func(ast.Node) bool
		check = func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ReturnStmt:
				found = true
			case *ast.BranchStmt:
				if n.Label != nil || n.Tok == token.GOTO || depth == 0 {
					found = true
				}
			case *ast.ForStmt:
				depth++
				ast.Inspect(n.Body, check)
				depth--
				return false
			case *ast.RangeStmt:
				depth++
				ast.Inspect(n.Body, check)
				depth--
				return false
			case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				// break leaves it; continue does not, but is rare enough to refuse
				depth++
				for _, c := range bodyOfSwitch(n).List {
					ast.Inspect(c, check)
				}
				depth--
				return false
			}
			return true
		}
		ast.Inspect(s, check)
	}
	return found
}

func bodyOfSwitch(n ast.Node) *ast.BlockStmt {
	switch n := n.(type) {
	case *ast.SwitchStmt:
		return n.Body
	case *ast.TypeSwitchStmt:
		return n.Body
	case *ast.SelectStmt:
		return n.Body
	}
	return &ast.BlockStmt{}
}
