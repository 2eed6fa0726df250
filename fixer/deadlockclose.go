package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// unclosed: a loop ranges over a channel, or takes its close as the word to
// end, and nothing closes it.
func (d *deadlock) unclosed() {
	seen := map[any]bool{}
	for _, r := range d.receiversWaiting() {
		if r.class == nil || seen[r.class] || r.nilChan {
			continue
		}
		uses := d.usesOfClass(r.class)
		if !d.endsByClose(r) || d.senderWaits(r.class) {
			continue
		}
		seen[r.class] = true
		switch {
		case d.closeTooLate(r, uses):
		case len(uses.closes) > 0:
			d.closeLeftOut(r, uses)
			d.closeNotCalled(r, uses)
		default:
			d.closeBySender(r, uses)
		}
	}
}

// senderWaits reports whether anybody waits to send on the same channel: then it
// is not for want of a close.
func (d *deadlock) senderWaits(class any) bool {
	for _, s := range d.sendersWaiting() {
		if s.class == class {
			return true
		}
	}
	return false
}

// endsByClose reports whether the receiver would go on if the channel were
// closed: a range loop, a comma-ok receive, or a channel that carries nothing.
func (d *deadlock) endsByClose(r onChannel) bool {
	switch n := r.use.node().(type) {
	case *ast.RangeStmt:
		return true
	case *ast.UnaryExpr:
		if as, ok := r.use.path[1].(*ast.AssignStmt); ok && len(as.Lhs) == 2 {
			return true
		}
		c, ok := typeUnder[*types.Chan](r.use.info().TypeOf(n.X))
		if !ok {
			return false
		}
		st, isStruct := c.Elem().Underlying().(*types.Struct)
		return isStruct && st.NumFields() == 0 && len(d.usesOfClass(r.class).sends) == 0
	}
	return false
}

// notClosed says who waits for the close.
func (d *deadlock) notClosed(r onChannel) string {
	verb := "ranges over it for ever"
	if _, ok := r.use.node().(*ast.RangeStmt); !ok {
		verb = "waits for that"
	}
	return fmt.Sprintf("%s %s", d.whereWaits(r.waiter), verb)
}

