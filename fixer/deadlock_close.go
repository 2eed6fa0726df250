package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// unclosed: a loop ranges over a channel, or takes its close as the word to
// end, and nothing closes it.
func (d closeWaits) unclosed() {
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

// senderWaits reports whether a goroutine waits to send on the same channel: then
// a missing close is not the cause.
func (d closeWaits) senderWaits(class any) bool {
	for _, s := range d.sendersWaiting() {
		if s.class == class {
			return true
		}
	}
	return false
}

// endsByClose reports whether the receiver would go on if the channel were
// closed: a range loop, a comma-ok receive, or a channel that carries nothing.
func (d closeWaits) endsByClose(r onChannel) bool {
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

// notClosed says which goroutine waits for the close.
func (d closeWaits) notClosed(r onChannel) string {
	verb := "ranges over it forever"
	if _, ok := r.use.node().(*ast.RangeStmt); !ok {
		verb = "waits for that"
	}
	return fmt.Sprintf("%s %s", d.whereWaits(r.waiter), verb)
}

// closeTooLate: the function that closes the channel is itself still waiting,
// with the close deferred or further down.
func (d closeWaits) closeTooLate(r onChannel, uses *chanUses) bool {
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
		at, ok := d.statementAt(w, i)
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
		d.offer(idea{rule: "deadlock/close-too-late", title: fmt.Sprintf("close %s before the wait", d.text(r.ch)), weight: origin - 1, change: ch,
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
func (d closeWaits) closeSpot(at, c place, uses *chanUses) ast.Stmt {
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
func (d closeWaits) deferredWait(at place) bool {
	_, ok := at.node().(*ast.DeferStmt)
	return ok
}

// swapDefers lets a deferred close run before a deferred wait: what is
// deferred last runs first.
func (d closeWaits) swapDefers(ch *change, c, at place) {
	stmt := c.statement()
	ch.remove(stmt).after(at.node(), d.text(stmt))
}

// closeLeftOut: the close is at the end, and a way out passes it by.
func (d closeWaits) closeLeftOut(r onChannel, uses *chanUses) {
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
		d.offer(idea{rule: "deadlock/close-left-out", title: fmt.Sprintf("defer %s", d.text(c.node())), weight: origin, change: ch,
			why: fmt.Sprintf("The close now runs on every way out, also on the one at %s.", d.where(exit.Pos()))})
	}
}

// closeNotCalled: a method closes the channel, and nothing calls it, or only by
// a defer that comes too late.
func (d closeWaits) closeNotCalled(r onChannel, uses *chanUses) {
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
			at, ok := d.statementAt(w, i)
			if !ok || !call.deferred() && call.node().Pos() < at.node().Pos() {
				continue
			}
			d.say(call.node().Pos(), "%s is never closed and %s: %s (%s) comes only after %s, which waits for that", d.text(r.ch), d.notClosed(r),
				d.text(call.node()), d.where(call.node().Pos()), short(firstLine(d.text(at.node()))))
			d.offer(idea{rule: "deadlock/close-not-called", title: fmt.Sprintf("call %s before the wait", d.text(call.node())), weight: origin - 1,
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
func (d closeWaits) callCloser(r onChannel, c place, fn *ast.FuncDecl) {
	t := named(c.info().TypeOf(fn.Recv.List[0].Type))
	for _, w := range d.waiters {
		for i := w.at; i < len(w.frames); i++ {
			at, ok := d.statementAt(w, i)
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
			d.offer(idea{rule: "deadlock/call-closer", title: fmt.Sprintf("call %s before the wait", text), weight: origin, change: d.change().before(es, text),
				why: fmt.Sprintf("%s closes %s, which ends the goroutines that are waited for.", funcName(fn), d.text(r.ch))})
			return
		}
	}
}
