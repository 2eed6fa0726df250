package effect

import (
	"go/ast"
	"go/token"
	"reflect"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/verdict"
)

// bodyComparison compares the statements of a function's body, as they were and
// as they are.
type bodyComparison struct{ *function }

// function is a changed or new function as it is now: what its leaves, results
// and calls say.
type function struct {
	*fileComparison
	name string
	fn   *ast.FuncDecl // the declaration around it, as it is now
	typ  *ast.FuncType
	body *ast.BlockStmt // of a helper
}

// place is where a list of statements stands.
type place struct {
	when string // the condition under which it is reached, if an added one; "x == nil"
	last bool   // nothing of the function comes after it
	comm bool   // it is what a receive leads to: a closed channel, a select
	loop bool   // in an added loop or switch, which a break leaves
	// other: it is one of several kinds of values, and to return something for it
	// is work.
	other bool
	until string          // the condition of the added loop around it
	kept  map[string]bool // variables whose values are stored next to it
}

// lists compares two lists of statements: what is equal in both are anchors,
// and what is between two anchors is compared there.
func (b *bodyComparison) lists(old, now []ast.Stmt, at place) {
	for _, g := range gaps(texts(b.before, old), texts(b.after, now)) {
		b.gap(old[g.a0:g.a1], now[g.b0:g.b1], place{when: at.when, comm: at.comm, loop: at.loop, last: at.last && g.b1 == len(now)})
	}
}

func texts(s source, list []ast.Stmt) []string {
	texts := make([]string, len(list))
	for i, stmt := range list {
		texts[i] = s.code(stmt)
	}
	return texts
}

// gap compares what was there with what came in its place.
func (b *bodyComparison) gap(old, now []ast.Stmt, at place) {
	left := append([]ast.Stmt(nil), old...)
	work := false
	var fresh []ast.Stmt
	for _, s := range now {
		if around := b.wraps(s, left); len(around) > 0 {
			b.wrapped(s, around, at)
			left = without(left, around)
			continue
		}
		fresh = append(fresh, s)
	}
	pairs := map[ast.Stmt]ast.Stmt{}
	for _, s := range fresh {
		if j := b.counterpart(s, left); j >= 0 {
			pairs[s] = left[j]
			left = append(left[:j:j], left[j+1:]...)
		}
	}
	for i, s := range fresh {
		p := at
		p.last = at.last && i == len(fresh)-1
		if o := pairs[s]; o != nil {
			b.modified(o, s, p)
			left = b.movedInside(o, s, left, p)
			b.uses(s)
			work = work || !bare(s)
			continue
		}
		if part, o := b.conditional(s, old, left, fresh); part != nil {
			b.wrappedIf(s.(*ast.IfStmt), map[string]bool{b.after.code(part): true}, cut(b.before.code(o)), p)
			left = without(left, []ast.Stmt{o})
			work = true
			continue
		}
		p.other = b.asks(s, old)
		if b.leaves(s, fresh[:i], p) {
			b.moved[b.after.code(s)]++
			continue
		}
		if b.added(s, p) {
			work = true
			if len(left) > 0 {
				b.uses(s)
			}
		}
	}
	work = work || b.refuses(fresh)
	for _, s := range left {
		if b.effectless(s) {
			continue
		}
		b.removed = append(b.removed, b.gone(s, work))
	}
}

// counterpart finds the statement that s is another version of; -1 without one.
func (b *bodyComparison) counterpart(s ast.Stmt, old []ast.Stmt) int {
	for pass := range 2 {
		for i, o := range old {
			if alike(b.before, o, b.after, s, pass == 0) {
				return i
			}
		}
	}
	return -1
}

// alike reports whether two statements may be versions of one: of the same kind,
// and strictly, with the same head: the variables assigned, the function called,
// the condition.
func alike(before source, old ast.Stmt, after source, now ast.Stmt, strictly bool) bool {
	switch now := now.(type) {
	case *ast.AssignStmt:
		o, ok := old.(*ast.AssignStmt)
		if !ok || blank(o) != blank(now) {
			return false
		}
		return !strictly || names(before, o.Lhs) == names(after, now.Lhs) || after.code(now.Lhs[0]) == before.code(o.Lhs[0])
	case *ast.ExprStmt:
		o, ok := old.(*ast.ExprStmt)
		if !ok || isPanic(o) != isPanic(now) {
			return false
		}
		return called(before, o) == called(after, now)
	case *ast.IfStmt:
		o, ok := old.(*ast.IfStmt)
		return ok && (!strictly || related(before.code(o.Cond), after.code(now.Cond)) || before.code(o.Body) == after.code(now.Body)) && (strictly || sharesWork(before, o.Body, after, now.Body))
	case *ast.ForStmt, *ast.RangeStmt:
		return isLoop(old)
	case *ast.SwitchStmt, *ast.TypeSwitchStmt:
		return isSwitch(old)
	case *ast.DeferStmt:
		o, ok := old.(*ast.DeferStmt)
		return ok && (before.code(o.Call.Fun) == after.code(now.Call.Fun) || !strictly && sharesCode(before, o, after, now))
	case *ast.EmptyStmt, *ast.BranchStmt:
		return false
	}
	return reflect.TypeOf(old) == reflect.TypeOf(now)
}

