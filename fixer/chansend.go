package fixer

import (
	"fmt"
	"go/ast"
	"strings"
)

// sendAfterClose: the close comes before the last send.
func (f channelRules) sendAfterClose(s suspect) {
	closes := f.closes(s.place, s.bad)
	if len(closes) == 0 {
		f.forgetWhereClosed(s)
		return
	}
	var at []string
	for _, c := range closes {
		at = append(at, f.where(c.node().Pos()))
	}
	f.reason(further+"it is closed at "+strings.Join(at, " and "), closes[0].node().Pos())
	f.closedWhileWorking(s, closes)
	for _, c := range closes {
		f.moveAfterSends(s, c)
		f.moveAfterWait(s, c)
		f.waitForSenders(s, c)
	}
	f.closeAfterWaitOnSend(s, closes)
	f.closedFlag(s, closes)
}

// closeAfterWaitOnSend: one of several workers closes while the others still send.
func (f channelRules) closeAfterWaitOnSend(s suspect, closes []place) {
	ch := f.change()
	for _, c := range closes {
		if !f.runsAsGoroutine(c) || c.statement() == nil {
			return
		}
		ch.remove(c.statement())
	}
	f.putCloseAfterWait(s, ch, "the workers no longer close the channel that the others still send on")
}

// moveAfterSends moves a close after the last send of the same function.
func (f channelRules) moveAfterSends(s suspect, c place) {
	stmt := c.statement()
	if stmt == nil || c.deferred() || c.function() != s.function() {
		return
	}
	block := c.anchorBlock()
	var last ast.Stmt
	for _, send := range f.sends(s.place, s.bad) {
		if send.function() != c.function() || send.node().Pos() < stmt.Pos() {
			continue
		}
		for i, n := range send.path {
			if i+1 < len(send.path) && send.path[i+1] == block {
				if st, ok := n.(ast.Stmt); ok && (last == nil || st.End() > last.End()) {
					last = st
				}
			}
		}
	}
	if last == nil {
		return
	}
	f.offer(idea{rule: "chan/move-after-sends", title: "close after the last send", weight: origin, change: f.change().remove(stmt).after(last, f.text(stmt)),
		why: fmt.Sprintf("%s closed the channel at %s and sent on it after that; the close now comes last.", funcName(c.function()), f.where(stmt.Pos()))})
}

// moveAfterWait moves a close after a wait for the senders that follows it.
func (f channelRules) moveAfterWait(s suspect, c place) {
	stmt := c.statement()
	if stmt == nil || c.deferred() {
		return
	}
	block, ok := c.anchorBlock().(*ast.BlockStmt)
	if !ok {
		return
	}
	after := false
	for _, other := range block.List {
		if other == stmt {
			after = true
			continue
		}
		es, isExpr := other.(*ast.ExprStmt)
		if !after || !isExpr {
			continue
		}
		if wg, _ := waitGroupCall(c, es.X, "Wait"); wg != nil {
			f.offer(idea{rule: "chan/move-after-wait", title: "close after the wait for the senders", weight: origin - 1, change: f.change().remove(stmt).after(es, f.text(stmt)),
				why: fmt.Sprintf("The close at %s came before %s; it now comes after, when there are no more sends.", f.where(stmt.Pos()), f.text(es))})
			return
		}
	}
}

// waitForSenders adds a WaitGroup around the goroutines that send, when the
// function that closes starts them and waits for nothing.
func (f channelRules) waitForSenders(s suspect, c place) {
	stmt := c.statement()
	body := bodyOf(c.function())
	if stmt == nil || body == nil || c.deferred() {
		return
	}
	var started []place
	ast.Inspect(body, func(n ast.Node) bool {
		g, ok := n.(*ast.GoStmt)
		if !ok || g.Pos() > stmt.Pos() {
			return true
		}
		at := c.of(g)
		if lit, isLit := g.Call.Fun.(*ast.FuncLit); isLit && contains(lit, s.expr.Pos()) || starts(c, g, s.function()) {
			started = append(started, at)
		}
		return true
	})
	if len(started) == 0 {
		return
	}
	first := started[0].anchor()
	for _, l := range started[0].loops() {
		first = l
	}
	if l := started[0].loop(); l != nil {
		first = l
	}
	name := fresh(c, "wg", "senders")
	ch := f.change().before(first, "var "+name+" "+pkgName(c.file, "sync")+".WaitGroup").need(c.file, "sync")
	for _, g := range started {
		goStmt := g.node().(*ast.GoStmt)
		ch.before(goStmt, name+".Add(1)")
		if lit, isLit := goStmt.Call.Fun.(*ast.FuncLit); isLit {
			ch.first(lit.Body, "defer "+name+".Done()")
		} else {
			lead := lineIndentAt(f.code, goStmt)
			ch.replace(goStmt.Pos(), goStmt.End(), fmt.Sprintf("go func() {\n%s\tdefer %s.Done()\n%s\t%s\n%s}()", lead, name, lead, f.text(goStmt.Call), lead))
		}
	}
	if receivesAfter(c, stmt) {
		lead := lineIndentAt(f.code, stmt)
		ch.replace(stmt.Pos(), stmt.End(), fmt.Sprintf("go func() {\n%s\t%s.Wait()\n%s\t%s\n%s}()", lead, name, lead, f.text(stmt), lead))
	} else {
		ch.before(stmt, name+".Wait()")
	}
	f.offer(idea{rule: "chan/wait-for-senders", title: "wait for the senders before the close", weight: origin, change: ch,
		why: fmt.Sprintf("The goroutines started at %s may still send when %s closes the channel; it now waits for them first.", f.where(started[0].node().Pos()), funcName(c.function()))})
}

