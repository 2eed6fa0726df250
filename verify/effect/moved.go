package effect

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
)

// Move is a statement that the stopped program was at, and that the edit has in
// other places only: in another function, a literal or a loop that were not
// around it before. Whether it still runs, a marked run tells.
//
// One that stands where it did is among them too if its change says that it has to
// run there.
type Move struct {
	Text    string
	Stays   bool
	changed bool      // Text names a place, not a statement that is as it was
	places  []movedTo // also of branches that do something in its place
}

// movedTo is where a mark goes for it.
type movedTo struct {
	file string
	mark int // byte offset in the new text
	past bool
}

// moves looks for the statements at the changes' lines.
func (c *comparison) moves(files []*fileComparison) {
	for _, f := range files {
		for i, line := range append([]int{f.Line}, f.Callers...) {
			if line == 0 || len(c.report.Moves) >= maxMoves {
				continue
			}
			was, found := f.before.simpleAt(line), false
			if was != nil {
				found = f.move(was, files, i == 0)
			}
			if !found && f.Runs && f.Way {
				f.passes(line)
			}
		}
	}
}

// move finds where a statement is now; failed tells that it is the one that failed. It
// reports whether the statement is anywhere.
func (f *fileComparison) move(was ast.Stmt, files []*fileComparison, failed bool) (found bool) {
	m := Move{Text: match.Cut(f.before.code(was))}
	stays, like := false, match.FormOf(was)
	for _, g := range files {
		for _, now := range match.Listed(g.after.ast) {
			if match.FormOf(now) != like {
				continue
			}
			to := movedTo{g.File, g.after.offset(now.Pos()), failed && comesBack(now)}
			if to.past {
				to.mark = g.after.offset(now.End())
			}
			here := g == f && within(g.after.around(now), f.before.around(was))
			switch {
			case here && !stays:
				m.places, stays = nil, true // the others are copies
			case stays && !here:
				continue
			}
			m.places = append(m.places, to)
			if stays {
				m.places = append(m.places, g.instead(now)...)
			}
		}
	}
	if m.Stays = stays; len(m.places) > 0 && (!stays || f.Runs && (failed || f.Way) && !f.regrouped(was)) {
		f.report.Moves = append(f.report.Moves, m)
	}
	if stays {
		f.copies(was, files)
	}
	return len(m.places) > 0
}

// copies looks for a statement that stays and now stands in an added literal, too, such as
// that of a goroutine: it may do the work there that it does not do any more where it was.
func (f *fileComparison) copies(was ast.Stmt, files []*fileComparison) {
	literals := func(around []string) (n int) {
		for _, what := range around {
			if what == "*ast.FuncLit" {
				n++
			}
		}
		return n
	}
	there, like := literals(f.before.around(was)), match.FormOf(was)
	for _, g := range files {
		for _, now := range match.Listed(g.after.ast) {
			if match.FormOf(now) == like && g.Was[now] == nil && literals(g.after.around(now)) > there && len(f.report.Moves) < maxMoves {
				to := movedTo{g.File, g.after.offset(now.Pos()), false}
				f.report.Moves = append(f.report.Moves, Move{Text: match.Cut(f.before.code(was)), places: []movedTo{to}})
			}
		}
	}
}

// instead are the branches that do something in the place of a statement: those of added
// ifs and switches around it, and of added ifs before it that leave. What they are worth,
// points tell.
func (f *fileComparison) instead(stmt ast.Stmt) (to []movedTo) {
	for n := range ast.Preorder(f.after.declarationOf(stmt)) {
		s, ok := n.(ast.Stmt)
		if !ok || f.Was[s] != nil && match.HeadForm(f.Was[s]) == match.HeadForm(s) {
			continue
		}
		around := s.Pos() <= stmt.Pos() && stmt.End() <= s.End()
		for _, b := range branchesOf(s) {
			last := len(b) - 1
			switch {
			case last < 0, b[0].Pos() <= stmt.Pos() && stmt.End() <= b[last].End():
			case around && f.after.acts(b), s.End() <= stmt.Pos() && match.IsLeave(b[last]) && f.after.acts(b[:last]):
				to = append(to, movedTo{f.File, f.after.offset(b[0].Pos()), false})
			}
		}
	}
	return to
}

// declarationOf is the function that a statement is in.
func (s source) declarationOf(stmt ast.Stmt) ast.Node {
	i := slices.IndexFunc(s.ast.Decls, func(d ast.Decl) bool { return d.Pos() <= stmt.Pos() && stmt.End() <= d.End() })
	return s.ast.Decls[i]
}

