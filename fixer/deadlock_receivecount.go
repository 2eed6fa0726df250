package fixer

// receivesMore: a loop receives more values than are sent.
func (d receiveWaits) receivesMore(r onChannel, uses *chanUses) {
	l := r.use.loop()
	if l == nil || r.use.comm() != nil || len(uses.sends) == 0 {
		return
	}
	for _, s := range uses.sends {
		if branches(s) || s.comm() != nil {
			return
		}
	}
	sent, ok := d.sentOn(r.use, r.ch, 0)
	got, okGot := d.iterations(r.use, l)
	if !ok || !okGot || sent.String() == got.String() {
		return
	}
	if n, known := d.reader(r.waiter).evaluate(r.use, r.at, sent); known {
		if m, ok := d.reader(r.waiter).evaluate(r.use, r.at, got); ok && m == n {
			return
		}
	}
	d.say(l.Pos(), "%s gets %s values, and %s (%s) waits for %s", d.text(r.ch), sent.String(), funcName(r.use.function()), d.where(l.Pos()), got.String())
}
