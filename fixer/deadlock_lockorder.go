package fixer

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
				return false
			}
			d.say(at.node().Pos(), "%s holds the lock %s (%s) while it waits, and %s needs that lock to go on", d.whereWaits(o), d.mutexText(l.place), d.where(l.node().Pos()), d.whereWaits(w))
			return true
		}
	}
	return false
}
