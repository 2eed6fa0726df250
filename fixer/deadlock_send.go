package fixer

// sending looks at the goroutines that wait to send.
func (d sendWaits) sending() {
	seen := map[any]bool{}
	for _, s := range d.sendersWaiting() {
		if s.class == nil || seen[s.class] || s.nilChan {
			continue
		}
		seen[s.class] = true
		uses := d.usesOfClass(s.class)
		d.sendThenReceive(s, uses)
		if len(uses.takes()) == 0 {
			d.say(s.use.node().Pos(), "%s (%s) waits forever to send on %s: nothing receives from it", funcName(s.use.function()), d.where(s.use.node().Pos()), d.text(s.ch))
		}
	}
}

// sendThenReceive: the function that sends is the one that would receive later.
func (d sendWaits) sendThenReceive(s onChannel, uses *chanUses) {
	at := s.use
	top := at.top()
	if top == nil {
		return
	}
	waitsFor := s // the channel of which the sender will receive later
	later, cross := d.takenLater(at, uses), false
	if !later {
		waitsFor, cross = d.otherEnd(s)
		if !cross {
			return
		}
	}
	if cross {
		d.say(at.node().Pos(), "%s (%s) sends on %s while those that receive wait to send on %s (%s), from which it receives only afterwards",
			funcName(at.function()), d.where(at.node().Pos()), d.text(s.ch), d.text(waitsFor.ch), d.where(waitsFor.use.node().Pos()))
	} else {
		d.say(at.node().Pos(), "%s has no receiver when %s (%s) sends on it: the same goroutine receives only afterwards",
			d.text(s.ch), funcName(at.function()), d.where(at.node().Pos()))
	}
}

// takenLater reports whether a function receives from a channel after a place.
func (d sendWaits) takenLater(at place, uses *chanUses) bool {
	for _, t := range uses.takes() {
		if t.function() == at.function() && t.node().Pos() > at.node().End() {
			return true
		}
	}
	return false
}

// otherEnd finds the goroutine that would receive what is sent here, but waits to
// send something that this function receives later.
func (d sendWaits) otherEnd(s onChannel) (onChannel, bool) {
	for _, o := range d.sendersWaiting() {
		if o.class == s.class || o.class == nil || o.id == s.id {
			continue
		}
		if d.takenLater(s.use, d.usesOfClass(o.class)) && d.behind(s.waiter, o.waiter) {
			return o, true
		}
	}
	return onChannel{}, false
}
