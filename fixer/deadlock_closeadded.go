package fixer

import (
	"fmt"
	"go/ast"
)

// closeBySender: nothing closes the channel. Who knows that all is sent does.
func (d closeWaits) closeBySender(r onChannel, uses *chanUses) {
	if len(uses.sends) == 0 {
		d.closeSignal(r, uses)
		return
	}
	// A function that has sent all and now waits itself.
	for _, s := range uses.sends {
		w, i, ok := d.running(s, s.function())
		if !ok {
			continue
		}
		if d.closeAfterSends(r, uses, s, w, i) {
			return
		}
	}
	if d.closeBeforeWait(r, uses) {
		return
	}
	d.closeInGoroutine(r, uses)
}

// closeBeforeWait closes before the wait for the receivers, when all was
// sent by calls that have returned.
func (d closeWaits) closeBeforeWait(r onChannel, uses *chanUses) bool {
	for _, s := range uses.sends {
		started, plain := d.runsIn(s, s.function())
		if _, _, alive := d.running(s, s.function()); alive || len(started) > 0 || !plain {
			return false
		}
	}
	for _, w := range d.waiters {
		if w.id == r.id || w.kind != waitGroup && w.kind != waitReceive {
			continue
		}
		for i := w.at; i < len(w.frames); i++ {
			at, ok := d.statementAt(w, i)
			if !ok {
				continue
			}
			name := d.nameOf(at, r.class)
			if name == "" {
				continue
			}
			d.say(at.node().Pos(), "%s is never closed and %s: %s waits without closing it first", d.text(r.ch), d.notClosed(r), d.whereWaits(w))
			return d.offer(idea{rule: "deadlock/close-before-wait", title: fmt.Sprintf("close %s before the wait", name), weight: origin, change: d.change().before(at.node(), "close("+name+")"),
				why: "With the close, those who receive know that nothing more will come, and end; then the wait ends too."})
		}
	}
	return false
}

// closeAfterSends closes after the last send of a function that goes on to wait.
func (d closeWaits) closeAfterSends(r onChannel, uses *chanUses, s place, w waiter, i int) bool {
	at, ok := d.statementAt(w, i)
	if !ok || at.function() != s.function() || s.node().Pos() > at.node().Pos() {
		return false
	}
	list := statements(at.anchorBlock())
	var last ast.Stmt
	for _, other := range uses.sends {
		if other.function() != s.function() {
			continue
		}
		t, k := within(list, other.node().Pos())
		if k < 0 {
			return false
		}
		if last == nil || t.Pos() > last.Pos() {
			last = t
		}
	}
	if last == nil || last.End() > at.node().Pos() && last != at.node() {
		return false
	}
	ch := d.text(channelOf(s.node()))
	d.say(last.Pos(), "%s is never closed and %s: %s (%s) does not close it after the last send", d.text(r.ch), d.notClosed(r), funcName(s.function()), d.where(s.node().Pos()))
	return d.offer(idea{rule: "deadlock/close-after-sends", title: fmt.Sprintf("close %s after the last send", ch), weight: origin, change: d.change().after(last, "close("+ch+")"),
		why: "With the close, those who receive know that nothing more will come, and end."})
}

// closeSignal closes a channel that only says by its close that it is time to end.
func (d closeWaits) closeSignal(r onChannel, uses *chanUses) {
	if len(uses.makes) != 1 || d.main == nil || d.main.id == r.id {
		return
	}
	at, ok := d.statementAt(*d.main, d.main.at)
	if !ok {
		return
	}
	if name := d.nameOf(at, r.class); name != "" {
		d.say(at.node().Pos(), "%s is never closed and %s: %s waits without closing it", name, d.notClosed(r), d.whereWaits(*d.main))
		d.offer(idea{rule: "deadlock/close-signal", title: fmt.Sprintf("close %s before the wait", name), weight: origin, change: d.change().before(at.node(), "close("+name+")"),
			why: "The close tells the goroutines to end; then they can be waited for."})
	}
}

// closeInGoroutine closes where the goroutines end that send.
func (d closeWaits) closeInGoroutine(r onChannel, uses *chanUses) {
	started := d.startersOf(uses)
	if len(started) == 0 {
		return
	}
	g := started[0]
	d.say(g.node().Pos(), "%s is never closed and %s: what sends on it, started at %s, ends without a close", d.text(r.ch), d.notClosed(r), d.where(g.node().Pos()))
	ch := d.change()
	if !d.closing(ch, r, uses, started) {
		return
	}
	if len(started) == 1 && g.loop() == nil {
		d.offer(idea{rule: "deadlock/close-in-goroutine", title: fmt.Sprintf("close %s when its sender is done", d.text(r.ch)), weight: origin, change: ch,
			why: fmt.Sprintf("The goroutine started at %s is the only one that sends; it closes the channel when it ends.", d.where(g.node().Pos()))})
		return
	}
	d.offer(idea{rule: "deadlock/close-in-goroutine", title: fmt.Sprintf("close %s when all its senders are done", d.text(r.ch)), weight: origin, change: ch,
		why: "The channel is closed when the goroutines that send on it have all ended, so that the loop over it ends."})
}

// closing closes the channel when the goroutines that send have ended.
func (d closeWaits) closing(ch *change, r onChannel, uses *chanUses, started []place) bool {
	if len(started) == 1 && started[0].loop() == nil {
		return d.deferClose(ch, uses, started[0])
	}
	return d.closeAfterAll(ch, r, uses, started)
}

