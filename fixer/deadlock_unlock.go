package fixer

import (
	"fmt"
	"go/ast"
	"strings"
)

// neverGivenBack: a function that has ended left the lock taken.
func (d lockWaits) neverGivenBack(w waiter, uses []lockUse) {
	for _, fn := range functionsOf(uses) {
		own := inFunction(uses, fn)
		for _, l := range own {
			if l.takes() && !l.deferred() && l.statement() != nil {
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
	unlock := d.text(l.mutex) + "." + strings.Replace(l.method, "Lock", "Unlock", 1) + "()"
	var explicit []lockUse
	for _, u := range own {
		if !u.takes() && !u.deferred() && u.statement() != nil && u.method == strings.Replace(l.method, "Lock", "Unlock", 1) {
			explicit = append(explicit, u)
		}
	}
	switch {
	case len(explicit) == 0 && leak != nil:
		d.say(l.node().Pos(), "%s is never released: %s (%s) locks it and does not unlock it", d.text(l.mutex), funcName(fn), d.where(l.node().Pos()))
	case leak != nil:
		d.say(leak.Pos(), "%s is never released: %s (%s) returns with the lock held%s", d.text(l.mutex), funcName(fn), d.where(leak.Pos()), d.condition(l.place, leak.(*ast.ReturnStmt)))
	}
	d.deferUnlock(l, own, uses, explicit, unlock, weight)
	if len(explicit) > 0 {
		d.unlockBeforeLeaving(l, own, unlock, weight+1)
	}
}

// deferUnlock gives the lock back when the function ends, whichever way.
func (d lockWaits) deferUnlock(l lockUse, own, uses []lockUse, explicit []lockUse, unlock string, weight weight) {
	fn := l.function()
	locks := 0
	for _, u := range own {
		if u.takes() {
			locks++
		}
	}
	if locks != 1 || l.loop() != nil {
		return
	}
	// What comes after an unlock would then run with the lock held.
	for _, u := range explicit {
		w := waysFrom(l.place, u.node(), nil)
		for _, n := range w.nodes {
			if d.waitsOrLocks(l.place, n, uses) {
				return
			}
		}
	}
	ch := d.change().after(l.statement(), "defer "+unlock)
	for _, u := range explicit {
		ch.remove(u.statement())
	}
	d.offer(idea{rule: "deadlock/defer-unlock", title: fmt.Sprintf("defer %s", unlock), weight: weight, change: ch,
		why: fmt.Sprintf("%s now releases the lock on every way out.", funcName(fn))})
}

// waitsOrLocks reports whether a node waits for others, or takes the same lock,
// itself or through what it calls.
func (d lockWaits) waitsOrLocks(p place, n ast.Node, uses []lockUse) bool {
	bad := false
	ast.Inspect(n, func(x ast.Node) bool {
		if bad || x == nil {
			return false
		}
		switch x.(type) {
		case *ast.FuncLit, *ast.GoStmt:
			return false
		}
		if blocks(p, x) {
			bad = true
		}
		if call, ok := x.(*ast.CallExpr); ok {
			if decl, found := d.declarationOf(p.callee(call)); found {
				bad = bad || d.locksClass(decl, decl.node(), uses) || d.transitive(decl, decl.node(), blocks)
			}
			for _, u := range uses {
				bad = bad || u.takes() && u.node() == ast.Node(call)
			}
		}
		return !bad
	})
	return bad
}

// unlockBeforeLeaving unlocks before each return, continue or break that
// leaves with the lock taken.
func (d lockWaits) unlockBeforeLeaving(l lockUse, own []lockUse, unlock string, weight weight) {
	ch := d.change()
	count := 0
	w := waysFrom(l.place, l.node(), unlocks(own))
	for _, e := range w.exits {
		if atEnd(l.function(), e) {
			return
		}
		ch.before(e, unlock)
		count++
	}
	if w.again {
		loop := l.loop()
		if loop == nil {
			return
		}
		ast.Inspect(loopBody(loop), func(n ast.Node) bool {
			b, ok := n.(*ast.BranchStmt)
			if !ok || b.Label != nil || b.Pos() < l.node().End() {
				_, lit := n.(*ast.FuncLit)
				return !lit
			}
			at := l.of(b)
			if at.loop() == loop && b.Tok.String() == "continue" && d.reaches(w, at, b) {
				ch.before(b, unlock)
				count++
			}
			return true
		})
	}
	if count == 0 {
		return
	}
	d.offer(idea{rule: "deadlock/unlock-before-leaving", title: fmt.Sprintf("call %s before leaving", unlock), weight: weight, change: ch,
		why: fmt.Sprintf("%s left with the lock held; it now releases it first.", funcName(l.function()))})
}

// reaches reports whether the ways come to a branch statement: to the condition
// of the if, or the statement, before it.
func (d lockWaits) reaches(w ways, at place, b *ast.BranchStmt) bool {
	list := statements(at.anchorBlock())
	var before ast.Node
	if _, i := within(list, b.Pos()); i > 0 {
		before = list[i-1]
	} else if is, ok := at.path[2].(*ast.IfStmt); ok {
		before = is.Cond
	}
	for _, n := range w.nodes {
		if before != nil && contains(before, n.Pos()) {
			return true
		}
	}
	return false
}
