package fixer

import (
	"go/ast"
	"go/types"
	"slices"
)

// handedOver reports whether a function gives a lock back that it has not taken: then one that
// ends with the lock taken leaves that to it, as begin does to commit.
func handedOver(uses []lockUse) bool {
	return slices.ContainsFunc(functionsOf(uses), func(fn ast.Node) bool {
		own := inFunction(uses, fn)
		return len(own) > 0 && !slices.ContainsFunc(own, lockUse.takes)
	})
}

// givesUnlock reports whether a function gives away what gives a lock back: return mu.Unlock.
func givesUnlock(fn ast.Node) (found bool) {
	called := map[ast.Expr]bool{}
	ast.Inspect(bodyOf(fn), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			called[ast.Unparen(n.Fun)] = true
		case *ast.SelectorExpr:
			found = found || !called[n] && (n.Sel.Name == "Unlock" || n.Sel.Name == "RUnlock")
		}
		return !found
	})
	return found
}

// heldThrough finds a function on the stack of the waiter that has got the lock from another,
// as a transaction has it from begin, and not given it back when it came to take it again.
func (d lockWaits) heldThrough(w waiter, uses []lockUse) bool {
	if !handedOver(uses) {
		return false
	}
	inner := map[*types.Func]bool{} // those that it is in since
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
			if call, ok := d.takenBefore(s, fn, inner, uses); ok {
				d.say(call.node().Pos(), "%s is locked twice by one goroutine: %s has it from %s (%s), and comes to %s, which locks it again, before it gives it back", d.mutexText(w.place),
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

// takenBefore is a call that its function makes before a statement, of one of some functions,
// which leaves the lock taken; it is still taken at the statement.
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
			w := waysFrom(p, call, func(n ast.Node) bool { return !isHere(n) && d.givesBack(at, n, uses) })
			if slices.ContainsFunc(w.nodes, isHere) {
				taken, found = p, true
			}
		}
		return !found
	})
	return taken, found
}

// leavesTaken reports whether a function may return with the lock taken: it takes it, or calls
// one that leaves it taken, and neither it nor what it defers gives it back.
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

// givesBack reports whether a node gives the lock back at once, also through a call.
func (d lockWaits) givesBack(p place, n ast.Node, uses []lockUse) bool {
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

// unlocksClass reports whether a function, or what it calls, gives the lock back.
func (d lockWaits) unlocksClass(p place, uses []lockUse) bool {
	return d.transitive(p, p.node(), func(_ place, n ast.Node) bool {
		return slices.ContainsFunc(uses, func(u lockUse) bool { return !u.takes() && u.node() == n })
	})
}
