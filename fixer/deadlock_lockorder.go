package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// heldByOther: another goroutine holds the lock, and waits itself.
func (d lockWaits) heldByOther(w waiter, uses, all []lockUse) bool {
	for _, o := range d.waiters {
		if o.id == w.id {
			continue
		}
		for j := o.at; j < len(o.frames); j++ {
			at, ok := d.statementAt(o, j)
			if !ok {
				continue
			}
			l, found := heldAt(uses, at.function(), at.node())
			if !found || o.file != nil && l.node() == o.node() || o.kind == waitCond {
				continue
			}
			if o.kind == waitLock || o.kind == waitRLock {
				return d.lockOrder(w, o, l, uses, all)
			}
			d.say(at.node().Pos(), "%s holds the lock %s (%s) while it waits, and %s needs that lock to go on", d.whereWaits(o), d.text(l.mutex), d.where(l.node().Pos()), d.whereWaits(w))
			if !d.overCopy(at, l, uses) {
				d.releaseFirst(at, l, uses)
			}
			return true
		}
	}
	return false
}

// releaseFirst gives a lock back before a statement that waits.
func (d lockWaits) releaseFirst(at place, l lockUse, uses []lockUse) {
	own := inFunction(uses, l.function())
	list := statements(at.anchorBlock())
	_, i := within(list, at.node().Pos())
	for _, u := range own {
		if u.takes() || u.deferred() || u.statement() == nil || u.node().Pos() < at.node().End() || u.anchorBlock() != at.anchorBlock() {
			continue
		}
		ch := d.change().remove(u.statement()).before(at.node(), d.text(u.statement()))
		d.offer(idea{rule: "deadlock/release-first", title: fmt.Sprintf("unlock %s before the wait", d.text(l.mutex)), weight: origin, change: ch,
			why: fmt.Sprintf("%s no longer holds the lock while it waits for others that need it.", subject(l.function()))})
		return
	}
	last := i == len(list)-1 || i == len(list)-2 && isReturn(list[len(list)-1])
	if last && ast.Node(bodyOf(l.function())) == at.anchorBlock() {
		d.unlockEarly(at, l, own, origin)
		return
	}
	unlock := strings.Replace(l.method, "Lock", "Unlock", 1)
	text := d.text(l.mutex)
	ch := d.change().before(at.node(), text+"."+unlock+"()").after(at.node(), text+"."+l.method+"()")
	d.offer(idea{rule: "deadlock/release-first", title: fmt.Sprintf("release %s during the wait", text), weight: origin + 2, change: ch,
		why: "The lock is taken again when the wait is over; what it guards may have changed meanwhile."})
}

func isReturn(s ast.Stmt) bool { _, ok := s.(*ast.ReturnStmt); return ok }

// lockOrder: two goroutines take two locks in different order.
func (d lockWaits) lockOrder(w, o waiter, l lockUse, uses, all []lockUse) bool {
	fn := w.function()
	class := d.mutexClass(o.place)
	mine, ok := heldAt(ofClass(all, class), fn, w.node())
	if ok && w.node().Pos() == o.node().Pos() {
		d.say(w.node().Pos(), "goroutines %d and %d wait for each other in %s: each holds as %s the lock that the other needs as %s",
			w.id, o.id, d.whereWaits(w), d.text(mine.mutex), d.mutexText(w.place))
	} else {
		d.say(w.node().Pos(), "two goroutines take the same locks in a different order: %s waits for %s, which %s holds while it waits for %s",
			d.whereWaits(w), d.mutexText(w.place), d.whereWaits(o), d.mutexText(o.place))
	}
	if !ok {
		return true
	}
	if class == d.mutexClass(w.place) {
		d.orderByKey(w, mine)
		return true
	}
	if w.statement() == nil || mine.statement() == nil {
		return true
	}
	// The second lock of one of the functions comes first.
	ch := d.change().remove(w.statement()).before(mine.statement(), d.text(w.statement()))
	d.offer(idea{rule: "deadlock/lock-order", title: fmt.Sprintf("take %s before %s in %s", d.mutexText(w.place), d.text(mine.mutex), funcName(fn)), weight: origin, change: ch,
		why: fmt.Sprintf("All functions now take the two locks in the order of %s.", funcName(o.function()))})
	if l.statement() != nil && o.statement() != nil && l.function() == o.function() {
		other := d.change().remove(o.statement()).before(l.statement(), d.text(o.statement()))
		d.offer(idea{rule: "deadlock/lock-order", title: fmt.Sprintf("take %s before %s in %s", d.mutexText(o.place), d.text(l.mutex), funcName(o.function())), weight: origin + 1, change: other,
			why: fmt.Sprintf("All functions now take the two locks in the order of %s.", funcName(fn))})
	}
	return true
}

// orderByKey lets a function that locks two values of one type lock the one
// with the smaller key first.
func (d lockWaits) orderByKey(w waiter, mine lockUse) {
	sel, ok := ast.Unparen(w.node().(*ast.CallExpr).Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	second, okSecond := lockOwner(sel.X)
	first, okFirst := lockOwner(mine.mutex)
	if !okFirst || !okSecond || d.text(first) == d.text(second) || mine.statement() == nil || w.statement() == nil {
		return
	}
	key, ok := orderKey(w.place, second)
	if !ok {
		return
	}
	block := mine.anchorBlock()
	if block != w.anchorBlock() {
		return
	}
	a, b := fresh(w.place, "first", "lower"), fresh(w.place, "second", "higher")
	x, y := d.text(first), d.text(second)
	suffix := strings.TrimPrefix(d.text(mine.mutex), x)
	lines := fmt.Sprintf("%s, %s := %s, %s\nif %s.%s < %s.%s {\n\t%s, %s = %s, %s\n}\n%s%s.%s()\n%s%s.%s()",
		a, b, x, y, b, key, a, key, a, b, b, a, a, suffix, mine.method, b, suffix, mine.method)
	ch := d.change().remove(w.statement())
	// What unlocks the second must run on every way, as the second is now
	// taken together with the first.
	list := statements(block)
	_, i := within(list, mine.node().Pos())
	_, j := within(list, w.node().Pos())
	if leaves(list[i:j]) {
		return
	}
	ch.instead(mine.statement(), lines)
	d.offer(idea{rule: "deadlock/order-by-key", title: fmt.Sprintf("lock the one with the smaller %s first", key), weight: origin, change: ch,
		why: fmt.Sprintf("Whichever way %s is called, the two locks are now taken in one order.", funcName(w.function()))})
}

// lockOwner is the value whose field a mutex is.
func lockOwner(e ast.Expr) (ast.Expr, bool) {
	switch x := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		return x.X, true
	case *ast.Ident:
		return x, true
	}
	return nil, false
}

// orderKey finds a field that orders values of a struct type.
func orderKey(p place, e ast.Expr) (string, bool) {
	st, ok := underStruct(p.info().TypeOf(e))
	if !ok {
		return "", false
	}
	for _, want := range []string{"id", "key", "number", "no", "num", "name", "code", "seq", "index"} {
		for i := range st.NumFields() {
			f := st.Field(i)
			b, basic := f.Type().Underlying().(*types.Basic)
			if basic && b.Info()&types.IsOrdered != 0 && strings.EqualFold(f.Name(), want) {
				return f.Name(), true
			}
		}
	}
	return "", false
}
