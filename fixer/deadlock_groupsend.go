package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
)

// waitBeforeReceive: the goroutine that would receive the results first waits for
// goroutines that do not come to Done before they are received.
func (d groupWaits) waitBeforeReceive(w waiter) {
	for _, s := range d.sendersWaiting() {
		if s.id == w.id || s.class == nil || !d.behind(w, s.waiter) || d.receivedByOthers(w, s) {
			continue
		}
		d.say(s.use.node().Pos(), "%s never reaches zero: %s (%s) cannot send on %s, from which nothing receives while %s waits",
			d.onText(w), senders(s), d.where(s.use.node().Pos()), d.text(s.ch), d.whereWaits(w))
	}
}

// receivedByOthers reports whether a goroutine other than w would receive what is sent, if
// it did not wait for something else: then that is the cause.
func (d groupWaits) receivedByOthers(w waiter, s onChannel) bool {
	takes := d.takesFrom(s)
	found := slices.ContainsFunc(d.waiters, func(o waiter) bool {
		return d.ctx.Err() != nil || o.id != w.id && o.id != s.id && d.comesTo(o, takes)
	})
	return found || d.ctx.Err() != nil // not known: nothing is said
}

func senders(s onChannel) string {
	if s.count == 1 {
		return "a goroutine"
	}
	return fmt.Sprintf("%d goroutines", s.count)
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
