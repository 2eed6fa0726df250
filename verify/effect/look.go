package effect

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
)

// place is where a list of statements stands.
type place struct {
	when string   // the condition under which it is reached, if an added one; "x == nil"
	cond ast.Expr // the same; nil where it is more than an expression
	last bool     // nothing of the function comes after it
	comm bool     // it is what a receive leads to: a closed channel, a select
	loop bool     // in an added loop or switch, which a break leaves
	// other: it is one of several kinds of values, and to return something for it
	// is work.
	other bool
	row   bool                // all other clauses of its switch return a constant
	kept  map[match.Form]bool // variables whose values are stored next to it
	done  bool                // nothing that the old iteration did comes after it
	after bool                // old work precedes it in its block
}

// walk goes through the statements of a function as it is now, and notes points.
type walk struct{ *function }

// in is the walk through a function literal.
func (b walk) in(lit *ast.FuncLit) walk {
	inner := *b.function
	inner.typ = lit.Type
	return walk{&inner}
}

// look goes through a list of statements that has an old version.
func (b walk) look(list []ast.Stmt, at place) {
	for i, s := range list {
		p := at
		p.last = at.last && i == len(list)-1
		p.done = at.done && !slices.ContainsFunc(list[i+1:], b.works)
		switch old := b.Was[s]; {
		case old == nil:
			b.fresh(list, i, p)
		case match.FormOf(old) != match.FormOf(s):
			b.uses(s)
			b.modified(old, s, p)
		}
	}
}

// fresh looks at a statement of a list that was added there.
func (b walk) fresh(list []ast.Stmt, i int, at place) {
	s, from := list[i], i
	for from > 0 && b.Was[list[from-1]] == nil {
		from--
	}
	switch asked, ok := s.(*ast.IfStmt); {
	case ok && b.asksFirst(asked): // what it asks has function literals, whose statements are old
		for _, lit := range syntax.Literals(&ast.IfStmt{Init: asked.Init, Cond: asked.Cond, Body: &ast.BlockStmt{}}) {
			b.in(lit).look(lit.Body.List, place{last: true})
		}
	case b.holds(s):
		b.around(s, at)
		return
	}
	if what := b.takes(s, list); what != nil {
		b.aroundIf(s.(*ast.IfStmt), match.Cut(b.before.code(what)), at)
		return
	}
	at.other = b.asks(s)
	at.after = slices.ContainsFunc(list[:i], func(s ast.Stmt) bool { return b.Was[s] != nil && !b.effectless(b.Was[s]) })
	if b.leaves(s, list[from:i], at) {
		return
	}
	if b.added(s, at) && b.loses() {
		b.uses(s)
	}
}

// loses reports whether an old statement of the function is gone, or stands elsewhere now.
func (b *function) loses() bool {
	return slices.ContainsFunc(match.Statements(b.old.Body), func(s ast.Stmt) bool { return b.Now[s] == nil || b.Moved[b.Now[s]] })
}

// holds reports whether a statement of the old version is in a new one.
func (b *function) holds(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		s, ok := n.(ast.Stmt)
		if leave, is := s.(*ast.ReturnStmt); is && len(leave.Results) == 0 {
			return true
		}
		found = found || ok && b.Was[s] != nil
		return !found
	})
	return found
}

// asksFirst reports whether an if has old statements, and none of them in its branches.
func (b *function) asksFirst(s *ast.IfStmt) bool {
	return b.holds(s) && !b.holds(s.Body) && (s.Else == nil || !b.holds(s.Else))
}

// works reports whether a statement is, or holds, old work: more than a variable that is given
// a value without a call, and more than what is printed.
func (b *function) works(s ast.Stmt) bool {
	return slices.ContainsFunc(match.Statements(s), func(s ast.Stmt) bool {
		switch old := b.Was[s].(type) {
		case nil:
			return false
		case *ast.ReturnStmt, *ast.BranchStmt:
			return true
		default:
			name, value := match.Declared(old)
			return !b.effectless(old) && (name == nil || value != nil && match.Calls(value))
		}
	})
}

// takes finds the old statement that worked something out which only an added if without
// an else works out now. It returns nil where the if does no such thing.
func (b walk) takes(s ast.Stmt, list []ast.Stmt) ast.Stmt {
	g, ok := s.(*ast.IfStmt)
	if !ok || g.Else != nil || len(g.Body.List) == 0 || match.IsLeave(g.Body.List[len(g.Body.List)-1]) {
		return nil
	}
	for _, inner := range g.Body.List {
		a, ok := inner.(*ast.AssignStmt)
		if !ok || len(a.Rhs) != 1 {
			continue
		}
		switch a.Rhs[0].(type) {
		case *ast.IndexExpr, *ast.SelectorExpr, *ast.StarExpr, *ast.BinaryExpr:
		default:
			continue
		}
		value := match.FormOf(a.Rhs[0])
		for _, other := range list {
			if old := b.Was[other]; old != nil && other != s && match.Expressions(old)[value] && !match.Expressions(other)[value] {
				return old
			}
		}
	}
	return nil
}

