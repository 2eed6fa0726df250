package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// locks looks at those who wait for a mutex.
func (d *deadlock) locks() {
	waiting := d.of(waitLock, waitRLock)
	if len(waiting) == 0 {
		return
	}
	all := d.lockUses()
	held := false
	for _, w := range waiting {
		call, ok := w.node().(*ast.CallExpr)
		if !ok {
			continue
		}
		class := d.mutexClass(w.place)
		uses := ofClass(all, class)
		if d.heldBySelf(w, call, uses) {
			held = true
		}
	}
	if !held {
		for _, w := range waiting {
			uses := ofClass(all, d.mutexClass(w.place))
			if d.heldByOther(w, uses, all) {
				held = true
			}
		}
	}
	if held {
		return
	}
	for _, w := range waiting {
		uses := ofClass(all, d.mutexClass(w.place))
		d.copiedLock(w)
		d.neverGivenBack(w, uses)
	}
}

// mutexText names the mutex of a lock call: the embedding value where it is embedded.
func (d *deadlock) mutexText(p place) string {
	sel, ok := ast.Unparen(p.node().(*ast.CallExpr).Fun).(*ast.SelectorExpr)
	if !ok {
		return "the lock"
	}
	return d.text(sel.X)
}

// heldBySelf finds the lock among those that the waiting goroutine holds
// itself: in the same function, or in one that called it.
func (d *deadlock) heldBySelf(w waiter, call *ast.CallExpr, uses []lockUse) bool {
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
		var at ast.Node = call
		if i > w.at {
			s, ok := d.standsAt(w, i)
			if !ok {
				continue
			}
			at = s.node()
		}
		if w.deferred() && i == w.at {
			if d.deferredLock(w, call, uses) {
				return true
			}
		}
		l, found := heldAt(uses, fn, at)
		if !found || !d.sameMutex(w, i, l, call) {
			continue
		}
		if i == w.at {
			d.lockedTwice(w, call, l, uses)
		} else {
			d.calleeLocks(w, i, l, uses)
		}
		return true
	}
	return false
}

// sameMutex reports whether a lock held in another frame is the one that is
// waited for, by their addresses; unknown counts as the same.
func (d *deadlock) sameMutex(w waiter, frame int, l lockUse, call *ast.CallExpr) bool {
	r := d.reader(w)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return true
	}
	a, b := r.values.variable(w.at, d.text(sel.X)), r.values.variable(frame, d.text(l.mutex))
	if !a.known || !b.known {
		return true
	}
	return address(a) == address(b) || address(a) == 0 || address(b) == 0
}

// address is where a value lies, or what a pointer points at.
func address(a answer) uint64 {
	v := a.value
	if strings.HasPrefix(v.Type, "*") {
		if len(v.Children) == 1 {
			return v.Children[0].Addr
		}
		return 0
	}
	return v.Addr
}

// deferredLock: "defer mu.Lock()" where Unlock was meant.
func (d *deadlock) deferredLock(w waiter, call *ast.CallExpr, uses []lockUse) bool {
	for _, l := range inFunction(uses, w.function()) {
		if l.takes() && !l.deferred() && l.node() != ast.Node(call) {
			sel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			want := strings.Replace(sel.Sel.Name, "Lock", "Unlock", 1)
			d.say(call.Pos(), "%s is locked twice by %s: the deferred call (%s) is %s, not %s", d.mutexText(w.place), funcName(w.function()), d.where(call.Pos()), sel.Sel.Name, want)
			d.offer(idea{title: fmt.Sprintf("defer %s instead of %s", want, sel.Sel.Name), weight: origin - 2,
				change: d.change().replace(sel.Sel.Pos(), sel.Sel.End(), want),
				why:    fmt.Sprintf("What %s (%s) took is given back at the end.", l.method, d.where(l.node().Pos()))})
			return true
		}
	}
	return false
}

