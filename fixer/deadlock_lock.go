package fixer

import (
	"fmt"
	"go/ast"
	"strings"
)

// locks looks at the goroutines that wait for a mutex.
func (d lockWaits) locks() {
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
func (d lockWaits) mutexText(p place) string {
	sel, ok := ast.Unparen(p.node().(*ast.CallExpr).Fun).(*ast.SelectorExpr)
	if !ok {
		return "the lock"
	}
	return d.text(sel.X)
}

// heldBySelf finds the lock among those that the waiting goroutine holds
// itself: in the same function, or in one that called it.
func (d lockWaits) heldBySelf(w waiter, call *ast.CallExpr, uses []lockUse) bool {
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
			s, ok := d.statementAt(w, i)
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
func (d lockWaits) sameMutex(w waiter, frame int, l lockUse, call *ast.CallExpr) bool {
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
func (d lockWaits) deferredLock(w waiter, call *ast.CallExpr, uses []lockUse) bool {
	for _, l := range inFunction(uses, w.function()) {
		if l.takes() && !l.deferred() && l.node() != ast.Node(call) {
			sel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			want := strings.Replace(sel.Sel.Name, "Lock", "Unlock", 1)
			d.say(call.Pos(), "%s is locked twice by %s: the deferred call (%s) is %s, not %s", d.mutexText(w.place), funcName(w.function()), d.where(call.Pos()), sel.Sel.Name, want)
			d.offer(idea{rule: "deadlock/deferred-lock", title: fmt.Sprintf("defer %s instead of %s", want, sel.Sel.Name), weight: origin - 2,
				change: d.change().replace(sel.Sel.Pos(), sel.Sel.End(), want),
				why:    fmt.Sprintf("What %s (%s) locked is unlocked at the end.", l.method, d.where(l.node().Pos()))})
			return true
		}
	}
	return false
}

// lockedTwice: one function takes the lock a second time without having given
// it back.
func (d lockWaits) lockedTwice(w waiter, call *ast.CallExpr, l lockUse, uses []lockUse) {
	own := inFunction(uses, w.function())
	mutex := d.mutexText(w.place)
	if l.node() == ast.Node(call) {
		d.say(call.Pos(), "%s is locked again on the next iteration of the loop (%s): %s has not released it", mutex, d.where(call.Pos()), funcName(w.function()))
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
		d.offer(idea{rule: "deadlock/locked-twice", title: fmt.Sprintf("call %s instead of the second %s", want, sel.Sel.Name), weight: origin,
			change: d.change().replace(sel.Sel.Pos(), sel.Sel.End(), want),
			why:    fmt.Sprintf("%s took the lock twice and never released it.", funcName(w.function()))})
		return
	}
	d.leakOf(l, own, own, origin)
	d.dropInner(w.place, call, own)
}

// dropInner takes the second lock out with the unlock that belongs to it.
func (d lockWaits) dropInner(p place, call *ast.CallExpr, own []lockUse) {
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
	d.offer(idea{rule: "deadlock/drop-inner", title: "lock only once", weight: origin + 1, change: ch,
		why: "The function holds the lock already; what is between stays under it."})
}

// lockInLoop: every iteration of a loop locks, and unlocks only at the end of the
// function, or not on every way.
func (d lockWaits) lockInLoop(w waiter, l lockUse, own []lockUse) {
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
			d.offer(idea{rule: "deadlock/lock-in-loop", title: "unlock at the end of each iteration", weight: origin, change: d.change().remove(u.statement()).last(body, text),
				why: "A deferred unlock runs when the function ends, not when the iteration of the loop does."})
		}
		moved := d.change().remove(l.statement()).remove(u.statement()).before(loop, d.text(l.statement())+"\n"+d.text(u.statement()))
		d.offer(idea{rule: "deadlock/lock-in-loop", title: "lock once, before the loop", weight: origin + 1, change: moved,
			why: "The lock is held for the whole loop and released when the function ends."})
		return
	}
	d.leakOf(l, own, own, origin)
}

// upgrade: a read lock is held when the write lock is taken.
func (d lockWaits) upgrade(w waiter, l lockUse, call *ast.CallExpr, own []lockUse) {
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
	d.offer(idea{rule: "deadlock/upgrade", title: "take the write lock from the beginning", weight: origin, change: ch,
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
	d.offer(idea{rule: "deadlock/upgrade", title: "release the read lock before taking the write lock", weight: origin + 1, change: between,
		why: "Between the two, another goroutine may come first; the code after that must not rely on what it read before."})
}
