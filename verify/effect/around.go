package effect

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
)

// The marks' branches of their own.
const (
	ElseBranch    = "else"
	defaultBranch = "; default:"
)

// around looks at an added statement with old ones in it: a branch in which they are not,
// and nothing else is done, leaves them out.
func (b walk) around(s ast.Stmt, at place) {
	what := match.Cut(b.before.code(b.first(s)))
	b.keeps(s)
	switch s := s.(type) {
	case *ast.IfStmt:
		b.aroundIf(s, what, at)
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		for _, c := range syntax.List(s) {
			inner := clausePlace(b.after, s, c)
			inner.loop, inner.last = true, at.last
			if comm, ok := c.(*ast.CommClause); !ok || comm.Comm == nil || b.Was[comm.Comm] == nil {
				b.branch(syntax.ClauseBody(c), inner, what, b.colon(c), "")
			}
		}
		b.noClause(s, what)
	case *ast.BlockStmt:
		b.branch(s.List, at, what, 0, "")
	case *ast.LabeledStmt:
		b.fresh([]ast.Stmt{s.Stmt}, 0, at)
	case *ast.ForStmt, *ast.RangeStmt:
		b.work = true
		b.look(syntax.List(s), place{loop: true, when: at.when})
	default:
		b.aroundCall(s, what, at)
	}
}

// first is the first old statement in a new one.
func (b *function) first(n ast.Node) ast.Stmt {
	var found ast.Stmt
	ast.Inspect(n, func(n ast.Node) bool {
		if s, ok := n.(ast.Stmt); ok && found == nil {
			if _, leave := s.(*ast.ReturnStmt); !leave || len(s.(*ast.ReturnStmt).Results) > 0 {
				found = b.Was[s]
			}
		}
		return found == nil
	})
	return found
}

func (b walk) aroundIf(s *ast.IfStmt, what string, at place) {
	when := b.after.code(s.Cond)
	inner := place{when: when, last: at.last, loop: at.loop, comm: at.comm || b.closedReceive(s)}
	b.branch(s.Body.List, inner, what, b.after.offset(s.Body.Lbrace)+1, "")
	inner.when = "unless " + when
	switch other := s.Else.(type) {
	case nil:
		if b.plainNil(s) {
			return
		}
		from := len(b.report.Points)
		b.branch(nil, inner, what, b.after.offset(s.Body.Rbrace)+1, ElseBranch)
		for i := from; i < len(b.report.Points); i++ {
			b.report.Points[i].question = b.after.question(s)
		}
	case *ast.BlockStmt:
		b.branch(other.List, inner, what, b.after.offset(other.Lbrace)+1, "")
	case *ast.IfStmt:
		b.aroundIf(other, what, at)
	}
}

// branch looks at one branch around old statements, and one that does nothing leaves them
// out. The mark goes to the offset, in a branch of its own where there is none.
func (b walk) branch(list []ast.Stmt, at place, what string, offset int, branch string) {
	if slices.ContainsFunc(list, func(s ast.Stmt) bool { return b.holds(s) }) {
		b.look(list, at)
		return
	}
	before := len(b.report.Points)
	work := b.addedList(list, at)
	if work || len(b.report.Points) > before || at.comm && len(list) > 0 {
		return
	}
	line := b.after.Line(b.after.ast.FileStart + token.Pos(offset))
	b.report.Points = append(b.report.Points, Point{File: b.File, Line: line, Function: b.name, Effect: verdict.Skips,
		How: "leaves out " + what + on(at.when), Offset: offset, Branch: branch, When: at.when})
}

// aroundCall looks at old statements that moved into a function literal.
func (b walk) aroundCall(s ast.Stmt, what string, at place) {
	b.work = true
	var call *ast.CallExpr
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, _ = s.X.(*ast.CallExpr)
	case *ast.DeferStmt:
		call = s.Call
	case *ast.GoStmt:
		call = s.Call
	}
	if call == nil {
		b.added(s, at)
		return
	}
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Do" && b.report.Skips == "" && !b.wasGuarded(b.first(s)) {
		b.report.Skips = "runs " + what + " only the first time"
	}
	if b.recovers(call) && !b.tells(call) {
		b.report.Hides = "recovers from the panic"
	}
	for _, lit := range syntax.Literals(s) {
		b.in(lit).branch(lit.Body.List, place{}, what, b.after.offset(lit.Body.Lbrace)+1, "")
	}
}

// wasGuarded reports whether an old statement was in an if that is gone: something else
// says now whether it runs.
func (b *function) wasGuarded(s ast.Stmt) bool {
	for n := range ast.Preorder(b.old.Body) {
		if g, ok := n.(*ast.IfStmt); ok && s != nil && b.Now[g] == nil && g.Pos() < s.Pos() && s.End() < g.End() {
			return true
		}
	}
	return false
}

// colon is the offset after a clause's colon.
func (b *function) colon(c ast.Stmt) int {
	switch c := c.(type) {
	case *ast.CaseClause:
		return b.after.offset(c.Colon) + 1
	case *ast.CommClause:
		return b.after.offset(c.Colon) + 1
	}
	return 0
}
