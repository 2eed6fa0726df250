package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
)

// groupUses are the calls on one WaitGroup.
type groupUses struct {
	adds, dones, waits, gos []place
}

func (d *deadlock) groupUsesOf(p place, wg ast.Expr) groupUses {
	var u groupUses
	class := d.flowOf().class(p, wg)
	if class == nil {
		return u
	}
	d.each(func(q place) {
		ast.Inspect(q.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			for method, list := range map[string]*[]place{"Add": &u.adds, "Done": &u.dones, "Wait": &u.waits, "Go": &u.gos} {
				if e, _ := waitGroupCall(q, call, method); e != nil && d.flowOf().class(q, e) == class {
					*list = append(*list, q.of(call))
				}
			}
			return true
		})
	})
	return u
}

// groups looks at those who wait for a WaitGroup.
func (d *deadlock) groups() {
	for _, w := range d.of(waitGroup) {
		uses := d.groupUsesOf(w.place, w.on)
		d.waitsForItself(w, uses)
		d.waitBeforeReceive(w)
		if !d.countedAlive(w, uses) {
			d.groupByValue(w, uses)
			d.neverDone(w, uses)
			d.missedDone(w, uses)
			d.countOff(w, uses)
		}
	}
}

// countedAlive reports whether a goroutine that the group counts still lives.
func (d *deadlock) countedAlive(w waiter, uses groupUses) bool {
	for _, done := range uses.dones {
		for _, other := range d.waiters {
			if other.id != w.id && d.onStack(other, done.function()) {
				return true
			}
		}
	}
	for _, g := range uses.gos {
		for _, other := range d.waiters {
			if other.id == w.id {
				continue
			}
			if startedByGo(other) {
				return g.file != nil
			}
		}
	}
	return false
}

// onStack reports whether a function is being run by a waiter.
func (d *deadlock) onStack(w waiter, fn ast.Node) bool {
	for i := max(w.at, 0); i < len(w.frames); i++ {
		if !w.frames[i].User {
			continue
		}
		if home, ok := d.functionAt(w.frames[i]); ok && innermost(d.code, home, w.frames[i].Function, w.frames[i].Line) == fn {
			return true
		}
	}
	return false
}

// waitsForItself: a goroutine that the group counts waits for the group.
func (d *deadlock) waitsForItself(w waiter, uses groupUses) {
	fn := w.function()
	for _, done := range uses.dones {
		if done.function() != fn || done.statement() == nil {
			continue
		}
		d.say(w.node().Pos(), "%s never reaches zero: %s waits for it and is counted by it itself, until its Done (%s)",
			d.text(w.on), d.whereWaits(w), d.where(done.node().Pos()))
		ch := d.change().remove(done.statement())
		started, _ := d.runsIn(w.place, fn)
		if len(started) != 1 || !d.uncount(ch, started[0], uses) {
			continue
		}
		d.offer(idea{title: "do not count the goroutine that waits for the others", weight: origin, change: ch,
			why: fmt.Sprintf("The goroutine started at %s waits for %s; it is no longer counted by it.", d.where(started[0].node().Pos()), d.text(w.on))})
	}
	for _, g := range uses.gos {
		call := g.node().(*ast.CallExpr)
		if lit, ok := call.Args[0].(*ast.FuncLit); ok && ast.Node(lit) == fn && g.statement() != nil {
			d.say(w.node().Pos(), "%s never reaches zero: %s waits for it and is counted by it itself, because Go (%s) starts it",
				d.text(w.on), d.whereWaits(w), d.where(call.Pos()))
			ch := d.change().replace(call.Pos(), lit.Pos(), "go ").replace(lit.End(), call.End(), "()")
			d.offer(idea{title: "do not count the goroutine that waits for the others", weight: origin, change: ch,
				why: fmt.Sprintf("The goroutine started at %s waits for %s; a plain go statement starts it uncounted.", d.where(call.Pos()), d.text(w.on))})
		}
	}
}