// deferClose lets the only sending goroutine close the channel when it ends.
func (d closeWaits) deferClose(ch *change, uses *chanUses, g place) bool {
	stmt, ok := g.node().(*ast.GoStmt)
	var body *ast.BlockStmt
	name := ""
	if ok {
		if lit, isLit := stmt.Call.Fun.(*ast.FuncLit); isLit {
			body = lit.Body
		} else if decl, found := d.declarationOf(g.callee(stmt.Call)); found {
			body = bodyOf(decl.node())
		}
	} else if call, isCall := g.node().(*ast.CallExpr); isCall && len(call.Args) == 1 {
		if lit, isLit := call.Args[0].(*ast.FuncLit); isLit {
			body = lit.Body
		}
	}
	if body == nil {
		return false
	}
	for _, s := range uses.sends {
		if contains(body, s.node().Pos()) {
			name = d.text(channelOf(s.node()))
		}
	}
	if name == "" {
		if name = d.nameOf(g, d.flowOf().class(uses.sends[0], channelOf(uses.sends[0].node()))); name == "" {
			return false
		}
	}
	ch.first(body, "defer close("+name+")")
	return true
}

// closeAfterAll closes the channel when all the goroutines that send have
// ended: after the wait of the group that counts them, or of a new one.
func (d closeWaits) closeAfterAll(ch *change, r onChannel, uses *chanUses, started []place) bool {
	first, last := started[0], started[len(started)-1]
	top := last.anchor()
	for _, l := range last.loops() {
		top = l
	}
	if top == nil || first.function() != last.function() {
		return false
	}
	name := d.nameOf(last, r.class)
	if name == "" {
		name = d.passedAs(last, uses)
	}
	if name == "" {
		return false
	}
	wg, wait := d.groupOf(started)
	lead := lineIndentAt(d.code, top)
	closer := func(wg string) string {
		return fmt.Sprintf("%sgo func() {\n%s\t%s.Wait()\n%s\tclose(%s)\n%s}()\n", lead, lead, wg, lead, name, lead)
	}
	if wg != "" {
		if d.waitsFirst(wait, last, r) {
			ch.after(wait.statement(), "close("+name+")") // all is sent already when the loop begins
		} else {
			ch.insertBelow(top, closer(wg))
		}
		return true
	}
	group := fresh(first, "wg", "senders", "sending")
	outer := first.anchor()
	for _, l := range first.loops() {
		outer = l
	}
	ch.before(outer, "var "+group+" "+pkgName(first.file, "sync")+".WaitGroup").need(first.file, "sync")
	for _, g := range started {
		if _, ok := g.node().(*ast.GoStmt); !ok {
			return false
		}
		ch.before(g.anchor(), group+".Add(1)")
		d.countDown(ch, g, group)
	}
	ch.insertBelow(top, closer(group))
	return true
}

// waitsFirst reports whether the group is waited for before the channel is
// received from, in one function.
func (d closeWaits) waitsFirst(wait, started place, r onChannel) bool {
	if wait.file == nil || wait.statement() == nil || wait.deferred() {
		return false
	}
	if wait.function() == started.function() && wait.function() == r.use.function() {
		return wait.node().Pos() < r.use.node().Pos()
	}
	return wait.function() != r.use.function() && wait.declaration() == started.declaration() && d.runsAsGoroutine(wait)
}

// passedAs is how the channel is named in the arguments of a go statement.
func (d closeWaits) passedAs(g place, uses *chanUses) string {
	stmt, ok := g.node().(*ast.GoStmt)
	if !ok {
		return ""
	}
	for _, a := range stmt.Call.Args {
		if isChan(g.info().TypeOf(a)) && d.usesOf(g, a) == uses {
			return d.text(a)
		}
	}
	if lit, isLit := stmt.Call.Fun.(*ast.FuncLit); isLit {
		for _, s := range uses.sends {
			if contains(lit, s.node().Pos()) {
				return d.text(channelOf(s.node()))
			}
		}
	}
	return ""
}

// groupOf finds the WaitGroup that counts started goroutines, as it is named
// where they are started, and its wait.
func (d closeWaits) groupOf(started []place) (name string, wait place) {
	for _, g := range started {
		var list []place
		d.each(func(p place) {
			ast.Inspect(p.file, func(n ast.Node) bool {
				if wg, call := waitGroupCall(p, n, "Add"); wg != nil {
					if after, ok := d.goAfter(p.of(call)); ok && after.node() == g.node() {
						name = d.text(wg)
						list = append(list, p.of(call))
					}
				}
				return true
			})
		})
		if call, ok := g.node().(*ast.CallExpr); ok {
			if wg, _ := waitGroupCall(g, call, "Go"); wg != nil {
				name = d.text(wg)
				list = append(list, g)
			}
		}
		if len(list) == 0 {
			return "", place{}
		}
		wg, _ := waitGroupCall(list[0], list[0].node(), "Add")
		if wg == nil {
			wg, _ = waitGroupCall(list[0], list[0].node(), "Go")
		}
		uses := d.groupUsesOf(list[0], wg)
		if len(uses.waits) > 0 {
			wait = uses.waits[0]
		}
	}
	return name, wait
}