// lockedTwice: one function takes the lock a second time without having given
// it back.
func (d *deadlock) lockedTwice(w waiter, call *ast.CallExpr, l lockUse, uses []lockUse) {
	own := inFunction(uses, w.function())
	mutex := d.mutexText(w.place)
	if l.node() == ast.Node(call) {
		d.say(call.Pos(), "%s is locked again on the next turn of the loop (%s): %s has not given it back", mutex, d.where(call.Pos()), funcName(w.function()))
		d.lockInLoop(w, l, own)
		return
	}
	d.say(call.Pos(), "%s is locked twice by %s: at %s and, without an unlock between, at %s", mutex, funcName(w.function()), d.where(l.node().Pos()), d.where(call.Pos()))
	sel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if l.method == "RLock" && sel.Sel.Name == "Lock" {
		d.upgrade(w, l, call, own)
		return
	}
	free := true
	for _, u := range own {
		if !u.takes() && (u.deferred() || u.node().Pos() > call.Pos()) {
			free = false
		}
	}
	want := strings.Replace(sel.Sel.Name, "Lock", "Unlock", 1)
	if free {
		d.offer(idea{title: fmt.Sprintf("call %s instead of the second %s", want, sel.Sel.Name), weight: origin,
			change: d.change().replace(sel.Sel.Pos(), sel.Sel.End(), want),
			why:    fmt.Sprintf("%s took the lock twice and never gave it back.", funcName(w.function()))})
		return
	}
	d.leakOf(l, own, own, origin)
	d.dropInner(w.place, call, own)
}

// dropInner takes the second lock out with the unlock that belongs to it.
func (d *deadlock) dropInner(p place, call *ast.CallExpr, own []lockUse) {
	at := p.of(call)
	if at.statement() == nil {
		return
	}
	ch := d.change().remove(at.statement())
	for _, u := range own {
		if !u.takes() && u.node().Pos() > call.Pos() && u.statement() != nil && u.anchorBlock() == at.anchorBlock() {
			ch.remove(u.statement())
			break
		}
	}
	d.offer(idea{title: "lock only once", weight: origin + 1, change: ch,
		why: "The function holds the lock already; what is between stays under it."})
}

// lockInLoop: every turn of a loop locks, and unlocks only at the end of the
// function, or not on every way.
func (d *deadlock) lockInLoop(w waiter, l lockUse, own []lockUse) {
	loop := l.loop()
	if loop == nil || l.statement() == nil {
		return
	}
	body := loopBody(loop)
	for _, u := range own {
		if u.takes() || !u.deferred() || !contains(body, u.node().Pos()) {
			continue
		}
		text := d.text(u.node())
		if !leaves(body.List) && l.anchorBlock() == ast.Node(body) {
			d.offer(idea{title: "unlock at the end of each turn", weight: origin, change: d.change().remove(u.statement()).last(body, text),
				why: "A deferred unlock runs when the function ends, not when the turn of the loop does."})
		}
		moved := d.change().remove(l.statement()).remove(u.statement()).before(loop, d.text(l.statement())+"\n"+d.text(u.statement()))
		d.offer(idea{title: "lock once, before the loop", weight: origin + 1, change: moved,
			why: "The lock is held for the whole loop and given back when the function ends."})
		return
	}
	d.leakOf(l, own, own, origin)
}

// upgrade: a read lock is held when the write lock is taken.
func (d *deadlock) upgrade(w waiter, l lockUse, call *ast.CallExpr, own []lockUse) {
	ch := d.change()
	for _, u := range own {
		sel := ast.Unparen(u.node().(*ast.CallExpr).Fun).(*ast.SelectorExpr)
		switch {
		case u.method == "RLock" || u.method == "RUnlock":
			ch.replace(sel.Sel.Pos(), sel.Sel.End(), strings.TrimPrefix(u.method, "R"))
		case u.statement() != nil:
			ch.remove(u.statement())
		}
	}
	d.offer(idea{title: "take the write lock from the beginning", weight: origin, change: ch,
		why: "A read lock cannot become a write lock while it is held; the function now holds the write lock for both."})
	for _, u := range own {
		if u.method == "RUnlock" && u.deferred() {
			return
		}
	}
	at := w.of(call)
	if at.statement() == nil {
		return
	}
	between := d.change().before(at.statement(), d.text(l.mutex)+".RUnlock()")
	for _, u := range own {
		if u.method == "Unlock" && u.node().Pos() > call.Pos() && u.statement() != nil {
			between.after(u.statement(), d.text(l.mutex)+".RLock()")
			break
		}
	}
	d.offer(idea{title: "give the read lock back before taking the write lock", weight: origin + 1, change: between,
		why: "Between the two, another goroutine may come first; the code after that must not rely on what it read before."})
}

