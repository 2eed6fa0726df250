package effect

import (
	"go/ast"
	"slices"

	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
)

// passes has a run come to where the stopped program was at a line whose statement is
// changed, or holds others: to its new version, or else to what was around it. A program
// that is kept from getting there, as by being given nothing to read, has not done the
// work in another way.
func (f *fileComparison) passes(line int) {
	fn := f.before.At(line)
	if fn == nil {
		return
	}
	m := Move{Stays: true, changed: true}
	for _, was := range slices.Backward(f.before.outside(line)) {
		if m.Text == "" {
			m.Text = "the place of " + match.Cut(f.before.head(was))
		}
		now := f.Now[was]
		if now == nil || !slices.Contains(match.Listed(f.after.ast), now) || f.after.around(now)[0] != f.before.NameOf(fn) {
			continue
		}
		if f.regrouped(was) {
			return
		}
		at := now.Pos()
		if f.before.line(was) != line && syntax.Body(now) != nil { // the statement was in it
			at = syntax.Body(now).Lbrace + 1
		}
		m.places = append([]movedTo{{f.File, f.after.offset(at), false}}, f.instead(now)...)
		break
	}
	if to := f.after.functions()[f.before.NameOf(fn)]; m.places == nil && to != nil && to.Body != nil {
		m.places = []movedTo{{f.File, f.after.offset(to.Body.Lbrace) + 1, false}}
	}
	if m.places != nil && m.Text != "" {
		f.report.Moves = append(f.report.Moves, m)
	}
}

// outside are the innermost statement at a line and the loops around it, from the
// outside in. What is left out by a condition, points tell.
func (s source) outside(line int) (list []ast.Stmt) {
	all := match.Listed(s.ast)
	for i, stmt := range all {
		if s.line(stmt) > line || line > s.Line(stmt.End()) {
			continue
		}
		inner := !slices.ContainsFunc(all[i+1:], func(o ast.Stmt) bool { return s.line(o) <= line && line <= s.Line(o.End()) })
		switch stmt.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			list = append(list, stmt)
		case *ast.CaseClause, *ast.CommClause:
		default:
			if inner {
				list = append(list, stmt)
			}
		}
	}
	return list
}

// head is a statement without what it holds.
func (s source) head(stmt ast.Stmt) string {
	end := stmt.End()
	switch stmt := stmt.(type) {
	case *ast.IfStmt:
		end = stmt.Body.Lbrace
	default:
		if body := syntax.Body(stmt); body != nil {
			end = body.Lbrace
		}
	}
	return s.Between(stmt.Pos(), end)
}