// uncount takes one goroutine out of what Add counts.
func (d *deadlock) uncount(ch *change, g place, uses groupUses) bool {
	list := statements(g.anchorBlock())
	for i, s := range list {
		if i+1 >= len(list) || list[i+1] != g.anchor() {
			continue
		}
		for _, a := range uses.adds {
			if n, ok := constantInt(a, a.node().(*ast.CallExpr).Args[0]); a.statement() == s && ok && n == 1 {
				ch.remove(s)
				return true
			}
		}
	}
	if len(uses.adds) != 1 || uses.adds[0].loop() != nil {
		return false
	}
	arg := uses.adds[0].node().(*ast.CallExpr).Args[0]
	if n, ok := constantInt(uses.adds[0], arg); ok && n > 1 {
		ch.replace(arg.Pos(), arg.End(), fmt.Sprint(n-1))
		return true
	}
	base, n, _ := offsetOf(uses.adds[0], arg)
	switch {
	case n == 1:
		ch.replace(arg.Pos(), arg.End(), d.text(base))
	case n > 1:
		ch.replace(arg.Pos(), arg.End(), fmt.Sprintf("%s+%d", d.text(base), n-1))
	default:
		ch.insert(arg.End(), "-1")
	}
	return true
}

// waitBeforeReceive: who would receive the results waits for those first who
// wait to send them.
func (d *deadlock) waitBeforeReceive(w waiter) {
	seen := map[any]bool{}
	for _, s := range d.sendersWaiting() {
		if s.id == w.id || s.class == nil || seen[s.class] {
			continue
		}
		seen[s.class] = true
		uses := d.usesOfClass(s.class)
		d.say(s.use.node().Pos(), "%s never reaches zero: %s (%s) cannot send on %s, from which nothing receives while %s waits",
			d.text(w.on), senders(s), d.where(s.use.node().Pos()), d.text(s.ch), d.whereWaits(w))
		for i := w.at; i < len(w.frames); i++ {
			if at, ok := d.standsAt(w, i); ok {
				d.waitBeside(w, at, s, uses)
				d.takeFirst(at, s, uses)
			}
		}
		weight := origin + 3
		if len(uses.ranges) == 0 {
			weight = origin
		}
		d.roomForAll(s.use, s.ch, uses, weight)
	}
}

func senders(s onChannel) string {
	if s.count == 1 {
		return "a goroutine"
	}
	return fmt.Sprintf("%d goroutines", s.count)
}

// standsAt returns the statement, in a list of its function's, that a frame of
// a waiter is executing.
func (d *deadlock) standsAt(w waiter, i int) (place, bool) {
	if i == w.at {
		s := w.anchor()
		if s == nil {
			return place{}, false
		}
		return w.of(s), true
	}
	fr := w.frames[i]
	if !fr.User {
		return place{}, false
	}
	home, ok := d.functionAt(fr)
	if !ok {
		return place{}, false
	}
	fn := innermost(d.code, home, fr.Function, fr.Line)
	var best ast.Stmt
	ast.Inspect(bodyOf(fn), func(n ast.Node) bool {
		if n == nil || d.line(n.Pos()) > fr.Line || d.line(n.End()) < fr.Line {
			return false
		}
		if _, isLit := n.(*ast.FuncLit); isLit {
			return false
		}
		switch s := n.(type) {
		case *ast.ExprStmt, *ast.AssignStmt, *ast.ReturnStmt, *ast.DeclStmt, *ast.SendStmt, *ast.DeferStmt:
			best = s.(ast.Stmt)
		case *ast.IfStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.ForStmt:
			best = s.(ast.Stmt)
		}
		return true
	})
	if best == nil {
		return place{}, false
	}
	at := home.of(best)
	if s := at.anchor(); s != nil {
		return home.of(s), true
	}
	return place{}, false
}

