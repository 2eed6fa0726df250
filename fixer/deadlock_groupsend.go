package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
)

// waitBeforeReceive: the goroutine that would receive the results first waits for
// the goroutines that wait to send them.
func (d groupWaits) waitBeforeReceive(w waiter) {
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
			if at, ok := d.statementAt(w, i); ok {
				d.waitInGoroutine(w, at, s, uses)
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

// waitInGoroutine lets a goroutine of its own wait, and close the channel then,
// while its values are received.
func (d groupWaits) waitInGoroutine(w waiter, at place, s onChannel, uses *chanUses) {
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
	d.offer(idea{rule: "deadlock/wait-in-goroutine", title: fmt.Sprintf("wait in a goroutine while %s is received from", d.text(s.ch)), weight: origin, change: ch,
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
func (d groupWaits) receivedLater(at place, uses *chanUses) bool {
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

// takeFirst moves the wait after the loop that receives a known number.
func (d groupWaits) takeFirst(at place, s onChannel, uses *chanUses) {
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
	d.offer(idea{rule: "deadlock/take-first", title: fmt.Sprintf("receive from %s before the wait", d.text(s.ch)), weight: origin + 1, change: ch,
		why: fmt.Sprintf("The goroutines can only be done once their values are taken; %s comes after the loop at %s.", d.text(stmt), d.where(last.Pos()))})
}

func isRange(s ast.Stmt) bool { _, ok := s.(*ast.RangeStmt); return ok }

// drains reports whether a receive takes only what is in the buffer already:
// it is in a loop whose condition is the channel's length.
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
