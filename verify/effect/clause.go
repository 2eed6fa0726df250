package effect

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/pausetui/pausetui/verify/effect/match"
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

// clauseHead is the condition under which a clause of a switch or a select is taken, in
// words, and as an expression where it is one.
func clauseHead(s source, around, clause ast.Stmt) (string, ast.Expr) {
	switch c := clause.(type) {
	case *ast.CaseClause:
		if c.List == nil {
			return "default", nil
		}
		values := names(s, c.List)
		switch around, _ := around.(*ast.SwitchStmt); {
		case around == nil:
			return "case " + values, nil // of a type
		case len(c.List) > 1 && around.Tag != nil:
			return s.code(around.Tag) + " is one of " + values, nil
		case len(c.List) > 1:
			return "one of " + values, nil
		case around.Tag != nil:
			return s.code(around.Tag) + " == " + values, &ast.BinaryExpr{X: around.Tag, Op: token.EQL, Y: c.List[0]}
		}
		return values, c.List[0]
	case *ast.CommClause:
		if c.Comm == nil {
			return "default", nil
		}
		return "case " + s.code(c.Comm), nil
	}
	return s.code(clause), nil
}

// clausePlace is where the statements of a clause of a switch or a select stand.
func clausePlace(s source, around, clause ast.Stmt) place {
	p := place{}
	p.when, p.cond = clauseHead(s, around, clause)
	switch c := clause.(type) {
	case *ast.CommClause:
		p.comm = c.Comm != nil
	case *ast.CaseClause: // of values or types, not of conditions
		p.row = othersAreConstant(around, c)
		p.other = c.List != nil && !slices.ContainsFunc(c.List, func(e ast.Expr) bool {
			_, compares := e.(*ast.BinaryExpr)
			_, negates := e.(*ast.UnaryExpr)
			return compares || negates || match.IsNil(e)
		})
	}
	return p
}

// othersAreConstant reports whether a switch is a table: each of its other clauses, of which
// there are several, only returns a constant.
func othersAreConstant(around ast.Stmt, clause *ast.CaseClause) bool {
	s, ok := around.(*ast.SwitchStmt)
	return ok && clause.List != nil && len(s.Body.List) > 2 && !slices.ContainsFunc(s.Body.List, func(o ast.Stmt) bool {
		c := o.(*ast.CaseClause)
		if c == clause || c.List == nil {
			return false
		}
		if len(c.Body) != 1 {
			return true
		}
		r, ok := c.Body[0].(*ast.ReturnStmt)
		return !ok || !match.Constants(r)
	})
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