func starts(p place, g *ast.GoStmt, fn ast.Node) bool {
	d, ok := fn.(*ast.FuncDecl)
	if !ok {
		return false
	}
	callee := p.callee(g.Call)
	return callee != nil && callee.Name() == d.Name.Name
}

// closedFlag remembers in the struct that its channel is closed, and refuses to send then.
func (f channelRules) closedFlag(s suspect, closes []place) {
	sel, ok := ast.Unparen(s.bad).(*ast.SelectorExpr)
	if !ok {
		return
	}
	t, field := structOf(s.place, sel)
	decl, found := f.fieldDecl(field)
	if t == nil || !found || s.anchor() == nil {
		return
	}
	name := freeFieldName(t, "closed", field.Name()+"Closed")
	base := f.text(sel.X)
	at := s.of(s.anchor())
	for _, e := range f.exits(at, message{percent(strings.ToLower(t.Obj().Name())) + " is closed", nil}, "") {
		ch := f.change().after(decl.node(), name+" bool").need(s.file, e.imports...)
		ch.before(at.node(), fmt.Sprintf("if %s.%s {\n\t%s\n}", base, name, indented(e.lines)))
		fine := true
		for _, c := range closes {
			arg, isSel := ast.Unparen(c.node().(*ast.CallExpr).Args[0]).(*ast.SelectorExpr)
			if !isSel || c.anchor() == nil {
				fine = false
				break
			}
			ch.before(c.anchor(), fmt.Sprintf("%s.%s = true", f.text(arg.X), name))
		}
		if !fine || e.edit != nil && !e.edit(ch) {
			continue
		}
		f.offer(idea{rule: "chan/closed-flag", title: fmt.Sprintf("refuse to send once %s is closed: %s", base, shortHow(e)), weight: e.weight, change: ch,
			why: fmt.Sprintf("%s remembers that it was closed; from then on %s %s.", t.Obj().Name(), funcName(s.function()), e.how)})
	}
}

// forgetWhereClosed: the channel came out of a map or slice whose members are
// closed elsewhere without being taken out.
func (f channelRules) forgetWhereClosed(s suspect) {
	src := f.trace(s.place, -1, s.bad)
	var container ast.Expr
	switch e := ast.Unparen(s.bad).(type) {
	case *ast.IndexExpr:
		container = e.X
	}
	if src.expr != nil && container == nil {
		if ix, ok := ast.Unparen(src.expr).(*ast.IndexExpr); ok {
			container = ix.X
		} else if src.of == fromRange {
			container = src.expr
		}
	}
	if container == nil {
		return
	}
	obj := s.object(container)
	f.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if name, _ := p.builtin(call); name != "close" {
				return true
			}
			at := suspect{place: p.of(call), expr: call, bad: call.Args[0]}
			from := f.trace(at.place, -1, call.Args[0])
			matches := false
			if ix, isIndex := ast.Unparen(call.Args[0]).(*ast.IndexExpr); isIndex {
				matches = f.same(p.object(ix.X), obj)
			} else if from.expr != nil {
				e := ast.Unparen(from.expr)
				if ix, isIndex := e.(*ast.IndexExpr); isIndex {
					e = ix.X
				}
				matches = f.same(from.place.object(e), obj)
			}
			if matches {
				f.note(fmt.Sprintf("it is closed at %s and stays in %s", f.where(call.Pos()), f.text(container)), call.Pos())
				f.forgetClosed(at)
			}
			return true
		})
	})
}