// closeTooLate: the function that closes the channel is itself still waiting,
// with the close deferred or further down.
func (d *deadlock) closeTooLate(r onChannel, uses *chanUses) bool {
	for _, c := range uses.closes {
		fn := c.function()
		// A close in a deferred function literal belongs to the function that defers it.
		stmt := c.statement()
		if stmt == nil {
			continue
		}
		w, i, ok := d.running(c, fn)
		if !ok || w.id == r.id && i == r.at && !c.deferred() && c.node().Pos() < r.use.node().Pos() {
			continue
		}
		at, ok := d.standsAt(w, i)
		if !ok || w.id == r.id || !d.dependsOn(w, r.id, 0) || at.function() != fn || !c.deferred() && c.node().Pos() < at.node().Pos() {
			continue
		}
		how := "comes after that"
		if c.deferred() {
			how = "is deferred"
		}
		d.say(c.node().Pos(), "%s is never closed and %s: %s (%s) %s, and %s waits in %s", d.text(r.ch), d.notClosed(r),
			d.text(c.node()), d.where(c.node().Pos()), how, d.whereWaits(w), short(firstLine(d.text(at.node()))))
		target := d.closeSpot(at, c, uses)
		if target == nil {
			continue
		}
		ch := d.change()
		if c.deferred() && d.deferredWait(at) {
			d.swapDefers(ch, c, at)
		} else {
			ch.remove(stmt).before(target, d.text(c.node()))
		}
		d.offer(idea{title: fmt.Sprintf("close %s before the wait", d.text(r.ch)), weight: origin - 1, change: ch,
			why: fmt.Sprintf("%s waits for those who wait for the close; it now closes first.", subject(fn))})
		return true
	}
	return false
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// closeSpot is the statement before which a close can come: the one that
// waits, unless it is the return or the end of the function.
func (d *deadlock) closeSpot(at, c place, uses *chanUses) ast.Stmt {
	for _, s := range uses.sends {
		// The values must all have been sent before.
		if s.function() == at.function() && s.node().Pos() > at.node().End() {
			return nil
		}
		if _, _, alive := d.running(s, s.function()); alive && s.function() != at.function() {
			return nil
		}
	}
	if at.loop() != nil && c.loop() != at.loop() {
		return nil
	}
	s, _ := at.node().(ast.Stmt)
	return s
}

// deferredWait reports whether the statement that waits is a deferred call.
func (d *deadlock) deferredWait(at place) bool {
	_, ok := at.node().(*ast.DeferStmt)
	return ok
}

// swapDefers lets a deferred close run before a deferred wait: what is
// deferred last runs first.
func (d *deadlock) swapDefers(ch *change, c, at place) {
	stmt := c.statement()
	ch.remove(stmt).after(at.node(), d.text(stmt))
}

// closeLeftOut: the close stands at the end, and a way out passes it by.
func (d *deadlock) closeLeftOut(r onChannel, uses *chanUses) {
	for _, c := range uses.closes {
		if c.statement() == nil || c.deferred() {
			continue
		}
		fn := c.function()
		if _, _, still := d.running(c, fn); still {
			continue
		}
		exit, ok := d.leftOut(fn, []place{c})
		if !ok {
			continue
		}
		d.say(exit.Pos(), "%s is never closed and %s: %s returns before the close at %s%s", d.text(r.ch), d.notClosed(r),
			d.callerName(c), d.where(exit.Pos()), d.condition(c, exit))
		ch := d.change().remove(c.statement()).first(bodyOf(fn), "defer "+d.text(c.node()))
		if branches(c) || c.loop() != nil {
			continue
		}
		d.offer(idea{title: fmt.Sprintf("defer %s", d.text(c.node())), weight: origin, change: ch,
			why: fmt.Sprintf("The close now runs on every way out, also on the one at %s.", d.where(exit.Pos()))})
	}
}

// closeNotCalled: a method closes the channel, and nothing calls it, or only by
// a defer that comes too late.
func (d *deadlock) closeNotCalled(r onChannel, uses *chanUses) {
	for _, c := range uses.closes {
		fn, ok := c.function().(*ast.FuncDecl)
		if !ok || fn.Type.Params.NumFields() > 0 || c.loop() != nil {
			continue
		}
		obj, ok := c.info().Defs[fn.Name].(*types.Func)
		if !ok {
			continue
		}
		calls, _ := d.callsOf(obj)
		for _, call := range calls {
			w, i, running := d.running(call, call.function())
			if !running || call.statement() == nil {
				continue
			}
			at, ok := d.standsAt(w, i)
			if !ok || !call.deferred() && call.node().Pos() < at.node().Pos() {
				continue
			}
			d.say(call.node().Pos(), "%s is never closed and %s: %s (%s) comes only after %s, which waits for that", d.text(r.ch), d.notClosed(r),
				d.text(call.node()), d.where(call.node().Pos()), short(firstLine(d.text(at.node()))))
			d.offer(idea{title: fmt.Sprintf("call %s before the wait", d.text(call.node())), weight: origin - 1,
				change: d.change().remove(call.statement()).before(at.node(), d.text(call.node())),
				why:    fmt.Sprintf("%s closes %s, which ends the goroutines that are waited for.", funcName(fn), d.text(r.ch))})
		}
		if len(calls) == 0 && fn.Recv != nil {
			d.callCloser(r, c, fn)
		}
	}
}

// callCloser calls a method that closes the channel before the call of the
// same value that waits.
func (d *deadlock) callCloser(r onChannel, c place, fn *ast.FuncDecl) {
	t := named(c.info().TypeOf(fn.Recv.List[0].Type))
	for _, w := range d.waiters {
		for i := w.at; i < len(w.frames); i++ {
			at, ok := d.standsAt(w, i)
			if !ok {
				continue
			}
			es, isExpr := at.node().(*ast.ExprStmt)
			if !isExpr {
				continue
			}
			call, isCall := es.X.(*ast.CallExpr)
			if !isCall {
				continue
			}
			sel, isSel := call.Fun.(*ast.SelectorExpr)
			if !isSel || !isPath(sel.X) {
				continue
			}
			if n := named(at.info().TypeOf(sel.X)); n == nil || t == nil || n.Obj() != t.Obj() {
				continue
			}
			text := d.text(sel.X) + "." + fn.Name.Name + "()"
			d.say(es.Pos(), "%s is never closed and %s: %s waits without calling %s first", d.text(r.ch), d.notClosed(r), d.whereWaits(w), text)
			d.offer(idea{title: fmt.Sprintf("call %s before the wait", text), weight: origin, change: d.change().before(es, text),
				why: fmt.Sprintf("%s closes %s, which ends the goroutines that are waited for.", funcName(fn), d.text(r.ch))})
			return
		}
	}
}

// closeBySender: nothing closes the channel. Who knows that all is sent does.
func (d *deadlock) closeBySender(r onChannel, uses *chanUses) {
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

// closeBeforeWait closes before the wait for those who receive, when all was
// sent by calls that have returned.
func (d *deadlock) closeBeforeWait(r onChannel, uses *chanUses) bool {
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
			at, ok := d.standsAt(w, i)
			if !ok {
				continue
			}
			name := d.nameOf(at, r.class)
			if name == "" {
				continue
			}
			d.say(at.node().Pos(), "%s is never closed and %s: %s waits without closing it first", d.text(r.ch), d.notClosed(r), d.whereWaits(w))
			return d.offer(idea{title: fmt.Sprintf("close %s before the wait", name), weight: origin, change: d.change().before(at.node(), "close("+name+")"),
				why: "With the close, those who receive know that nothing more will come, and end; then the wait ends too."})
		}
	}
	return false
}