// waitBeside lets a goroutine of its own wait, and close the channel then,
// while its values are received.
func (d *deadlock) waitBeside(w waiter, at place, s onChannel, uses *chanUses) {
	stmt, ok := at.node().(*ast.ExprStmt)
	list := statements(at.anchorBlock())
	_, i := within(list, at.node().Pos())
	if !ok || i < 0 || !d.receivedLater(at, uses) {
		return
	}
	j := i + 1
	closed := false
	for ; j < len(list) && d.closesChannel(at, list[j]); j++ {
		closed = closed || d.closesOne(at, list[j], s.class)
	}
	name := d.nameOf(at, s.class)
	ch := d.change()
	switch {
	case closed:
		ch.wrap(list[i:j], "go func() {", "}()")
	case d.closedBy(at, stmt, s.class):
		ch.insert(stmt.Pos(), "go ")
	case len(uses.closes) > 0 || name == "":
		return
	default:
		lead := lineIndentAt(d.code, stmt)
		ch.replace(stmt.Pos(), stmt.End(), fmt.Sprintf("go func() {\n%s\t%s\n%s\tclose(%s)\n%s}()", lead, d.text(stmt), lead, name, lead))
	}
	d.offer(idea{title: fmt.Sprintf("wait in a goroutine while %s is received from", d.text(s.ch)), weight: origin, change: ch,
		why: fmt.Sprintf("A goroutine of its own waits for %s and closes the channel then; meanwhile %s goes on to receive.", d.text(w.on), funcName(at.function()))})
}

// closesChannel reports whether a statement is a close, of any channel.
func (d *deadlock) closesChannel(p place, s ast.Stmt) bool {
	es, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	name, _ := p.builtin(es.X)
	return name == "close"
}

func (d *deadlock) closesOne(p place, s ast.Stmt, class any) bool {
	_, call := p.builtin(s.(*ast.ExprStmt).X)
	return d.flowOf().class(p, call.Args[0]) == class
}

// closedBy reports whether a statement is a call of a function that closes the
// channel itself after its wait.
func (d *deadlock) closedBy(p place, s *ast.ExprStmt, class any) bool {
	call, ok := s.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	decl, ok := d.declarationOf(p.callee(call))
	if !ok {
		return false
	}
	for _, c := range d.usesOfClass(class).closes {
		if c.function() == decl.node() {
			return true
		}
	}
	return false
}

// receivedLater reports whether the function ranges over the channel, or a call
// in it does, after a statement.
func (d *deadlock) receivedLater(at place, uses *chanUses) bool {
	for _, r := range uses.ranges {
		if r.function() == at.function() && r.node().Pos() > at.node().End() {
			return true
		}
		if decl, ok := r.function().(*ast.FuncDecl); ok && callsAfter(d.code, at, r.info().Defs[decl.Name]) {
			return true
		}
	}
	return false
}

func callsAfter(f *code, at place, fn types.Object) bool {
	found := false
	ast.Inspect(bodyOf(at.function()), func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && call.Pos() > at.node().End() {
			if callee := at.callee(call); callee != nil && f.same(originOf(callee), fn) {
				found = true
			}
		}
		return !found
	})
	return found
}

// nameOf writes a channel as the code at a place can name it: a variable in
// scope, or a field of one; empty when it cannot.
func (d *deadlock) nameOf(at place, class any) string {
	fl := d.flowOf()
	of := func(v *types.Var) bool { return isChan(v.Type()) && fl.find(originObject(v)) == fl.find(class) }
	field := ""
	pos := at.node().Pos()
	for scope := at.pkg.Types.Scope().Innermost(pos); scope != nil && scope != types.Universe; scope = scope.Parent() {
		for _, name := range scope.Names() {
			v, ok := scope.Lookup(name).(*types.Var)
			if _, visible := scope.LookupParent(name, pos); !ok || visible != types.Object(v) {
				continue
			}
			if of(v) {
				return name
			}
			st, isStruct := underStruct(v.Type())
			for i := 0; isStruct && i < st.NumFields() && field == ""; i++ {
				if of(st.Field(i)) {
					field = name + "." + st.Field(i).Name()
				}
			}
		}
	}
	return field
}