// neverGivenBack: a function that has ended left the lock taken.
func (d *deadlock) neverGivenBack(w waiter, uses []lockUse) {
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
func (d *deadlock) leakOf(l lockUse, own, uses []lockUse, weight weight) {
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
		d.say(l.node().Pos(), "%s is never given back: %s (%s) locks it and does not unlock it", d.text(l.mutex), funcName(fn), d.where(l.node().Pos()))
	case leak != nil:
		d.say(leak.Pos(), "%s is never given back: %s (%s) returns with the lock taken%s", d.text(l.mutex), funcName(fn), d.where(leak.Pos()), d.condition(l.place, leak.(*ast.ReturnStmt)))
	}
	d.deferUnlock(l, own, uses, explicit, unlock, weight)
	if len(explicit) > 0 {
		d.unlockBeforeLeaving(l, own, unlock, weight+1)
	}
}

// deferUnlock gives the lock back when the function ends, whichever way.
func (d *deadlock) deferUnlock(l lockUse, own, uses []lockUse, explicit []lockUse, unlock string, weight weight) {
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
	d.offer(idea{title: fmt.Sprintf("defer %s", unlock), weight: weight, change: ch,
		why: fmt.Sprintf("%s now gives the lock back on every way out.", funcName(fn))})
}

// waitsOrLocks reports whether a node waits for others, or takes the same lock,
// itself or through what it calls.
func (d *deadlock) waitsOrLocks(p place, n ast.Node, uses []lockUse) bool {
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
func (d *deadlock) unlockBeforeLeaving(l lockUse, own []lockUse, unlock string, weight weight) {
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
	d.offer(idea{title: fmt.Sprintf("call %s before leaving", unlock), weight: weight, change: ch,
		why: fmt.Sprintf("%s left with the lock taken; it now gives it back first.", funcName(l.function()))})
}

// reaches reports whether the ways come to a branch statement: to the condition
// of the if, or the statement, before it.
func (d *deadlock) reaches(w ways, at place, b *ast.BranchStmt) bool {
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

// copiedLock: the mutex is part of a copy that was made while it was locked.
func (d *deadlock) copiedLock(w waiter) {
	sel, ok := w.on.(*ast.SelectorExpr)
	root := w.on
	if ok {
		root = sel.X
	}
	src, e := d.copyOf(d.reader(w).trace(w.place, w.at, root))
	if e == nil {
		return
	}
	star, isStar := e.(*ast.StarExpr)
	st, isStruct := underStruct(src.info().TypeOf(e))
	if !isStar || !isStruct || src.stmt == nil {
		return
	}
	t, fits := typeText(src.place, src.info().TypeOf(e))
	if !fits || !isPath(star.X) {
		return
	}
	d.say(e.Pos(), "%s is the lock of a copy that was made while it was locked: %s (%s)", d.text(w.on), d.text(e), d.where(e.Pos()))
	ch := d.change()
	var parts []string
	for i := range st.NumFields() {
		field := st.Field(i)
		if n := named(field.Type()); n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync" {
			if _, isPtr := field.Type().(*types.Pointer); !isPtr {
				continue
			}
		}
		value := d.text(star.X) + "." + field.Name()
		switch field.Type().Underlying().(type) {
		case *types.Map:
			value = "maps.Clone(" + value + ")"
			ch.need(src.file, "maps")
		case *types.Slice:
			value = "slices.Clone(" + value + ")"
			ch.need(src.file, "slices")
		}
		parts = append(parts, field.Name()+": "+value)
	}
	d.offer(idea{title: "copy the fields, not the lock", weight: origin, change: ch.replace(e.Pos(), e.End(), t+"{"+strings.Join(parts, ", ")+"}"),
		why: "The copy gets a lock of its own, which is not held, and maps and slices of its own."})
}

// copyOf follows a value through the calls that return it, as far as the copy
// that it is.
func (d *deadlock) copyOf(src source) (source, ast.Expr) {
	for range maxTrace {
		if src.expr == nil {
			return src, nil
		}
		e := ast.Unparen(src.expr)
		switch x := e.(type) {
		case *ast.UnaryExpr:
			src = d.trace(src.place, -1, x.X)
			if src.expr == x.X {
				return src, nil
			}
		case *ast.CallExpr:
			decl, ok := d.declarationOf(src.callee(x))
			if !ok {
				return src, nil
			}
			returns := returnsOf(decl.node())
			if len(returns) == 0 || src.result >= len(returns[len(returns)-1].Results) {
				return src, nil
			}
			result := returns[len(returns)-1].Results[src.result]
			src = d.trace(decl.of(result), -1, result)
		default:
			return src, e
		}
	}
	return src, nil
}
