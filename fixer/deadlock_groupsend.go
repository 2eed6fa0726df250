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
		d.say(s.use.node().Pos(), "%s never reaches zero: %s (%s) cannot send on %s, from which nothing receives while %s waits",
			d.text(w.on), senders(s), d.where(s.use.node().Pos()), d.text(s.ch), d.whereWaits(w))
	}
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
