package deadlock

import (
	"cmp"
	"go/ast"
	"strings"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// The rules by what the goroutines wait for.
type (
	// lockWaits: a lock is held by the waiter itself, by another waiter, or was
	// never given back.
	lockWaits struct{ *deadlock }
	// sendWaits: nothing receives what is sent.
	sendWaits struct{ *deadlock }
	// receiveWaits: what is received is sent only after something else was received.
	receiveWaits struct{ *deadlock }
	// otherWaits: nil channels.
	otherWaits struct{ *deadlock }
)

// locks looks at the goroutines that wait for a mutex.
func (d lockWaits) locks() {
	waiting := d.of(waitLock, waitRLock)
	if len(waiting) == 0 {
		return
	}
	all := d.LockUses()
	held := false
	for _, w := range waiting {
		call, ok := w.Node().(*ast.CallExpr)
		if !ok {
			continue
		}
		class := d.MutexClass(w.Place)
		uses := syntax.OfClass(all, class)
		if d.heldBySelf(w, call, uses) {
			held = true
		}
	}
	if !held {
		for _, w := range waiting {
			uses := syntax.OfClass(all, d.MutexClass(w.Place))
			if d.heldByOther(w, uses) {
				held = true
			}
		}
	}
	if held {
		return
	}
	for _, w := range waiting {
		uses := syntax.OfClass(all, d.MutexClass(w.Place))
		d.neverGivenBack(uses)
	}
}

// mutexText names the mutex of a lock call.
func (d lockWaits) mutexText(p syntax.Place) string { return cmp.Or(d.receiverText(p), "the lock") }

// heldBySelf finds the lock among those that the waiting goroutine holds
// itself: in the same function, or in one that called it.
func (d lockWaits) heldBySelf(w waiter, call *ast.CallExpr, uses []syntax.LockUse) bool {
	for i := w.at; i < len(w.frames); i++ {
		fr := w.frames[i]
		if !fr.User {
			continue
		}
		home, ok := d.FunctionAt(fr)
		if !ok {
			continue
		}
		fn := d.Innermost(home, fr.Function, fr.Line)
		var at ast.Node = call
		if i > w.at {
			s, ok := d.statementAt(w, i)
			if !ok {
				continue
			}
			at = s.Node()
		}
		l, found := syntax.HeldAt(uses, fn, at)
		if !found || !d.sameMutex(w, i, l, call) {
			continue
		}
		if i > w.at {
			d.calleeLocks(w, i, l, uses)
		} else if l.Node() == ast.Node(call) { // of an earlier round of the loop
			d.leakOf(l, syntax.InFunction(uses, fn), exits.Origin)
		}
		return true
	}
	return false
}

// sameMutex reports whether a lock held in another frame is the one that is
// waited for, by their addresses; unknown counts as the same.
func (d lockWaits) sameMutex(w waiter, frame int, l syntax.LockUse, call *ast.CallExpr) bool {
	r := d.reader(w)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return true
	}
	a, b := r.Values.Variable(w.at, d.Text(sel.X)), r.Values.Variable(frame, d.Text(l.Mutex))
	if !a.Known || !b.Known {
		return true
	}
	return address(a) == address(b) || address(a) == 0 || address(b) == 0
}

// address is where a value lies, or what a pointer points at.
func address(a analysis.Answer) uint64 {
	v := a.Value
	if strings.HasPrefix(v.Type, "*") {
		if len(v.Children) == 1 {
			return v.Children[0].Addr
		}
		return 0
	}
	return v.Addr
}

// heldByOther: another goroutine holds the lock, and waits itself.
func (d lockWaits) heldByOther(w waiter, uses []syntax.LockUse) bool {
	for _, o := range d.waiters {
		if o.id == w.id {
			continue
		}
		for j := o.at; j < len(o.frames); j++ {
			at, ok := d.statementAt(o, j)
			if !ok {
				continue
			}
			l, found := syntax.HeldAt(uses, at.Function(), at.Node())
			if !found || o.File != nil && l.Node() == o.Node() || o.kind == waitCond {
				continue
			}
			if o.kind == waitLock || o.kind == waitRLock {
				return false
			}
			d.say(at.Node().Pos(), "%s holds the lock %s (%s) while it waits, and %s needs that lock to go on", d.whereWaits(o), d.mutexText(l.Place), d.Where(l.Node().Pos()), d.whereWaits(w))
			return true
		}
	}
	return false
}
