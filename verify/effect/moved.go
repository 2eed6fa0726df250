package effect

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// Move is a statement that the stopped program was at, and that the edit has in
// other places only: in another function, a literal or a loop that were not
// around it before. Whether it still runs, a marked run tells.
//
// One that stands where it did is among them too if its change says that it has to
// run there.
type Move struct {
	Text   string
	Stays  bool
	places []movedTo // also of branches that do something in its place
}

// movedTo is where a mark goes for it.
type movedTo struct {
	file string
	mark int // byte offset in the new text
	past bool
}

// standing is a statement of a list, and what is around it.
type standing struct {
	stmt   ast.Stmt
	around []string // the function, then literals, loops and the like
}

// moves looks for the statements at the changes' lines.
func (c *comparison) moves(files []*fileComparison) {
	for _, f := range files {
		for i, line := range append([]int{f.Line}, f.Callers...) {
			was, ok := f.before.standingAt(line)
			if !ok || len(c.report.Moves) == maxMoves {
				continue
			}
			m := Move{Text: cut(f.before.code(was.stmt))}
			stay := f.places(&m, was, files, i == 0)
			if len(stay) > 0 {
				m.Stays, m.places = true, stay
			}
			if len(m.places) > 0 && (!m.Stays || i == 0 && f.Runs && !f.regrouped(was.stmt)) {
				c.report.Moves = append(c.report.Moves, m)
			}
		}
	}
}

// places finds where a statement is now, and returns the places where it stands as it
// did, with the branches that do something instead. failed tells that it is the one
// that failed.
func (f *fileComparison) places(m *Move, was standing, files []*fileComparison, failed bool) (stay []movedTo) {
	for _, g := range files {
		for _, now := range g.after.standings() {
			if g.after.code(now.stmt) != f.before.code(was.stmt) {
				continue
			}
			past := failed && comesBack(now.stmt)
			at := g.after.offset(now.stmt.Pos())
			if past {
				at = g.after.offset(now.stmt.End())
			}
			m.places = append(m.places, movedTo{g.File, at, past})
			if g != f || !within(now.around, was.around) {
				continue
			}
			stay = append(stay, movedTo{g.File, at, past})
			for _, at := range g.after.instead(now.stmt, f.before) {
				stay = append(stay, movedTo{g.File, at, false})
			}
		}
	}
	return stay
}

// regrouped reports whether an if around a statement of the old text asks the same in
// the new one, with its parts grouped in another way: "a && b || c" became "a && (b ||
// c)". Its author has meant the condition to hold for other values.
func (f *fileComparison) regrouped(stmt ast.Stmt) bool {
	now := map[string]string{} // by the text without parentheses
	for n := range ast.Preorder(f.after.ast) {
		if g, ok := n.(*ast.IfStmt); ok {
			now[ungrouped(f.after.code(g.Cond))] = f.after.code(g.Cond)
		}
	}
	for n := range ast.Preorder(f.before.ast) {
		g, ok := n.(*ast.IfStmt)
		if !ok || g.Body.Pos() > stmt.Pos() || stmt.End() > g.Body.End() {
			continue
		}
		cond := f.before.code(g.Cond)
		if is := now[ungrouped(cond)]; is != "" && is != cond && slices.ContainsFunc(disjuncts(g.Cond), func(e ast.Expr) bool { return len(conjuncts(e)) > 1 }) {
			return true
		}
	}
	return false
}

func ungrouped(cond string) string { return strings.NewReplacer("(", "", ")", "").Replace(cond) }

// within reports whether all that is around a statement now was so before.
func within(now, before []string) bool {
	if now[0] != before[0] {
		return false
	}
	for _, what := range before[1:] {
		if now = now[1:]; len(now) == 0 {
			return true
		} else if now[0] != what {
			now = append([]string{""}, now...) // that is gone
		}
	}
	return len(now) == 1
}

// standingAt is the innermost simple statement at a line; false where that is
// the head of another, or a panic.
func (s source) standingAt(line int) (found standing, ok bool) {
	for _, st := range s.standings() {
		if line > 0 && s.line(st.stmt) <= line && line <= s.fset.PositionFor(st.stmt.End(), false).Line {
			found, ok = st, true
		}
	}
	switch stmt := found.stmt.(type) {
	case *ast.ExprStmt:
		return found, !isPanic(stmt)
	case *ast.AssignStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.ReturnStmt:
		return found, ok
	}
	return found, false
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

// standings are the statements of all lists, outer ones first.
func (s source) standings() []standing {
	var found []standing
	for _, d := range s.ast.Decls {
		name := ""
		if fn, ok := d.(*ast.FuncDecl); ok {
			name = functionName(fn, s)
		}
		var around []ast.Node
		ast.Inspect(d, func(n ast.Node) bool {
			if n == nil {
				around = around[:len(around)-1]
				return true
			}
			around = append(around, n)
			for _, stmt := range listOf(n) {
				found = append(found, standing{stmt, append([]string{name}, kinds(around)...)})
			}
			return true
		})
	}
	return found
}

// listOf returns the statements that a node holds as a list.
func listOf(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// kinds are what decides when, and how often, the code within runs. Conditions
// are left to points.
func kinds(nodes []ast.Node) (list []string) {
	for _, n := range nodes {
		switch n.(type) {
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt, *ast.GoStmt, *ast.DeferStmt:
			list = append(list, fmt.Sprintf("%T", n))
		}
	}
	return list
}

// markMoves marks where a file's moved statements run.
func markMoves(r Report, file string, marks map[int]string) {
	for i, m := range r.Moves {
		call := fmt.Sprintf("pausetuiMark(%d, false)", Moved-FirstCount+i)
		for _, to := range m.places {
			switch {
			case to.file != file:
			case to.past:
				marks[to.mark] = "; " + call + marks[to.mark]
			default:
				marks[to.mark] += call + "; "
			}
		}
	}
}

// Unrun says which of the moved statements did not run, or of those that stay
// where they were; empty without one.
func (m Marked) Unrun(r Reached, stays bool) string {
	var left []string
	for i, move := range m.Moves {
		if i < len(r.Moved) && r.Moved[i] == 0 && move.Stays == stays {
			left = append(left, move.Text)
		}
	}
	return strings.Join(left, "; ")
}
