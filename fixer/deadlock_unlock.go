package fixer

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
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
				d.leakOf(l, own, origin)
			}
		}
	}
}

// leakOf fixes a function that leaves with the lock taken.
func (d lockWaits) leakOf(l lockUse, own []lockUse, weight weight) {
	leaves := leavesHeld(l, waysFrom(l.place, l.node(), unlocks(own)))
	if len(leaves) == 0 {
		return
	}
	var explicit []lockUse
	for _, u := range own {
		if !u.takes() && !u.deferred() && u.statement() != nil && u.method == l.unlock() {
			explicit = append(explicit, u)
		}
	}
	name, last := funcName(l.function()), leaves[len(leaves)-1]
	if len(explicit) == 0 {
		d.say(l.node().Pos(), "%s is never released: %s (%s) locks it and does not unlock it", d.mutexText(l.place), name, d.where(l.node().Pos()))
	} else {
		does := "returns"
		if b, ok := last.(*ast.BranchStmt); ok {
			does = map[token.Token]string{token.CONTINUE: "goes on", token.BREAK: "leaves the loop"}[b.Tok]
		}
		d.say(last.Pos(), "%s is never released: %s (%s) %s with the lock held%s", d.mutexText(l.place), name, d.where(last.Pos()), does, d.condition(l.place, last))
	}
	if len(explicit) == 0 || readsGuarded(l, leaves) {
		d.deferUnlock(l, own, explicit, weight)
	} else {
		d.unlockBeforeLeaving(l, leaves, weight)
	}
}

// leavesHeld are the statements that leave a function, or a round of the loop in which a lock
// is taken, with the lock held. The end of a function is a return on its closing brace.
func leavesHeld(l lockUse, w ways) (list []ast.Stmt) {
	loop := l.loop()
	for _, e := range w.exits {
		if loop == nil || contains(loop, e.Pos()) {
			list = append(list, e)
		}
	}
	if loop == nil {
		return list
	}
	ast.Inspect(loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			if at := l.of(n); n.Label == nil && n.Pos() > l.node().End() && at.loop() == loop && leavesLoop(at, n.Tok) && w.reach(at) {
				list = append(list, n)
			}
		}
		return true
	})
	return list
}

// leavesLoop reports whether a continue or break is about the loop around it: a break may be
// about a switch or select in it.
func leavesLoop(p place, branch token.Token) bool {
	if branch != token.BREAK {
		return branch == token.CONTINUE
	}
	for _, n := range p.path {
		switch n.(type) {
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			return true
		}
	}
	return false
}

// readsGuarded reports whether a return reads a part of what the mutex is a part of: that has
// to happen with the lock held.
func readsGuarded(l lockUse, leaves []ast.Stmt) bool {
	whole, ok := ast.Unparen(l.mutex).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	reads := false
	for _, s := range leaves {
		e, ok := s.(*ast.ReturnStmt)
		if !ok {
			continue
		}
		for _, result := range e.Results {
			ast.Inspect(result, func(n ast.Node) bool {
				part, ok := n.(*ast.SelectorExpr)
				reads = reads || ok && types.ExprString(part.X) == types.ExprString(whole.X)
				return !reads
			})
		}
	}
	return reads
}

// deferUnlock releases the lock when the function ends, whichever way, if nothing would then
// wait with the lock held that did not before.
func (d lockWaits) deferUnlock(l lockUse, own, explicit []lockUse, weight weight) {
	locks := 0
	for _, u := range own {
		if u.takes() {
			locks++
		}
	}
	if locks != 1 || l.loop() != nil {
		return
	}
	ch := d.change().after(l.statement(), "defer "+d.unlockOf(l))
	for _, u := range explicit {
		for _, n := range waysFrom(l.place, u.node(), nil).nodes {
			if mayWait(l.place, n) {
				return
			}
		}
		ch.remove(u.statement())
	}
	d.offer(idea{rule: "pair/defer-unlock", title: "defer " + d.unlockOf(l), weight: weight, change: ch,
		why: funcName(l.function()) + " now releases the lock on every way out."})
}

// mayWait reports whether a node calls something or uses a channel.
func mayWait(p place, n ast.Node) (may bool) {
	ast.Inspect(n, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.CallExpr:
			builtin, _ := p.builtin(x)
			may = may || builtin == "" && !p.info().Types[x.Fun].IsType()
		case *ast.SendStmt, *ast.SelectStmt:
			may = true
		case *ast.UnaryExpr:
			may = may || x.Op == token.ARROW
		}
		return !may
	})
	return may
}

// unlockBeforeLeaving releases the lock before each statement that leaves with it held.
func (d lockWaits) unlockBeforeLeaving(l lockUse, leaves []ast.Stmt, weight weight) {
	ch := d.change()
	for _, s := range leaves {
		if e, ok := s.(*ast.ReturnStmt); ok && e.Pos() == bodyOf(l.function()).Rbrace {
			return
		}
		ch.before(s, d.unlockOf(l))
	}
	d.offer(idea{rule: "pair/unlock-before-leaving", title: "call " + d.unlockOf(l) + " before leaving", weight: weight, change: ch,
		why: funcName(l.function()) + " left with the lock held; it now releases it first."})
}

// reach reports whether the ways come to a statement that is no node of theirs: to the
// statement before it, or to the condition of the if around it.
func (w ways) reach(p place) bool {
	if len(p.path) < 3 {
		return false
	}
	var before ast.Node
	if _, i := within(statements(p.path[1]), p.node().Pos()); i > 0 {
		before = statements(p.path[1])[i-1]
	} else if branch, ok := p.path[2].(*ast.IfStmt); ok {
		before = branch.Cond
	}
	return before != nil && slices.ContainsFunc(w.nodes, func(n ast.Node) bool { return contains(before, n.Pos()) })
}