// branchesOf are the statements that a condition may lead to.
func branchesOf(s ast.Stmt) (branches [][]ast.Stmt) {
	switch s := s.(type) {
	case *ast.IfStmt:
		return [][]ast.Stmt{s.Body.List, match.ElseList(s)}
	case *ast.SwitchStmt, *ast.TypeSwitchStmt:
		for _, c := range syntax.List(s) {
			branches = append(branches, syntax.ClauseBody(c))
		}
	}
	return branches
}

// acts reports whether statements do more than print or leave.
func (s source) acts(list []ast.Stmt) bool {
	return slices.ContainsFunc(list, func(stmt ast.Stmt) bool { return !match.IsLeave(stmt) && s.doesSomething(stmt) })
}

// regrouped reports whether an if around a statement of the old text asks the same in
// the new one, with its parts grouped in another way: "a && b || c" became "a && (b ||
// c)". Its author has meant the condition to hold for other values.
func (f *fileComparison) regrouped(stmt ast.Stmt) bool {
	for n := range ast.Preorder(f.before.ast) {
		g, ok := n.(*ast.IfStmt)
		if !ok || g.Body.Pos() > stmt.Pos() || stmt.End() > g.Body.End() {
			continue
		}
		now, ok := f.Now[g].(*ast.IfStmt)
		if ok && match.FormOf(now.Cond) != match.FormOf(g.Cond) && slices.Equal(asked(now.Cond), asked(g.Cond)) {
			return true
		}
	}
	return false
}

// asked are the comparisons that a condition is made of.
func asked(cond ast.Expr) (parts []match.Form) {
	if c, ok := ast.Unparen(cond).(*ast.BinaryExpr); ok && !match.IsComparison(c.Op) {
		return append(asked(c.X), asked(c.Y)...)
	}
	return []match.Form{match.FormOf(cond)}
}

// within reports whether all that is around a statement now was so before.
func within(now, before []string) bool {
	if now[0] != before[0] {
		return false
	}
	for _, what := range before[1:] {
		if len(now) > 1 && now[1] == what {
			now = now[1:]
		}
	}
	return len(now) == 1
}

// simpleAt is the innermost simple statement at a line; nil where that is the head of
// another, or a panic.
func (s source) simpleAt(line int) (found ast.Stmt) {
	for _, stmt := range match.Listed(s.ast) {
		if line > 0 && s.line(stmt) <= line && line <= s.Line(stmt.End()) {
			found = stmt
		}
	}
	switch stmt := found.(type) {
	case *ast.ExprStmt:
		if syntax.IsPanic(stmt) {
			return nil
		}
	case *ast.AssignStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.ReturnStmt:
	default:
		return nil
	}
	return found
}

// comesBack reports whether a mark after a statement says that it has done its
// work: one that waits for others may reach the mark too late to be seen.
func comesBack(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ReturnStmt, *ast.SendStmt:
		return false
	}
	waits := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			waits = waits || n.Op.String() == "<-"
		case *ast.SelectorExpr:
			waits = waits || slices.Contains([]string{"Lock", "RLock", "Wait"}, n.Sel.Name)
		}
		return true
	})
	return !waits
}

// around is what decides when, and how often, a statement runs: its function, then the
// literals, loops and the like around it. Conditions are left to points.
func (s source) around(stmt ast.Stmt) []string {
	d := s.declarationOf(stmt)
	list := []string{""}
	if fn, ok := d.(*ast.FuncDecl); ok {
		list[0] = s.NameOf(fn)
	}
	for n := range ast.Preorder(d) {
		if n.Pos() > stmt.Pos() || n.End() < stmt.End() || n == ast.Node(stmt) {
			continue
		}
		switch n.(type) {
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt, *ast.GoStmt, *ast.DeferStmt:
			list = append(list, fmt.Sprintf("%T", n))
		}
	}
	return list
}

// Unrun says which of the moved statements did not run, or of those that stay
// where they were; empty without one.
func (m Marked) Unrun(r Reached, stays bool) string {
	var left []string
	for i, move := range m.Moves {
		if i < len(r.Moved) && r.Moved[i] == 0 && move.Stays == stays {
			text := move.Text
			if stays && !move.changed {
				text += ", which is as it was"
			}
			left = append(left, text)
		}
	}
	return strings.Join(left, "; ")
}