// asks reports whether an added if asks, with "v, ok := …; ok", for what an old
// statement took for granted: its body does the old work.
func (b *function) asks(s ast.Stmt) bool {
	g, ok := s.(*ast.IfStmt)
	if !ok {
		return false
	}
	a, ok := g.Init.(*ast.AssignStmt)
	return ok && len(a.Lhs) == 2 && len(a.Rhs) == 1 && match.FormOf(g.Cond) == match.FormOf(a.Lhs[1]) && match.Expressions(b.old.Body)[match.FormOf(a.Rhs[0])]
}

// modified compares two versions of one statement.
func (b walk) modified(old, now ast.Stmt, at place) {
	b.keeps(now)
	inner := place{comm: at.comm, done: at.done}
	switch n := now.(type) {
	case *ast.IfStmt:
		o := old.(*ast.IfStmt)
		inner.when = b.after.code(n.Cond)
		b.narrowed(o, n)
		b.movedInside(o, n, at)
		b.look(n.Body.List, inner)
		b.elses(o.Else, n)
	case *ast.ForStmt, *ast.RangeStmt:
		inner.loop, inner.done = conditionMoved(old, now), true
		b.shortenedLoop(old, now)
		b.entered(old, now)
		b.look(syntax.List(now), inner)
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		b.clauses(old, now)
	case *ast.BlockStmt:
		b.look(n.List, at)
	case *ast.LabeledStmt:
		b.look([]ast.Stmt{n.Stmt}, at)
	case *ast.DeferStmt:
		if !match.Recovers(old) {
			b.deferred(n)
		}
		b.expressions(old, now)
		b.answersInPlace(old, now, "")
	case *ast.ReturnStmt:
		b.returns(old.(*ast.ReturnStmt), n, at)
	default:
		b.expressions(old, now)
		b.answersInPlace(old, now, "")
	}
	b.literals(old, now)
}

// returns compares two versions of a return.
func (b walk) returns(old, now *ast.ReturnStmt, at place) {
	if len(now.Results) == 0 || !(match.Constants(now) && !match.Constants(old) || match.AllZero(now) && !match.AllZero(old)) || b.typedNil(old, now) {
		b.expressions(old, now)
		b.returnsInPlace(old, now)
		return
	}
	how := "returns " + match.Cut(names(b.after, now.Results))
	if !match.AllZero(now) {
		how += " in any case"
	}
	b.point(now, at, verdict.Skips, how)
}

// elses compares what an if does otherwise.
func (b walk) elses(old ast.Stmt, now *ast.IfStmt) {
	switch {
	case now.Else == nil:
	case old == nil:
		b.added(now.Else, place{when: "unless " + b.after.code(now.Cond)})
	default:
		b.look(match.ElseList(now), place{})
	}
}

// literals looks at the function literals of a statement that has an old version.
func (b walk) literals(old, now ast.Stmt) {
	switch now.(type) {
	case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.BlockStmt, *ast.LabeledStmt:
		return // their statements were looked at one by one
	}
	had, has := syntax.Literals(old), syntax.Literals(now)
	switch {
	case len(had) == len(has):
		for _, lit := range has {
			b.in(lit).look(lit.Body.List, place{last: true})
		}
	case len(had) == 0:
		b.helperLiterals(now)
	}
}

// clauses looks at those of a switch or a select that has an old version.
func (b walk) clauses(old, s ast.Stmt) {
	var was []match.Form
	for _, c := range syntax.List(old) {
		was = append(was, match.FormOfHead(c))
	}
	for _, c := range syntax.List(s) {
		inner := clausePlace(b.after, s, c)
		if slices.Contains(was, match.FormOfHead(c)) {
			if comm, ok := c.(*ast.CommClause); ok && comm.Comm != nil && b.Was[comm.Comm] != nil && match.FormOf(b.Was[comm.Comm]) != match.FormOf(comm.Comm) {
				b.modified(b.Was[comm.Comm], comm.Comm, place{})
			}
			b.look(syntax.ClauseBody(c), inner)
		} else if b.narrowedClause(old, c) {
			b.look(syntax.ClauseBody(c), inner)
		} else {
			b.clause(c, inner)
		}
	}
}

// movedInside notes old statements that have moved into an if that was there before:
// without an else they are left out where it does not hold.
func (b walk) movedInside(old, now *ast.IfStmt, at place) {
	if now.Else != nil {
		return
	}
	for _, s := range now.Body.List {
		was := b.Was[s]
		if was == nil || !b.Moved[s] || old.Body.Pos() <= was.Pos() && was.End() <= old.Body.End() {
			continue
		}
		inner := place{when: "unless " + b.after.code(now.Cond), last: at.last, loop: at.loop, comm: at.comm}
		b.branch(nil, inner, match.Cut(b.before.code(was)), b.after.offset(now.Body.Rbrace)+1, ElseBranch)
		return
	}
}

// effectless reports whether a statement only prints, or jumps: its loss loses no
// work.
func (b *function) effectless(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.BranchStmt, *ast.EmptyStmt, *ast.ReturnStmt:
		return true
	case *ast.ExprStmt:
		return prints(b.before, s)
	case *ast.DeclStmt:
		g, ok := s.Decl.(*ast.GenDecl)
		return ok && (g.Tok != token.VAR || !slices.ContainsFunc(g.Specs, func(spec ast.Spec) bool {
			v, ok := spec.(*ast.ValueSpec)
			return ok && len(v.Values) > 0
		}))
	}
	return false
}