func names(s source, list []ast.Expr) string {
	var text []string
	for _, e := range list {
		text = append(text, s.code(e))
	}
	return strings.Join(text, ", ")
}

func called(s source, e *ast.ExprStmt) string {
	switch x := e.X.(type) {
	case *ast.CallExpr:
		return s.code(x.Fun)
	case *ast.UnaryExpr:
		return x.Op.String()
	}
	return ""
}

func isPanic(e *ast.ExprStmt) bool {
	call, ok := e.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	id, ok := call.Fun.(*ast.Ident)
	return ok && id.Name == "panic"
}

func isLoop(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		return true
	}
	return false
}

func isSwitch(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.SwitchStmt, *ast.TypeSwitchStmt:
		return true
	}
	return false
}

// related reports whether one condition is a part of the other, or both compare
// the same value: a condition that was made wider or narrower.
func related(a, b string) bool {
	if strings.Contains(a, b) || strings.Contains(b, a) {
		return true
	}
	for _, op := range []string{" <= ", " < ", " >= ", " > ", " == ", " != "} {
		if x, _, ok := strings.Cut(a, op); ok && strings.HasPrefix(b, x+" ") {
			return true
		}
	}
	return false
}

// sharesWork reports whether two blocks have a statement in common.
func sharesWork(before source, a *ast.BlockStmt, after source, b *ast.BlockStmt) bool {
	there := map[string]bool{}
	for _, s := range a.List {
		there[before.code(s)] = true
	}
	for _, s := range b.List {
		if there[after.code(s)] {
			return true
		}
	}
	return false
}

// sharesCode reports whether two deferred function literals have a statement in
// common, or both recover.
func sharesCode(before source, old *ast.DeferStmt, after source, now *ast.DeferStmt) bool {
	a, ok := old.Call.Fun.(*ast.FuncLit)
	b, still := now.Call.Fun.(*ast.FuncLit)
	return ok && still && (sharesWork(before, a.Body, after, b.Body) || recovers(a.Body) && recovers(b.Body))
}

// modified compares two versions of one statement.
func (b *bodyComparison) modified(old, now ast.Stmt, at place) {
	if b.before.code(old) == b.after.code(now) {
		return
	}
	inner := place{comm: at.comm}
	switch now := now.(type) {
	case *ast.IfStmt:
		o := old.(*ast.IfStmt)
		inner.when = b.after.code(now.Cond)
		b.narrowed(o, now)
		b.lists(o.Body.List, now.Body.List, inner)
		b.elses(o.Else, now.Else, now, at)
	case *ast.ForStmt, *ast.RangeStmt:
		inner.loop = conditionMoved(old, now)
		b.shortenedLoop(old, now)
		b.keeps(now)
		b.lists(blockOf(old), blockOf(now), inner)
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		b.clauses(blockOf(old), blockOf(now), at)
	case *ast.BlockStmt:
		b.lists(old.(*ast.BlockStmt).List, now.List, at)
	case *ast.LabeledStmt:
		b.lists([]ast.Stmt{old.(*ast.LabeledStmt).Stmt}, []ast.Stmt{now.Stmt}, at)
	case *ast.DeferStmt:
		if !recovers(old) {
			b.deferred(now)
		}
		b.expressions(old, now)
	case *ast.ReturnStmt:
		if o := old.(*ast.ReturnStmt); len(now.Results) > 0 && (constants(now) && !constants(o) || allZero(now) && !allZero(o)) && !b.typedNil(o, now) {
			how := "returns zero values"
			if !allZero(now) {
				how = "returns " + cut(names(b.after, now.Results)) + " in any case"
			}
			b.point(now, at, verdict.Skips, how)
			return
		}
		b.expressions(old, now)
	default:
		b.expressions(old, now)
	}
	b.literals(old, now)
}

