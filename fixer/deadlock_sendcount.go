package fixer

import (
	"fmt"
	"go/ast"
)

// receivesFewer: a loop receives fewer values than are sent.
func (d sendWaits) receivesFewer(s onChannel, uses *chanUses) {
	if len(uses.receives) != 1 || len(uses.ranges) > 0 {
		return
	}
	r := uses.receives[0]
	if r.comm() != nil {
		return
	}
	l := r.loop()
	if l == nil {
		d.singleReceive(s, r, uses)
		return
	}
	d.matchReceives(s, r, l)
}

// matchReceives gives a counting loop of receives the number that is sent.
func (d sendWaits) matchReceives(s onChannel, r place, l ast.Stmt) {
	got, okGot := d.iterations(r, l)
	sent, okSent := d.sentOn(s.use, s.ch, 0)
	if !okGot || !okSent || got.String() == sent.String() {
		return
	}
	d.say(l.Pos(), "%s gets %s values, and %s (%s) receives %s", d.text(s.ch), sent.String(), funcName(r.function()), d.where(l.Pos()), got.String())
	d.setIterations(r, l, sent, d.text(s.ch))
}

// setIterations makes a counting loop run another number of times.
func (d *deadlock) setIterations(r place, l ast.Stmt, n amount, name string) {
	ch := d.change()
	switch l := l.(type) {
	case *ast.ForStmt:
		cond, ok := ast.Unparen(orNil(l.Cond)).(*ast.BinaryExpr)
		init, isAssign := l.Init.(*ast.AssignStmt)
		if !ok || !isAssign {
			return
		}
		op := "<"
		if start, isConst := constantInt(r, init.Rhs[0]); isConst && start == 1 {
			op = "<="
		}
		ch.replace(cond.OpPos, cond.End(), op+" "+n.String())
	case *ast.RangeStmt:
		if !isInteger(r.info().TypeOf(l.X)) {
			return
		}
		ch.replace(l.X.Pos(), l.X.End(), n.String())
	default:
		return
	}
	d.offer(idea{rule: "deadlock/set-iterations", title: fmt.Sprintf("receive %s values from %s", n.String(), name), weight: origin, change: ch,
		why: "The loop receives as many values as are sent."})
}

// singleReceive: one value is taken of a channel that gets several.
func (d sendWaits) singleReceive(s onChannel, r place, uses *chanUses) {
	started, _ := d.runsIn(r, r.function())
	if len(started) == 0 {
		return
	}
	as, ok := r.path[1].(*ast.AssignStmt)
	if !ok || len(as.Lhs) != 1 || s.use.loop() == nil {
		return
	}
	block, isBlock := r.anchorBlock().(*ast.BlockStmt)
	if !isBlock || r.anchor() != ast.Stmt(as) {
		return
	}
	_, i := within(block.List, as.Pos())
	rest := block.List[i+1:]
	if len(rest) == 0 || leaves(rest) {
		return
	}
	d.say(r.node().Pos(), "%s gets more values than are received: %s takes a single one at %s", d.text(s.ch), d.callerName(r), d.where(r.node().Pos()))
	ch := d.change().replace(as.Pos(), as.End(), fmt.Sprintf("for %s := range %s {", d.text(as.Lhs[0]), d.text(channelOf(r.node()))))
	ch.insertBelow(rest[len(rest)-1], "}\n")
	d.offer(idea{rule: "deadlock/single-receive", title: fmt.Sprintf("receive from %s in a loop", d.text(s.ch)), weight: origin + 2, change: ch,
		why: "The goroutine takes value after value until the channel is closed, instead of one."})
}

// insideOf reports whether a waiter is inside the loop that takes from a channel.
func (d sendWaits) insideOf(w waiter, t place) bool {
	loop := t.node()
	if _, ok := loop.(*ast.RangeStmt); !ok {
		loop = t.loop()
	}
	for i := w.at; i < len(w.frames); i++ {
		at, ok := d.statementAt(w, i)
		if ok && at.function() == t.function() && contains(loopBody(loop.(ast.Stmt)), at.node().Pos()) {
			return true
		}
	}
	return false
}

// sendToSelf: what receives from the channel sends on it while it handles a value.
func (d sendWaits) sendToSelf(s onChannel, uses *chanUses) {
	for _, t := range uses.takes() {
		inLoop := t.loop() != nil
		if _, ok := t.node().(*ast.RangeStmt); ok {
			inLoop = true
		}
		if !inLoop || !d.onStack(s.waiter, t.function()) {
			continue
		}
		if !d.insideOf(s.waiter, t) {
			continue
		}
		stmt, ok := s.use.node().(*ast.SendStmt)
		if !ok || s.use.comm() != nil || s.use.anchor() != ast.Stmt(stmt) {
			continue
		}
		d.say(stmt.Pos(), "%s has no receiver when %s (%s) sends on it: the goroutine that receives (%s) is the one that sends",
			d.text(s.ch), funcName(s.use.function()), d.where(stmt.Pos()), d.where(t.node().Pos()))
		ch := d.change().replace(stmt.Pos(), stmt.End(), "go func() { "+d.text(stmt)+" }()")
		d.offer(idea{rule: "deadlock/send-to-self", title: fmt.Sprintf("send on %s from a goroutine", d.text(s.ch)), weight: origin + 3, change: ch,
			why: fmt.Sprintf("The goroutine that receives from %s no longer waits for itself.", d.text(s.ch))})
		return
	}
}