// closeAfterSends closes after the last send of a function that goes on to wait.
func (d *deadlock) closeAfterSends(r onChannel, uses *chanUses, s place, w waiter, i int) bool {
	at, ok := d.standsAt(w, i)
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
	return d.offer(idea{title: fmt.Sprintf("close %s after the last send", ch), weight: origin, change: d.change().after(last, "close("+ch+")"),
		why: "With the close, those who receive know that nothing more will come, and end."})
}

// closeSignal closes a channel that only says by its close that it is time to end.
func (d *deadlock) closeSignal(r onChannel, uses *chanUses) {
	if len(uses.makes) != 1 || d.main == nil || d.main.id == r.id {
		return
	}
	at, ok := d.standsAt(*d.main, d.main.at)
	if !ok {
		return
	}
	if name := d.nameOf(at, r.class); name != "" {
		d.say(at.node().Pos(), "%s is never closed and %s: %s waits without closing it", name, d.notClosed(r), d.whereWaits(*d.main))
		d.offer(idea{title: fmt.Sprintf("close %s before the wait", name), weight: origin, change: d.change().before(at.node(), "close("+name+")"),
			why: "The close tells the goroutines to end; then they can be waited for."})
	}
}

// closeInGoroutine closes where the goroutines end that send.
func (d *deadlock) closeInGoroutine(r onChannel, uses *chanUses) {
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
		d.offer(idea{title: fmt.Sprintf("close %s when its sender is done", d.text(r.ch)), weight: origin, change: ch,
			why: fmt.Sprintf("The goroutine started at %s is the only one that sends; it closes the channel when it ends.", d.where(g.node().Pos()))})
		return
	}
	d.offer(idea{title: fmt.Sprintf("close %s when all its senders are done", d.text(r.ch)), weight: origin, change: ch,
		why: "The channel is closed when the goroutines that send on it have all ended, so that the loop over it ends."})
}

// closing closes the channel when the goroutines that send have ended.
func (d *deadlock) closing(ch *change, r onChannel, uses *chanUses, started []place) bool {
	if len(started) == 1 && started[0].loop() == nil {
		return d.deferClose(ch, uses, started[0])
	}
	return d.closeAfterAll(ch, r, uses, started)
}

// deferClose lets the only sending goroutine close the channel when it ends.
func (d *deadlock) deferClose(ch *change, uses *chanUses, g place) bool {
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
func (d *deadlock) closeAfterAll(ch *change, r onChannel, uses *chanUses, started []place) bool {
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
func (d *deadlock) waitsFirst(wait, started place, r onChannel) bool {
	if wait.file == nil || wait.statement() == nil || wait.deferred() {
		return false
	}
	if wait.function() == started.function() && wait.function() == r.use.function() {
		return wait.node().Pos() < r.use.node().Pos()
	}
	return wait.function() != r.use.function() && wait.declaration() == started.declaration() && d.runsAsGoroutine(wait)
}

// passedAs is how the channel is named in the arguments of a go statement.
func (d *deadlock) passedAs(g place, uses *chanUses) string {
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
func (d *deadlock) groupOf(started []place) (name string, wait place) {
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