// elses compares what an if does otherwise.
func (b *bodyComparison) elses(old, now ast.Stmt, of *ast.IfStmt, at place) {
	switch {
	case now == nil && old != nil && !b.merged(old, of):
		b.gap([]ast.Stmt{old}, nil, at)
	case now != nil && old == nil:
		b.added(now, place{when: "unless " + b.after.code(of.Cond)})
	case now != nil:
		b.gap([]ast.Stmt{old}, []ast.Stmt{now}, place{})
	}
}

// merged reports whether an else that is gone only asked for what the condition of
// its if asks for now, too, and gave values to the same variables: "if a { x = 1 }
// else if b { x = 2 }" became "if a || b { x = 1 }".
func (b *bodyComparison) merged(old ast.Stmt, now *ast.IfStmt) bool {
	if block, ok := old.(*ast.BlockStmt); ok && len(block.List) == 1 {
		old = block.List[0]
	}
	o, ok := old.(*ast.IfStmt)
	if !ok || o.Else != nil || !slices.ContainsFunc(disjuncts(now.Cond), func(e ast.Expr) bool { return b.after.code(e) == b.before.code(o.Cond) }) {
		return false
	}
	sets := assignedIn(b.after, now.Body.List)
	return !slices.ContainsFunc(o.Body.List, func(s ast.Stmt) bool {
		switch s := s.(type) {
		case *ast.DeclStmt:
			return false
		case *ast.AssignStmt:
			return s.Tok != token.DEFINE && slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { return !sets[b.before.code(e)] })
		}
		return true
	})
}

// assignedIn are the variables that statements give values to.
func assignedIn(s source, list []ast.Stmt) map[string]bool {
	found := map[string]bool{}
	for _, stmt := range list {
		if a, ok := stmt.(*ast.AssignStmt); ok && a.Tok != token.DEFINE {
			for _, e := range a.Lhs {
				found[s.code(e)] = true
			}
		}
	}
	return found
}

// disjuncts are the parts of a condition of which one has to hold.
func disjuncts(e ast.Expr) []ast.Expr {
	e = ast.Unparen(e)
	if or, ok := e.(*ast.BinaryExpr); ok && or.Op == token.LOR {
		return append(disjuncts(or.X), disjuncts(or.Y)...)
	}
	return []ast.Expr{e}
}

// blockOf returns the statements of a loop, a switch or a select.
func blockOf(s ast.Stmt) []ast.Stmt {
	switch s := s.(type) {
	case *ast.ForStmt:
		return s.Body.List
	case *ast.RangeStmt:
		return s.Body.List
	case *ast.SwitchStmt:
		return s.Body.List
	case *ast.TypeSwitchStmt:
		return s.Body.List
	case *ast.SelectStmt:
		return s.Body.List
	case *ast.BlockStmt:
		return s.List
	}
	return nil
}

// literals compares the function literals of two versions of a statement, where
// there are as many.
func (b *bodyComparison) literals(old, now ast.Stmt) {
	switch now.(type) {
	case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.BlockStmt, *ast.LabeledStmt:
		return // their statements were compared one by one
	}
	a, c := outerLiterals(old), outerLiterals(now)
	if len(a) != len(c) {
		if len(a) == 0 {
			b.helperLiterals(now)
		}
		return
	}
	for i := range a {
		inner := &bodyComparison{&function{fileComparison: b.fileComparison, name: b.name, fn: b.fn, typ: c[i].Type}}
		inner.lists(a[i].Body.List, c[i].Body.List, place{last: true})
	}
}

func outerLiterals(n ast.Node) []*ast.FuncLit {
	var list []*ast.FuncLit
	ast.Inspect(n, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			list = append(list, lit)
			return false
		}
		return true
	})
	return list
}

func without(list, gone []ast.Stmt) []ast.Stmt {
	var left []ast.Stmt
	for _, s := range list {
		keep := true
		for _, g := range gone {
			keep = keep && s != g
		}
		if keep {
			left = append(left, s)
		}
	}
	return left
}

// effectless reports whether a statement only prints, or jumps: its loss loses no
// work.
func (b *bodyComparison) effectless(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.BranchStmt, *ast.EmptyStmt:
		return true
	case *ast.ReturnStmt:
		return true
	case *ast.ExprStmt:
		return prints(b.before, s)
	case *ast.DeclStmt:
		g, ok := s.Decl.(*ast.GenDecl)
		return ok && g.Tok != token.VAR || ok && plainVar(g)
	}
	return false
}

func plainVar(g *ast.GenDecl) bool {
	for _, spec := range g.Specs {
		if v, ok := spec.(*ast.ValueSpec); ok && len(v.Values) > 0 {
			return false
		}
	}
	return true
}
