package fixer

import (
	"go/ast"
)

// missedDone: a way through the goroutine leaves Done out. Where it calls Add itself, the way
// begins there. One that waits for the group is not its.
func (d groupWaits) missedDone(w waiter, uses groupUses) {
	byFunc := map[ast.Node][]place{}
	var order []ast.Node
	for _, done := range uses.dones {
		fn := done.function()
		if len(byFunc[fn]) == 0 {
			order = append(order, fn)
		}
		byFunc[fn] = append(byFunc[fn], done)
	}
	for _, fn := range order {
		list := byFunc[fn]
		if anyDeferred(list) {
			continue
		}
		if l := list[0].loop(); l != nil && d.countsItems(list[0], uses) {
			continue
		}
		adds, sure := d.countedIn(fn, list[0], uses)
		if !sure || len(adds) > 0 && len(order) > 1 { // it may count for those that call Done elsewhere
			continue
		}
		waits := func(n ast.Node) bool { return holdsAny(n, uses.waits) }
		if exits := d.leftOut(fn, list, adds, waits); len(exits) > 0 {
			d.say(exits[0].Pos(), "%s never reaches zero: %s returns without Done at %s", d.onText(w), d.callerName(list[0]), d.leaves(fn, list, exits))
		}
	}
}

// countedIn lists the calls of Add with which a function counts itself: none where those who
// start it do. It is not sure where it does and others add, too.
func (d groupWaits) countedIn(fn ast.Node, done place, uses groupUses) (adds []place, sure bool) {
	for _, a := range uses.adds {
		if a.function() == fn {
			adds = append(adds, a)
		}
	}
	if len(adds) == 0 || len(adds) == len(uses.adds) {
		return adds, true
	}
	return nil, d.runsAsGoroutine(done)
}

func anyDeferred(list []place) bool {
	for _, p := range list {
		if p.deferred() {
			return true
		}
		for _, n := range p.path { // in a deferred function literal
			if df, ok := n.(*ast.DeferStmt); ok && contains(df, p.node().Pos()) {
				return true
			}
		}
	}
	return false
}

// countsItems reports whether Add counts items rather than goroutines: a Done
// runs for each iteration of a worker's loop.
func (d groupWaits) countsItems(done place, uses groupUses) bool {
	if _, isLit := done.loop().(*ast.ForStmt); isLit && done.loop().(*ast.ForStmt).Cond != nil {
		return false
	}
	for _, a := range uses.adds {
		if g, ok := d.goAfter(a); ok {
			if lit, isLit := g.node().(*ast.GoStmt).Call.Fun.(*ast.FuncLit); isLit && contains(lit, done.node().Pos()) && a.loop() != nil {
				return false
			}
		}
	}
	return true
}
