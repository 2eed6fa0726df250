package deadlock

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// handedOver reports whether a function releases a lock that it has not taken: then one that
// returns holding the lock leaves that to it, as begin does to commit. A function literal
// belongs to the function around it.
func handedOver(uses []syntax.LockUse) bool {
	takes := map[*ast.FuncDecl]bool{}
	for _, u := range uses {
		if decl := u.Declaration(); decl != nil {
			takes[decl] = takes[decl] || u.Takes()
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
func (d lockWaits) givesUnlock(l syntax.LockUse) (found bool) {
	called := map[ast.Expr]bool{}
	ast.Inspect(syntax.BodyOf(l.Function()), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			called[ast.Unparen(n.Fun)] = true
		case *ast.SelectorExpr:
			found = found || !called[n] && (n.Sel.Name == "Unlock" || n.Sel.Name == "RUnlock") && d.Text(n.X) == d.Text(l.Mutex)
		}
		return !found
	})
	return found
}

// neverGivenBack: a function that has ended left the lock taken.
func (d lockWaits) neverGivenBack(uses []syntax.LockUse) {
	if handedOver(uses) {
		return
	}
	for _, fn := range functionsOf(uses) {
		own := syntax.InFunction(uses, fn)
		for _, l := range own {
			if l.Takes() && !l.Deferred() && l.Statement() != nil && !d.givesUnlock(l) {
				d.leakOf(l, own, exits.Origin)
			}
		}
	}
}

// leakOf fixes a function that leaves with the lock taken.
func (d lockWaits) leakOf(l syntax.LockUse, own []syntax.LockUse, weight exits.Weight) {
	leaves := leavesHeld(l, syntax.WaysFrom(l.Place, l.Node(), unlocks(own)))
	if len(leaves) == 0 {
		return
	}
	var explicit []syntax.LockUse
	for _, u := range own {
		if !u.Takes() && !u.Deferred() && u.Statement() != nil && u.Method == l.Unlock() {
			explicit = append(explicit, u)
		}
	}
	name, last := syntax.FuncName(l.Function()), leaves[len(leaves)-1]
	if len(explicit) == 0 {
		d.say(l.Node().Pos(), "%s is never released: %s (%s) locks it and does not unlock it", d.mutexText(l.Place), name, d.Where(l.Node().Pos()))
	} else {
		does := "returns"
		if b, ok := last.(*ast.BranchStmt); ok {
			does = map[token.Token]string{token.CONTINUE: "goes on", token.BREAK: "leaves the loop"}[b.Tok]
		}
		d.say(last.Pos(), "%s is never released: %s (%s) %s with the lock held%s", d.mutexText(l.Place), name, d.Where(last.Pos()), does, d.condition(l.Place, last))
	}
	if len(explicit) == 0 || readsGuarded(l, leaves) {
		d.deferUnlock(l, own, explicit, weight)
	} else {
		d.unlockBeforeLeaving(l, leaves, weight)
	}
}

// leavesHeld are the statements that leave a function, or a round of the loop in which a lock
// is taken, with the lock held. The end of a function is a return on its closing brace.
func leavesHeld(l syntax.LockUse, w syntax.Ways) (list []ast.Stmt) {
	loop := l.Loop()
	for _, e := range w.Exits {
		if loop == nil || syntax.Contains(loop, e.Pos()) {
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
			if at := l.Of(n); n.Label == nil && n.Pos() > l.Node().End() && at.Loop() == loop && leavesLoop(at, n.Tok) && w.Reach(at) {
				list = append(list, n)
			}
		}
		return true
	})
	return list
}

// leavesLoop reports whether a continue or break is about the loop around it: a break may be
// about a switch or select in it.
func leavesLoop(p syntax.Place, branch token.Token) bool {
	if branch != token.BREAK {
		return branch == token.CONTINUE
	}
	for _, n := range p.Path {
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
func readsGuarded(l syntax.LockUse, leaves []ast.Stmt) bool {
	whole, ok := ast.Unparen(l.Mutex).(*ast.SelectorExpr)
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
func (d lockWaits) deferUnlock(l syntax.LockUse, own, explicit []syntax.LockUse, weight exits.Weight) {
	locks := 0
	for _, u := range own {
		if u.Takes() {
			locks++
		}
	}
	if locks != 1 || l.Loop() != nil {
		return
	}
	ch := d.Change().After(l.Statement(), "defer "+d.UnlockOf(l))
	for _, u := range explicit {
		for _, n := range syntax.WaysFrom(l.Place, u.Node(), nil).Nodes {
			if mayWait(l.Place, n) {
				return
			}
		}
		ch.Remove(u.Statement())
	}
	d.Offer(proposal.Idea{Rule: "pair/defer-unlock", Title: "defer " + d.UnlockOf(l), Weight: weight, Change: ch,
		Why: syntax.FuncName(l.Function()) + " now releases the lock on every way out."})
}

// mayWait reports whether a node calls something or uses a channel.
func mayWait(p syntax.Place, n ast.Node) (may bool) {
	ast.Inspect(n, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.CallExpr:
			builtin, _ := p.Builtin(x)
			may = may || builtin == "" && !p.Info().Types[x.Fun].IsType()
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
func (d lockWaits) unlockBeforeLeaving(l syntax.LockUse, leaves []ast.Stmt, weight exits.Weight) {
	ch := d.Change()
	for _, s := range leaves {
		if e, ok := s.(*ast.ReturnStmt); ok && e.Pos() == syntax.BodyOf(l.Function()).Rbrace {
			return
		}
		ch.Before(s, d.UnlockOf(l))
	}
	d.Offer(proposal.Idea{Rule: "pair/unlock-before-leaving", Title: "call " + d.UnlockOf(l) + " before leaving", Weight: weight, Change: ch,
		Why: syntax.FuncName(l.Function()) + " left with the lock held; it now releases it first."})
}

// functionsOf lists the functions that take a lock, in source order.
func functionsOf(list []syntax.LockUse) []ast.Node {
	var out []ast.Node
	seen := map[ast.Node]bool{}
	for _, l := range list {
		if fn := l.Function(); fn != nil && !seen[fn] {
			seen[fn] = true
			out = append(out, fn)
		}
	}
	return out
}

// unlocks reports whether a node gives back one of the locks, at once or deferred.
func unlocks(list []syntax.LockUse) func(ast.Node) bool {
	return func(n ast.Node) bool {
		for _, l := range list {
			if !l.Takes() && syntax.Contains(n, l.Node().Pos()) {
				return true
			}
		}
		return false
	}
}
