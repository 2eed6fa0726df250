package fixer

import (
	"go/ast"
)

// missedDone: a way through the goroutine leaves Done out.
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
		exit, ok := d.leftOut(fn, list)
		if !ok {
			continue
		}
		d.say(exit.Pos(), "%s never reaches zero: %s returns without Done at %s%s", d.text(w.on), d.callerName(list[0]), d.where(exit.Pos()), d.condition(list[0], exit))
	}
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
