package effect

import (
	"go/ast"
	"slices"

	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
)

// clause looks at an added clause: an empty default of a select drops what the
// others would have waited for.
func (b walk) clause(s ast.Stmt, inner place) {
	if c, ok := s.(*ast.CommClause); ok && c.Comm == nil {
		b.pointAt(b.after.offset(c.Colon)+1, b.after.line(c), verdict.Skips, "does not wait for the channel")
		return
	}
	if c, ok := s.(*ast.CaseClause); ok && !slices.ContainsFunc(c.Body, b.after.doesSomething) {
		b.pointAt(b.after.offset(c.Colon)+1, b.after.line(c), verdict.Skips, "does nothing"+on(inner.when))
		return
	}
	b.addedList(syntax.ClauseBody(s), inner)
}

func clauseHead(s source, clause ast.Stmt) string {
	switch c := clause.(type) {
	case *ast.CaseClause:
		if c.List == nil {
			return "default"
		}
		return "case " + names(s, c.List)
	case *ast.CommClause:
		if c.Comm == nil {
			return "default"
		}
		return "case " + s.code(c.Comm)
	}
	return s.code(clause)
}

// clausePlace is where the statements of a clause stand.
func clausePlace(clause ast.Stmt, head string) place {
	p := place{when: head}
	switch c := clause.(type) {
	case *ast.CommClause:
		p.comm = c.Comm != nil
	case *ast.CaseClause: // of values or types, not of conditions
		p.other = c.List != nil && !slices.ContainsFunc(c.List, func(e ast.Expr) bool {
			_, compares := e.(*ast.BinaryExpr)
			_, negates := e.(*ast.UnaryExpr)
			return compares || negates || isNil(e)
		})
	}
	return p
}

// noClause notes that a switch around old statements leaves them out where none
// of its clauses holds.
func (b walk) noClause(s ast.Stmt, what string) {
	var body *ast.BlockStmt
	switch s := s.(type) {
	case *ast.SwitchStmt:
		body = s.Body
	case *ast.TypeSwitchStmt:
		body = s.Body
	default:
		return
	}
	if !slices.ContainsFunc(body.List, func(c ast.Stmt) bool { return c.(*ast.CaseClause).List == nil }) {
		b.branch(nil, place{when: "no case holds"}, what, b.after.offset(body.Rbrace), defaultBranch)
	}
}
