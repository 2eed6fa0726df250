package fixer

import (
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
}
