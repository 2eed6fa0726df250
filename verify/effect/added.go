package effect

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
)

// point notes a place before a statement.
func (b *function) point(s ast.Stmt, at place, e verdict.Effect, how string) {
	b.pointAt(b.after.offset(s.Pos()), b.after.line(s), e, how+on(at.when))
	p := &b.report.Points[len(b.report.Points)-1]
	p.When, p.Leaves = at.when, b.after.code(s)
}

// on joins a condition to a clause.
func on(condition string) string {
	switch {
	case condition == "":
		return ""
	case strings.HasPrefix(condition, "unless "):
		return " " + match.Cut(condition)
	}
	return " when " + match.Cut(condition)
}

func (b *function) pointAt(offset, line int, e verdict.Effect, how string) {
	b.report.Points = append(b.report.Points, Point{File: b.File, Line: line, Function: b.name, Effect: e, How: how, Exit: e == verdict.Declines, Offset: offset})
}

// addedList looks at statements that are new.
func (b walk) addedList(list []ast.Stmt, at place) (work bool) {
	at.kept = b.stored(list)
	for i, s := range list {
		p := at
		p.last = at.last && i == len(list)-1
		switch {
		case b.leaves(s, list[:i], p):
		case b.added(s, p):
			work = true
		}
	}
	return work
}

// added looks at a statement that is new, and reports whether it does work.
func (b walk) added(s ast.Stmt, at place) (work bool) {
	b.keeps(s)
	if b.leaves(s, nil, at) {
		return false
	}
	switch s := s.(type) {
	case *ast.IfStmt:
		return b.addedIf(s, at)
	case *ast.BlockStmt:
		return b.addedList(s.List, at)
	case *ast.LabeledStmt:
		return b.added(s.Stmt, at)
	case *ast.ForStmt, *ast.RangeStmt:
		at.loop = true
		b.addedList(syntax.List(s), at)
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		for _, c := range syntax.List(s) {
			inner := clausePlace(b.after, s, c)
			inner.loop, inner.last = true, at.last
			b.addedList(syntax.ClauseBody(c), inner)
		}
	case *ast.DeferStmt:
		b.deferred(s)
	case *ast.AssignStmt:
		if match.Blank(s) {
			return false
		}
		b.assigned(s, at)
		if e := b.madeUp(nil, s); e != nil && calledBy(b.after, s.Rhs[0]) == "append" {
			b.pointAt(b.after.offset(s.Pos()), b.after.line(s), verdict.Skips, "adds "+match.Cut(b.after.code(e))+", where all others have values")
		}
		b.helperLiterals(s)
	case *ast.ExprStmt:
		if prints(b.after, s) {
			return false
		}
	}
	b.work = true
	return true
}

// addedIf looks at the branches of a new if.
func (b walk) addedIf(s *ast.IfStmt, at place) bool {
	inner := place{when: b.after.code(s.Cond), cond: s.Cond, last: at.last, loop: at.loop, comm: at.comm || b.closedReceive(s), other: at.other}
	if b.plainNil(s) {
		return false
	}
	work := b.addedList(s.Body.List, inner)
	if s.Else == nil && aboutError(s.Cond) && !slices.ContainsFunc(s.Body.List, b.after.doesSomething) {
		b.pointAt(b.after.offset(s.Body.Lbrace)+1, b.after.line(s), verdict.Skips, "continues despite the error"+on(inner.when))
	}
	if b.all(s, at) {
		b.branch(nil, place{when: "unless " + inner.when}, "all of "+b.fn.Name.Name, b.after.offset(s.Body.Rbrace)+1, ElseBranch)
	}
	switch other := s.Else.(type) {
	case *ast.BlockStmt:
		inner.when = "unless " + inner.when
		work = b.addedList(other.List, inner) || work
	case *ast.IfStmt:
		work = b.addedIf(other, place{last: at.last, loop: at.loop, comm: at.comm}) || work
	}
	return work
}

// closedReceive recognizes the end of a channel, "v, ok := <-ch" and "!ok": what
// is left out there is nothing.
func (b *function) closedReceive(s *ast.IfStmt) bool {
	var last ast.Expr // what the flag was given before
	ast.Inspect(b.fn, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if ok && len(a.Lhs) == 2 && len(a.Rhs) == 1 && a.Pos() < s.Cond.Pos() && b.after.code(s.Cond) == "!"+b.after.code(a.Lhs[1]) {
			last = a.Rhs[0]
		}
		return true
	})
	u, ok := last.(*ast.UnaryExpr)
	return ok && u.Op == token.ARROW
}

// keeps notes what a statement asks and works out that was added, or changed.
func (b *function) keeps(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.RangeStmt:
		b.values[match.FormOf(&ast.UnaryExpr{Op: token.ARROW, X: s.X})] = true
		return
	case *ast.IfStmt:
		for e := range ast.Preorder(s.Cond) {
			b.heads[match.FormOf(e)] = true
		}
		if s.Init != nil {
			b.keeps(s.Init)
		}
		return
	case *ast.SelectStmt:
		for _, c := range s.Body.List {
			if comm := c.(*ast.CommClause).Comm; comm != nil {
				b.keeps(comm)
			}
		}
		return
	case *ast.ForStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.BlockStmt:
		return
	case *ast.ExprStmt:
		if prints(b.after, s) {
			return
		}
	}
	maps.Copy(b.values, match.Expressions(s))
}

// stored are the variables whose values are stored in a field or an element in
// the list: what such a variable was given is not lost with the call.
func (b *function) stored(list []ast.Stmt) map[match.Form]bool {
	found := map[match.Form]bool{}
	for _, s := range list {
		if a, ok := s.(*ast.AssignStmt); ok && a.Tok == token.ASSIGN && len(a.Lhs) == 1 && len(a.Rhs) == 1 {
			if _, local := a.Lhs[0].(*ast.Ident); !local {
				found[match.FormOf(a.Rhs[0])] = true
			}
		}
	}
	return found
}
