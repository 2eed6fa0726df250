package fixer

import "github.com/pausetui/pausetui/fixer/syntax"

// heldByOther: another goroutine holds the lock, and waits itself.
func (d lockWaits) heldByOther(w waiter, uses, all []syntax.LockUse) bool {
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
