package fixer

import (
	"go/ast"
	"strings"
)

// neverGivenBack: a function that has ended left the lock taken.
func (d lockWaits) neverGivenBack(w waiter, uses []lockUse) {
	if handedOver(uses) {
		return
	}
	for _, fn := range functionsOf(uses) {
		own := inFunction(uses, fn)
		for _, l := range own {
			if l.takes() && !l.deferred() && l.statement() != nil && !d.givesUnlock(l) {
				d.leakOf(l, own, uses, origin)
			}
		}
	}
}

// leakOf fixes a function that leaves with the lock taken.
func (d lockWaits) leakOf(l lockUse, own, uses []lockUse, weight weight) {
	w := waysFrom(l.place, l.node(), unlocks(own))
	leak := ast.Node(nil)
	for _, e := range w.exits {
		leak = e
	}
	if leak == nil && !w.again {
		return
	}
	fn := l.function()
	var explicit []lockUse
	for _, u := range own {
		if !u.takes() && !u.deferred() && u.statement() != nil && u.method == strings.Replace(l.method, "Lock", "Unlock", 1) {
			explicit = append(explicit, u)
		}
	}
	switch {
	case len(explicit) == 0 && leak != nil:
		d.say(l.node().Pos(), "%s is never released: %s (%s) locks it and does not unlock it", d.mutexText(l.place), funcName(fn), d.where(l.node().Pos()))
	case leak != nil:
		d.say(leak.Pos(), "%s is never released: %s (%s) returns with the lock held%s", d.mutexText(l.place), funcName(fn), d.where(leak.Pos()), d.condition(l.place, leak.(*ast.ReturnStmt)))
	}
}
