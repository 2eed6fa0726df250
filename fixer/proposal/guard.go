package proposal

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// Guard offers every way to refuse a bad value before the statement at p.
// cond is true when the value is bad.
func (f *Proposal) Guard(p syntax.Place, cond string, m exits.Message, bad string) {
	anchor := p.Anchor()
	if anchor == nil || saysNothing(cond) {
		return
	}
	at := p.Of(anchor)
	equal, ok := f.inOtherBranches(p)
	if !ok || !f.repeatable(at, cond) || f.preempts(at, anchor, cond) {
		return
	}
	missing := strings.TrimSuffix(cond, " == nil")
	for _, e := range f.ExitsWithout(at, m, missing) {
		lines := "if " + cond + " {\n\t" + syntax.Indented(e.Lines) + "\n}"
		ch := f.Change().Before(anchor, lines).Need(p.File, e.Imports...)
		for _, s := range equal {
			ch.Before(s, lines)
		}
		if e.Edit != nil && !e.Edit(ch) {
			continue
		}
		f.Offer(Idea{Rule: "guard/guard", Title: fmt.Sprintf("check %s first: %s", bad, ShortHow(e)), Weight: e.Weight, Change: ch, Grounds: e.Grounds,
			Why: fmt.Sprintf("Before the statement, where %s, %s %s.", cond, syntax.FuncName(at.Function()), e.How)})
	}
}

// ShortHow is what a way to leave does, as a title says it.
func ShortHow(e exits.Exit) string {
	first, _, _ := strings.Cut(e.How, " (")
	if e.Grounds == "" {
		first, _, _ = strings.Cut(first, ",")
	}
	words := strings.Fields(first)
	verbs := map[string]string{"returns": "return", "answers": "answer", "fails": "fail", "says": "say", "ends": "end", "passes": "pass", "goes": "go", "does": "do"}
	if len(words) > 0 && verbs[words[0]] != "" {
		words[0] = verbs[words[0]]
	}
	text := strings.Join(words, " ")
	return strings.NewReplacer(" and goes ", " and go ", " and ends ", " and end ").Replace(text)
}

// inOtherBranches lists the statements in other branches that use the same
// expression and stop as well: to guard one of them is not enough. ok is false
// where they cannot be left in the same way.
func (f *Proposal) inOtherBranches(p syntax.Place) (list []ast.Stmt, ok bool) {
	var others []ast.Node
	for i := 1; i < len(p.Path)-1; i++ {
		switch n := p.Path[i].(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			i = len(p.Path)
		case *ast.IfStmt:
			if p.Path[i-1] == ast.Node(n.Body) && n.Else != nil {
				others = append(others, n.Else)
			} else if p.Path[i-1] == n.Else {
				others = append(others, n.Body)
			}
		case *ast.CaseClause:
			if body, isBlock := p.Path[i+1].(*ast.BlockStmt); isBlock {
				for _, c := range body.List {
					if c != ast.Stmt(n) {
						others = append(others, c)
					}
				}
			}
		}
	}
	ok = true
	for _, other := range others {
		ast.Inspect(other, func(n ast.Node) bool {
			e, isExpr := n.(ast.Expr)
			if !isExpr || !f.stopsAlike(p, e) {
				return ok
			}
			at := p.Of(e)
			stmt := at.Anchor()
			ok = ok && stmt != nil && at.Function() == p.Function() && at.Loop() == p.Loop()
			if !slices.Contains(list, stmt) {
				list = append(list, stmt)
			}
			return false
		})
	}
	return list, ok
}

// stopsAlike reports whether an expression stops where the place's does: it is the
// same one, or divides by the same.
func (f *Proposal) stopsAlike(p syntax.Place, e ast.Expr) bool {
	own, isExpr := p.Node().(ast.Expr)
	if !isExpr {
		return false
	}
	if d, ok := divisor(own); ok {
		if other, divides := divisor(e); divides {
			own, e = d, other
		}
	}
	names := func(n ast.Node) (list []types.Object) {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				list = append(list, p.Info().ObjectOf(id))
			}
			return true
		})
		return list
	}
	return f.Text(own) == f.Text(e) && slices.Equal(names(own), names(e))
}

// divisor is what an expression divides by.
func divisor(e ast.Expr) (ast.Expr, bool) {
	b, ok := e.(*ast.BinaryExpr)
	if !ok || b.Op != token.QUO && b.Op != token.REM {
		return nil, false
	}
	return b.Y, true
}

// preempts reports whether a guard before a statement would stand between a call that gave one
// of its variables and a check of the error that came with it: one that leaves, so that it is
// there for just that value. The guard would take the error's place.
func (f *Proposal) preempts(at syntax.Place, anchor ast.Stmt, cond string) bool {
	if len(at.Path) < 2 {
		return false
	}
	for _, s := range syntax.Statements(at.Path[1]) {
		as, ok := s.(*ast.AssignStmt)
		if !ok || as.Pos() >= anchor.Pos() {
			continue
		}
		for _, l := range as.Lhs {
			if id, ok := l.(*ast.Ident); ok && syntax.Mentions(cond, id.Name) && slices.ContainsFunc(at.ChecksOf(as, at.Object(l)), func(check ast.Stmt) bool {
				return check.Pos() >= anchor.Pos() && syntax.Leaves([]ast.Stmt{check})
			}) {
				return true
			}
		}
	}
	return false
}
