package effect

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/verdict"
)

// shortenedLoop looks at two versions of a loop.
func (b walk) shortenedLoop(old, now ast.Stmt) {
	o, ok := old.(*ast.ForStmt)
	n, still := now.(*ast.ForStmt)
	if ok && still {
		b.shortened(o, n)
	}
}

// shortened looks at a loop that asks more before each iteration than it did.
// One iteration less is the end of the data that it ran over; where the old
// condition would have let it run more than one further iteration, the others,
// which need not fail, are left out.
func (b walk) shortened(old, now *ast.ForStmt) {
	if old.Cond == nil || now.Cond == nil || old.Post == nil || now.Post == nil || match.FormOf(old.Post) != match.FormOf(now.Post) {
		return
	}
	b.lastPass(old, now)
	b.firstElement(old, now)
	counter, step := stepped(b.after, now.Post)
	was, is := match.Conjuncts(old.Cond), match.Conjuncts(now.Cond)
	if counter == "" || len(is) <= len(was) || !slices.ContainsFunc(was, func(c ast.Expr) bool { return match.MentionsCode(b.before.code(c), counter) }) {
		return
	}
	var next []string
	var asked []match.Form
	for _, c := range was {
		if !plain(c) {
			return // it may fail where it is asked once more
		}
		asked = append(asked, match.FormOf(c))
		next = append(next, b.before.codeWith(c, counter, step))
	}
	var fresh []ast.Expr
	for _, c := range is {
		if slices.Contains(asked, match.FormOf(c)) {
			if len(fresh) > 0 {
				return
			}
			continue
		}
		fresh = append(fresh, c)
	}
	if len(is)-len(fresh) < len(was) {
		return
	}
	for _, c := range fresh {
		b.pointAt(b.after.offset(c.Pos()), b.after.line(c), verdict.Skips, "ends the loop early unless "+match.Cut(b.after.code(c)))
		p := &b.report.Points[len(b.report.Points)-1]
		p.TestEnd, p.further = b.after.offset(c.End()), strings.Join(next, " && ")
	}
}

// stepped returns the variable that a loop's post statement counts, and what it
// adds to it, "+ 1".
func stepped(s source, post ast.Stmt) (counter, step string) {
	switch p := post.(type) {
	case *ast.IncDecStmt:
		if id, ok := p.X.(*ast.Ident); ok {
			return id.Name, " " + p.Tok.String()[:1] + " 1"
		}
	case *ast.AssignStmt:
		if id, ok := p.Lhs[0].(*ast.Ident); ok && (p.Tok == token.ADD_ASSIGN || p.Tok == token.SUB_ASSIGN) && plain(p.Rhs[0]) {
			return id.Name, " " + p.Tok.String()[:1] + " (" + s.code(p.Rhs[0]) + ")"
		}
	}
	return "", ""
}

// plain reports whether working out an expression cannot fail or do anything.
func plain(e ast.Expr) bool {
	safe := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			id, ok := n.Fun.(*ast.Ident)
			safe = safe && ok && (id.Name == "len" || id.Name == "cap")
		case *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.TypeAssertExpr, *ast.FuncLit:
			safe = false
		case *ast.UnaryExpr:
			safe = safe && n.Op != token.ARROW
		case *ast.BinaryExpr:
			safe = safe && n.Op != token.QUO && n.Op != token.REM
		}
		return safe
	})
	return safe
}

// codeWith is the code of an expression with a step added to a variable.
func (s source) codeWith(e ast.Expr, name, step string) string {
	var out strings.Builder
	last := s.offset(e.Pos())
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			return false
		case *ast.Ident:
			if n.Name == name {
				out.WriteString(s.Text[last:s.offset(n.Pos())] + "(" + name + step + ")")
				last = s.offset(n.End())
			}
		}
		return true
	})
	out.WriteString(s.Text[last:s.offset(e.End())])
	return "(" + out.String() + ")"
}

// conditionMoved reports whether the condition of a loop has moved into its body.
func conditionMoved(old, now ast.Stmt) bool {
	o, ok := old.(*ast.ForStmt)
	n, still := now.(*ast.ForStmt)
	return ok && still && o.Cond != nil && n.Cond == nil
}
