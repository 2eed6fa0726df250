package fixer

import (
	"go/ast"
)

// workersWait: the workers wait for more, and only they could put it in; who
// would close the queue waits for the workers.
func (d otherWaits) workersWait() {
	seen := map[any]bool{}
	for _, r := range append(d.receiversWaiting(), d.sendersWaiting()...) {
		w, ok := d.channelRules.workOf(r.class)
		if !ok || seen[r.class] || r.use.node() != w.loop.node() && !w.putsIn(r.use) {
			continue
		}
		seen[r.class] = true
		for _, g := range d.of(waitGroup) {
			if g.statement() == nil || !d.waitsForLoop(g, w) {
				continue
			}
			return
		}
	}
}

// waitsForLoop reports whether a WaitGroup counts the workers of a loop.
func (d otherWaits) waitsForLoop(g waiter, w work) bool {
	uses := d.groupUsesOf(g.place, g.on)
	for _, done := range uses.dones {
		if done.function() == w.loop.function() && done.deferred() {
			return true
		}
	}
	for _, s := range uses.gos {
		if contains(s.node(), w.loop.node().Pos()) || d.reachesLoop(s, w) {
			return true
		}
	}
	for _, done := range uses.dones {
		if lit, ok := done.function().(*ast.FuncLit); ok && d.comesTo(done, lit.Body, w.loop.node()) {
			return true
		}
	}
	return false
}

func (d otherWaits) reachesLoop(s place, w work) bool {
	call, ok := s.node().(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return false
	}
	lit, isLit := call.Args[0].(*ast.FuncLit)
	return isLit && d.comesTo(s, lit.Body, w.loop.node())
}
