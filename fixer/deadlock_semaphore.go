package fixer

import (
	"fmt"
	"go/ast"
)

// slotKept: the channel counts slots, a send takes one and a receive whose
// value that is not wanted gives it back. A way out of the function that gives it
// back leaves that out. It reports whether that was fixed.
func (d sendWaits) slotKept(s onChannel, uses *chanUses) bool {
	if len(uses.ranges) > 0 || len(uses.receives) == 0 || len(uses.makes) == 0 {
		return false
	}
	for _, m := range uses.makes {
		if capacity(m) == nil {
			return false
		}
	}
	fn := uses.receives[0].function()
	for _, r := range uses.receives {
		if _, plain := r.path[1].(*ast.ExprStmt); !plain || r.function() != fn {
			return false
		}
	}
	if fn == nil || anyDeferred(uses.receives) || uses.receives[0].loop() != nil {
		return d.slotKeptByIteration(s, uses.receives)
	}
	exit, ok := d.leftOut(fn, uses.receives)
	if !ok {
		return false
	}
	name := d.text(channelOf(uses.receives[0].node()))
	d.say(exit.Pos(), "%s stays full: %s returns at %s%s and does not release its slot", name, d.callerName(uses.receives[0]), d.where(exit.Pos()), d.condition(uses.receives[0], exit))
	ch := d.change()
	for _, r := range uses.receives {
		ch.remove(r.path[1])
	}
	release := "defer func() { " + d.text(uses.receives[0].node()) + " }()"
	if taken := takenIn(fn, uses); taken != nil {
		ch.after(taken, release)
	} else {
		ch.first(bodyOf(fn), release)
	}
	return d.offer(idea{rule: "deadlock/slot-kept", title: fmt.Sprintf("release the slot of %s on every way out", name), weight: origin - 1, change: ch,
		why: fmt.Sprintf("The receive is deferred, so that the slot is free again also after the return at %s.", d.where(exit.Pos()))})
}

// takenIn is the send, a statement of the function's own list, by which it
// takes a slot itself.
func takenIn(fn ast.Node, uses *chanUses) ast.Stmt {
	for _, s := range uses.sends {
		if s.function() == fn && s.anchorBlock() == ast.Node(bodyOf(fn)) {
			return s.anchor()
		}
	}
	return nil
}

// slotKeptByIteration: the slot is given back at the end of a loop's iteration, and a
// continue leaves that out.
func (d sendWaits) slotKeptByIteration(s onChannel, gives []place) bool {
	if len(gives) != 1 || gives[0].loop() == nil || gives[0].anchorBlock() != ast.Node(loopBody(gives[0].loop())) {
		return false
	}
	give := gives[0]
	l := give.loop()
	ch := d.change()
	var first ast.Node
	ast.Inspect(loopBody(l), func(n ast.Node) bool {
		b, ok := n.(*ast.BranchStmt)
		if !ok || b.Tok.String() != "continue" || b.Label != nil || b.Pos() > give.node().Pos() {
			_, isLit := n.(*ast.FuncLit)
			return !isLit
		}
		at := give.of(b)
		if at.loop() == l && b.Pos() > s.use.node().Pos() {
			ch.before(b, d.text(give.node()))
			if first == nil {
				first = b
			}
		}
		return true
	})
	if first == nil {
		return false
	}
	name := d.text(channelOf(give.node()))
	d.say(first.Pos(), "%s stays full: the iteration of the loop that ends at %s does not release its slot", name, d.where(first.Pos()))
	return d.offer(idea{rule: "deadlock/slot-kept-by-iteration", title: fmt.Sprintf("release the slot of %s before each continue", name), weight: origin - 1, change: ch,
		why: fmt.Sprintf("Only an iteration that came to %s released its slot.", d.where(give.node().Pos()))})
}