// channelOf returns the channel that a send, receive, range or close names.
func channelOf(n ast.Node) ast.Expr {
	switch n := n.(type) {
	case *ast.SendStmt:
		return n.Chan
	case *ast.UnaryExpr:
		return n.X
	case *ast.RangeStmt:
		return n.X
	case *ast.CallExpr:
		if len(n.Args) > 0 {
			return n.Args[0]
		}
	}
	return nil
}

// takeFirst moves the wait after the loop that receives a known number.
func (d *deadlock) takeFirst(at place, s onChannel, uses *chanUses) {
	stmt, ok := at.node().(*ast.ExprStmt)
	if !ok || len(uses.ranges) > 0 {
		return
	}
	list := statements(at.anchorBlock())
	var last ast.Stmt
	for _, r := range uses.receives {
		if r.function() != at.function() || r.node().Pos() < stmt.End() || r.comm() != nil || d.drains(r) {
			continue
		}
		if t, i := within(list, r.node().Pos()); i >= 0 {
			if _, isFor := t.(*ast.ForStmt); isFor || isRange(t) {
				last = t
			}
		}
	}
	if last == nil {
		return
	}
	ch := d.change()
	text := ch.cut([]ast.Stmt{stmt})
	ch.insertBelow(last, text)
	d.offer(idea{title: fmt.Sprintf("receive from %s before the wait", d.text(s.ch)), weight: origin + 1, change: ch,
		why: fmt.Sprintf("The goroutines can only be done once their values are taken; %s comes after the loop at %s.", d.text(stmt), d.where(last.Pos()))})
}

func isRange(s ast.Stmt) bool { _, ok := s.(*ast.RangeStmt); return ok }

// drains reports whether a receive takes only what is in the buffer already:
// it stands in a loop whose condition is the channel's length.
func (d *deadlock) drains(r place) bool {
	l, ok := r.loop().(*ast.ForStmt)
	if !ok || l.Cond == nil {
		return false
	}
	found := false
	ast.Inspect(l.Cond, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			if name, call := r.builtin(e); name == "len" && isChan(r.info().TypeOf(call.Args[0])) {
				found = true
			}
		}
		return true
	})
	return found
}

// roomForAll gives a channel a buffer for all that is sent on it.
func (d *deadlock) roomForAll(p place, ch ast.Expr, uses *chanUses, w weight) bool {
	if len(uses.makes) != 1 || limits(uses.makes[0]) {
		return false
	}
	n, ok := d.sentOn(p, ch, 0)
	if !ok || len(n.terms) == 0 && n.number <= 0 {
		return false
	}
	return d.withBuffer(uses.makes[0], d.text(ch), n.String(), w, "")
}

// limits reports whether a channel is made to limit how many do something: a
// buffer of values that mean nothing.
func limits(m place) bool {
	c, ok := typeUnder[*types.Chan](m.info().TypeOf(m.node().(ast.Expr)))
	if !ok || capacity(m) == nil {
		return false
	}
	st, isStruct := c.Elem().Underlying().(*types.Struct)
	return isStruct && st.NumFields() == 0
}

// withBuffer writes a capacity into a make.
func (d *deadlock) withBuffer(m place, name, size string, w weight, why string) bool {
	call := m.node().(*ast.CallExpr)
	c := d.change()
	if len(call.Args) > 1 {
		if d.text(call.Args[1]) == size {
			return false
		}
		c.replace(call.Args[1].Pos(), call.Args[1].End(), size)
	} else {
		c.insert(call.Args[0].End(), ", "+size)
	}
	if why == "" {
		why = fmt.Sprintf("%s (%s) gets room for all that is sent on it, so that no sender waits for a receiver.", name, d.where(call.Pos()))
	}
	return d.offer(idea{title: fmt.Sprintf("give %s a buffer of %s", name, size), weight: w, change: c, why: why})
}
