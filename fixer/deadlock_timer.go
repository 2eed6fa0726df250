package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// isContextDone reports whether a channel is that of a context's Done.
func isContextDone(p place, ch ast.Expr) bool {
	call, ok := ast.Unparen(ch).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := p.callee(call)
	return fn != nil && fn.FullName() == "(context.Context).Done"
}

// cancelBefore: a goroutine waits for the end of a context whose cancel is
// deferred in a function that waits for that goroutine.
func (d receiveWaits) cancelBefore(r onChannel) {
	if !isContextDone(r.use, r.ch) {
		return
	}
	for _, w := range d.waiters {
		if w.id == r.id {
			continue
		}
		for i := w.at; i < len(w.frames); i++ {
			at, ok := d.statementAt(w, i)
			if !ok {
				continue
			}
			c, name := d.deferredCancel(at)
			if c == nil {
				continue
			}
			d.say(c.Pos(), "%s is never done: %s (%s) is deferred, and %s waits for the goroutine in %s first", d.text(r.ch),
				name+"()", d.where(c.Pos()), d.whereWaits(w), d.whereWaits(r.waiter))
			d.offer(idea{rule: "deadlock/cancel-before", title: fmt.Sprintf("call %s() before the wait", name), weight: origin, change: d.change().before(at.node(), name+"()"),
				why: "The goroutines that wait for the context's end are canceled before they are waited for."})
			return
		}
	}
}

// deferredCancel finds a deferred call of a context's cancel function in the
// function of a place.
func (d receiveWaits) deferredCancel(at place) (stmt ast.Stmt, name string) {
	ast.Inspect(bodyOf(at.function()), func(n ast.Node) bool {
		df, ok := n.(*ast.DeferStmt)
		if !ok || stmt != nil {
			return true
		}
		if t := at.info().TypeOf(df.Call.Fun); t != nil && strings.HasSuffix(types.TypeString(t, nil), "context.CancelFunc") && isPath(df.Call.Fun) {
			stmt, name = df, d.text(df.Call.Fun)
		}
		return true
	})
	return stmt, name
}

// stoppedTimer: the channel of a timer that was stopped, or has fired and was
// read, never gives a value.
func (d receiveWaits) stoppedTimer(r onChannel) {
	sel, ok := ast.Unparen(r.ch).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "C" || !isTimer(r.use.info().TypeOf(sel.X)) {
		return
	}
	name := d.text(sel.X)
	d.say(r.use.node().Pos(), "%s never gives a value: %s has been stopped, or has fired and was read already, when %s receives", d.text(r.ch), name, d.whereWaits(r.waiter))
	for i, n := range r.use.path {
		is, ok := n.(*ast.IfStmt)
		if !ok || i == 0 || r.use.path[i-1] != ast.Node(is.Body) || len(is.Body.List) != 1 {
			continue
		}
		not, isNot := ast.Unparen(is.Cond).(*ast.UnaryExpr)
		if !isNot || not.Op != token.NOT || is.Init != nil || is.Else != nil {
			continue
		}
		call, isCall := not.X.(*ast.CallExpr)
		if !isCall || d.text(call.Fun) != name+".Stop" {
			continue
		}
		d.offer(idea{rule: "deadlock/stopped-timer", title: fmt.Sprintf("stop %s without reading its channel", name), weight: origin, change: d.change().replace(is.Pos(), is.End(), d.text(call)),
			why: "Since Go 1.23 a stopped timer leaves nothing in its channel; there is nothing to take out."})
	}
	if es, ok := r.use.path[1].(*ast.ExprStmt); ok {
		lead := lineIndentAt(d.code, es)
		d.offer(idea{rule: "deadlock/stopped-timer", title: fmt.Sprintf("read %s only if there is something", d.text(r.ch)), weight: origin + 1,
			change: d.change().replace(es.Pos(), es.End(), fmt.Sprintf("select {\n%scase %s:\n%sdefault:\n%s}", lead, d.text(r.use.node()), lead, lead)),
			why:    "The receive takes a value that is left, and does not wait for one."})
	}
}

func isTimer(t types.Type) bool {
	if t == nil {
		return false
	}
	switch types.TypeString(t, nil) {
	case "*time.Timer", "*time.Ticker", "time.Timer", "time.Ticker":
		return true
	}
	return false
}

// breakOfSelect: a break was meant to leave the loop and leaves the select.
func (d receiveWaits) breakOfSelect() {
	for _, w := range d.of(waitSelect) {
		l := w.loop()
		if l == nil {
			continue
		}
		ch := d.change()
		var first ast.Node
		label := fresh(w.place, "loop", "receiving")
		for _, c := range w.node().(*ast.SelectStmt).Body.List {
			body := c.(*ast.CommClause).Body
			if len(body) == 0 {
				continue
			}
			b, ok := body[len(body)-1].(*ast.BranchStmt)
			if !ok || b.Tok != token.BREAK || b.Label != nil {
				continue
			}
			ch.insert(b.End(), " "+label)
			if first == nil {
				first = b
			}
		}
		if first == nil {
			continue
		}
		d.say(first.Pos(), "the break at %s leaves the select only: the loop (%s) goes on, and %s", d.where(first.Pos()), d.where(l.Pos()), d.waitText(w))
		lead := lineIndentAt(d.code, l)
		ch.insertAbove(l, strings.TrimSuffix(lead, "\t")+label+":\n")
		d.offer(idea{rule: "deadlock/break-of-select", title: "leave the loop, not only the select", weight: origin, change: ch,
			why: "A plain break in a select ends the select; with the loop's label it ends the loop."})
	}
}
