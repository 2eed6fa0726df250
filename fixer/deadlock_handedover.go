package fixer

import (
	"go/ast"
	"go/types"
	"slices"
)

// handedOver reports whether a function releases a lock that it has not taken: then one that
// returns holding the lock leaves that to it, as begin does to commit. A function literal
// belongs to the function around it.
func handedOver(uses []lockUse) bool {
	takes := map[*ast.FuncDecl]bool{}
	for _, u := range uses {
		if decl := u.declaration(); decl != nil {
			takes[decl] = takes[decl] || u.takes()
		}
	}
	for _, taken := range takes {
		if !taken {
			return true
		}
	}
	return false
}

// givesUnlock reports whether the function of a lock returns or passes on what releases it:
// return mu.Unlock.
func (d lockWaits) givesUnlock(l lockUse) (found bool) {
	called := map[ast.Expr]bool{}
	ast.Inspect(bodyOf(l.function()), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			called[ast.Unparen(n.Fun)] = true
		case *ast.SelectorExpr:
			found = found || !called[n] && (n.Sel.Name == "Unlock" || n.Sel.Name == "RUnlock") && d.text(n.X) == d.text(l.mutex)
		}
		return !found
	})
	return found
}

// heldThrough finds a function on the stack of the waiter that has taken the lock through
// another, as a transaction does through begin, and reaches a second call that takes it before
// it has released it.
func (d lockWaits) heldThrough(w waiter, uses []lockUse) bool {
	if !handedOver(uses) {
		return false
	}
	inner := map[*types.Func]bool{} // the functions that it has called since
	for i := w.at; i < len(w.frames); i++ {
		fr := w.frames[i]
		if !fr.User {
			continue
		}
		home, ok := d.functionAt(fr)
		if !ok {
			continue
		}
		fn := innermost(d.code, home, fr.Function, fr.Line)
		if s, ok := d.statementAt(w, i); ok && i > w.at {
			if call, ok := d.takenBefore(s, fn, inner, uses); ok && d.isOfWaited(w, i, call) {
				d.say(call.node().Pos(), "%s is locked twice by one goroutine: %s locks it through %s (%s), and reaches %s, which locks it again, before it is released", d.mutexText(w.place),
					funcName(fn), d.text(call.node().(*ast.CallExpr).Fun), d.where(call.node().Pos()), d.where(w.node().Pos()))
				return true
			}
		}
		if decl, ok := fn.(*ast.FuncDecl); ok {
			if obj, ok := home.info().Defs[decl.Name].(*types.Func); ok {
				inner[obj] = true
			}
		}
	}
	return false
}

// isOfWaited reports whether a call in a frame is of the object whose lock is waited for, by
// their addresses. Where these are not known, it is not.
func (d lockWaits) isOfWaited(w waiter, frame int, call place) bool {
	held, ok := ast.Unparen(call.node().(*ast.CallExpr).Fun).(*ast.SelectorExpr)
	lock, isMethod := ast.Unparen(w.node().(*ast.CallExpr).Fun).(*ast.SelectorExpr)
	if !ok || !isMethod {
		return false
	}
	owner, ok := ast.Unparen(lock.X).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	r := d.reader(w)
	a, b := r.values.variable(w.at, d.text(owner.X)), r.values.variable(frame, d.text(held.X))
	return a.known && b.known && address(a) != 0 && address(a) == address(b)
}

// takenBefore is a call that its function makes before a statement, of one of some functions,
// which returns holding the lock; it is still held at the statement.
func (d lockWaits) takenBefore(at place, fn ast.Node, inner map[*types.Func]bool, uses []lockUse) (taken place, found bool) {
	ast.Inspect(bodyOf(fn), func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && lit != fn {
			return false
		}
		call, ok := n.(*ast.CallExpr)
		if !ok || call.End() > at.node().Pos() || !inner[at.callee(call)] {
			return !found
		}
		if decl, known := d.declarationOf(at.callee(call)); known && d.leavesTaken(decl, uses, 0) {
			p := at.of(call)
			isHere := func(n ast.Node) bool { return contains(n, at.node().Pos()) || contains(at.node(), n.Pos()) }
			w := waysFrom(p, call, func(n ast.Node) bool { return !isHere(n) && d.releases(at, n, uses) })
			if slices.ContainsFunc(w.nodes, isHere) {
				taken, found = p, true
			}
		}
		return !found
	})
	return taken, found
}

// leavesTaken reports whether a function may return holding the lock: it takes it, or calls
// one that does, and neither it nor what it defers releases it.
func (d lockWaits) leavesTaken(p place, uses []lockUse, depth int) bool {
	fn := p.node()
	own := inFunction(uses, fn)
	for _, l := range own {
		if l.takes() && !l.deferred() && len(waysFrom(l.place, l.node(), unlocks(own)).exits) > 0 {
			return true
		}
	}
	if depth > 2 || bodyOf(fn) == nil {
		return false
	}
	leaves, back := false, false
	ast.Inspect(bodyOf(fn), func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		decl, ok := d.declarationOf(p.callee(call))
		switch {
		case !ok:
		case d.leavesTaken(decl, uses, depth+1):
			leaves = true
		case d.unlocksClass(decl, uses):
			back = true
		}
		return true
	})
	return leaves && !back
}

// releases reports whether a node releases the lock at once, also through a call.
func (d lockWaits) releases(p place, n ast.Node, uses []lockUse) bool {
	if _, ok := n.(*ast.DeferStmt); ok {
		return false
	}
	back := unlocksNow(uses)(n)
	ast.Inspect(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !back {
			decl, known := d.declarationOf(p.callee(call))
			back = known && d.unlocksClass(decl, uses)
		}
		return !back
	})
	return back
}

// unlocksClass reports whether a function, or what it calls, releases the lock.
func (d lockWaits) unlocksClass(p place, uses []lockUse) bool {
	return d.transitive(p, p.node(), func(_ place, n ast.Node) bool {
		return slices.ContainsFunc(uses, func(u lockUse) bool { return !u.takes() && u.node() == n })
	})
}
