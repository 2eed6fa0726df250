package effect

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/verdict"
)

// point notes a place before a statement.
func (b *function) point(s ast.Stmt, at place, e verdict.Effect, how string) {
	b.pointAt(b.after.offset(s.Pos()), b.after.line(s), e, how+on(at.when))
	p := &b.report.Points[len(b.report.Points)-1]
	p.when, p.exit = at.when, b.after.code(s)
}

// on joins a condition to a clause.
func on(condition string) string {
	switch {
	case condition == "":
		return ""
	case strings.HasPrefix(condition, "unless "):
		return " " + cut(condition)
	}
	return " when " + cut(condition)
}

func (b *function) pointAt(offset, line int, e verdict.Effect, how string) {
	b.report.Points = append(b.report.Points, Point{File: b.File, Line: line, Function: b.name, Effect: e, How: how, Exit: e == verdict.Declines, at: offset})
}

// addedList looks at statements that are new.
func (b *bodyComparison) addedList(list []ast.Stmt, at place) (work bool) {
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
func (b *bodyComparison) added(s ast.Stmt, at place) (work bool) {
	b.moved[b.after.code(s)]++
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
		if loop, ok := s.(*ast.ForStmt); ok && loop.Cond != nil {
			at.until = b.after.code(loop.Cond)
		}
		b.addedList(blockOf(s), at)
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		for _, c := range blockOf(s) {
			inner := clausePlace(c, clauseHead(b.after, c))
			inner.loop, inner.last = true, at.last
			b.addedList(clauseBody(c), inner)
		}
	case *ast.DeferStmt:
		b.deferred(s)
	case *ast.AssignStmt:
		if blank(s) {
			return false
		}
		b.assigned(s, at)
		b.grown(s, at)
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
func (b *bodyComparison) addedIf(s *ast.IfStmt, at place) bool {
	inner := place{when: b.after.code(s.Cond), last: at.last, loop: at.loop, comm: at.comm || b.closedReceive(s), other: at.other}
	from := len(b.report.Points)
	b.heads[b.after.code(s.Cond)] = true
	work := b.addedList(s.Body.List, inner)
	if s.Else == nil && aboutError(s.Cond) && !slices.ContainsFunc(s.Body.List, b.doesSomething) {
		b.pointAt(b.after.offset(s.Body.Lbrace)+1, b.after.line(s), verdict.Skips, "continues despite the error"+on(inner.when))
	}
	for i := from; i < len(b.report.Points); i++ {
		if p := &b.report.Points[i]; p.shape == "" {
			p.shape = b.after.shape(b.fn, s)
		}
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

// wraps returns the old statements that are in a branch of a new one.
func (b *bodyComparison) wraps(s ast.Stmt, old []ast.Stmt) []ast.Stmt {
	switch s := s.(type) {
	case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.BlockStmt:
	case *ast.ExprStmt, *ast.DeferStmt, *ast.GoStmt:
		if len(outerLiterals(s)) == 0 {
			return nil
		}
	default:
		return nil
	}
	for _, o := range old { // one that is there in both is no wrapping
		if b.before.code(o) == b.after.code(s) {
			return nil
		}
	}
	inside := map[string]bool{}
	ast.Inspect(s, func(n ast.Node) bool {
		if stmt, ok := n.(ast.Stmt); ok && n != ast.Node(s) {
			inside[b.after.code(stmt)] = true
		}
		return true
	})
	var found []ast.Stmt
	for _, o := range old {
		if _, leaves := o.(*ast.ReturnStmt); inside[b.before.code(o)] && !(leaves && len(o.(*ast.ReturnStmt).Results) == 0) {
			found = append(found, o)
		}
	}
	if _, ok := s.(*ast.IfStmt); ok && len(found) == 1 && b.counterpart(s, old) >= 0 && isIf(old, b.counterpart(s, old)) {
		return nil // another version of an if that was there
	}
	return found
}

func isIf(list []ast.Stmt, i int) bool {
	_, ok := list[i].(*ast.IfStmt)
	return ok
}

// wrapped looks at a statement around old ones: a branch in which they are not,
// and nothing else is done, leaves them out.
func (b *bodyComparison) wrapped(s ast.Stmt, kept []ast.Stmt, at place) {
	texts := map[string]bool{}
	for _, o := range kept {
		texts[b.before.code(o)] = true
	}
	what := cut(b.before.code(kept[0]))
	b.keeps(s)
	switch s := s.(type) {
	case *ast.IfStmt:
		b.wrappedIf(s, texts, what, at)
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		for _, c := range blockOf(s) {
			inner := clausePlace(c, clauseHead(b.after, c))
			inner.loop, inner.last = true, at.last
			if comm, ok := c.(*ast.CommClause); !ok || comm.Comm == nil || !texts[b.after.code(comm.Comm)] {
				b.branch(clauseBody(c), texts, inner, what, b.colon(c), "")
			}
		}
		b.noClause(s, what)
	case *ast.BlockStmt:
		b.branch(s.List, texts, at, what, 0, "")
	default:
		b.wrappedCall(s, texts, what)
	}
}

func (b *bodyComparison) wrappedIf(s *ast.IfStmt, texts map[string]bool, what string, at place) {
	when := b.after.code(s.Cond)
	inner := place{when: when, last: at.last, loop: at.loop, comm: at.comm}
	b.branch(s.Body.List, texts, inner, what, b.after.offset(s.Body.Lbrace)+1, "")
	inner.when = "unless " + when
	switch other := s.Else.(type) {
	case nil:
		if b.holdsAny(s.Body.List, texts) && !b.plainNilElse(s) {
			from := len(b.report.Points)
			b.branch(nil, texts, inner, what, b.after.offset(s.Body.Rbrace)+1, elseBranch)
			for i := from; i < len(b.report.Points); i++ {
				b.report.Points[i].question = b.after.question(s)
			}
		}
	case *ast.BlockStmt:
		b.branch(other.List, texts, inner, what, b.after.offset(other.Lbrace)+1, "")
	case *ast.IfStmt:
		b.wrappedIf(other, texts, what, at)
	}
}

// branch looks at one branch: its new statements are looked at as such, and
// one that does nothing leaves the old ones out. The mark goes to the offset, in
// a branch of its own where there is none.
func (b *bodyComparison) branch(list []ast.Stmt, texts map[string]bool, at place, what string, offset int, branch string) {
	if b.holdsAny(list, texts) {
		for i, s := range list {
			if !texts[b.after.code(s)] && !b.leaves(s, list[:i], at) {
				b.added(s, at)
			}
		}
		return
	}
	before := len(b.report.Points)
	work := b.addedList(list, at)
	if work || len(b.report.Points) > before || at.comm && len(list) > 0 {
		return
	}
	line := b.after.fset.Position(b.after.ast.FileStart + token.Pos(offset)).Line
	b.report.Points = append(b.report.Points, Point{File: b.File, Line: line, Function: b.name, Effect: verdict.Skips,
		How: "leaves out " + what + on(at.when), at: offset, branch: branch, when: at.when})
}

// wrappedCall looks at old statements that moved into a function literal.
func (b *function) wrappedCall(s ast.Stmt, texts map[string]bool, what string) {
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
		return
	}
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Do" && b.report.Skips == "" {
		b.report.Skips = "runs " + what + " only the first time"
	}
	if b.recovers(call) && !b.tells(call) {
		b.report.Hides = "recovers from the panic"
	}
	for _, lit := range outerLiterals(call) {
		inner := &bodyComparison{&function{fileComparison: b.fileComparison, name: b.name, fn: b.fn, typ: lit.Type}}
		inner.branch(lit.Body.List, texts, place{}, what, b.after.offset(lit.Body.Lbrace)+1, "")
	}
}

func (b *function) holdsAny(list []ast.Stmt, texts map[string]bool) bool {
	for _, s := range list {
		found := false
		ast.Inspect(s, func(n ast.Node) bool {
			if stmt, ok := n.(ast.Stmt); ok && texts[b.after.code(stmt)] {
				found = true
			}
			return !found
		})
		if found {
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

// deferred looks at a new deferred call.
func (b *function) deferred(s *ast.DeferStmt) {
	switch {
	case !b.recovers(s.Call):
	case b.tells(s.Call):
		if b.report.Skips == "" {
			b.report.Skips = "recovers from the panic and makes an error of it"
		}
	default:
		b.report.Hides = "recovers from the panic"
	}
}
