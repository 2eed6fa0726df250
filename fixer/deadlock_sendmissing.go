package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// startSenderFirst: the goroutine that would send is started further down.
func (d receiveWaits) startSenderFirst(r onChannel, uses *chanUses) {
	at := r.use
	top := at.top()
	if top == nil {
		return
	}
	list := bodyOf(at.function()).List
	_, from := within(list, top.Pos())
	for _, s := range append(append([]place(nil), uses.sends...), uses.closes...) {
		started, _ := d.runsIn(s, s.function())
		for _, g := range started {
			if g.function() != at.function() {
				continue
			}
			_, to := within(list, g.node().Pos())
			if to <= from {
				continue
			}
			d.say(g.node().Pos(), "nothing sends on %s yet when %s (%s) receives from it: the goroutine that does is started only afterwards (%s)",
				d.text(r.ch), funcName(at.function()), d.where(at.node().Pos()), d.where(g.node().Pos()))
			first := to
			for first > from+1 && d.belongsTo(at, list[first-1], list[to]) {
				first--
			}
			d.offer(idea{rule: "deadlock/start-sender-first", title: fmt.Sprintf("start the sender of %s before the receive", d.text(r.ch)), weight: origin - 1,
				change: d.change().moveBefore(list[first:to+1], list[from]),
				why:    fmt.Sprintf("The goroutine that sends is started at %s already.", d.where(list[from].Pos()))})
			return
		}
	}
}

// sendLeftOut: a way through the goroutine leaves its only send out.
func (d receiveWaits) sendLeftOut(r onChannel, uses *chanUses) {
	byFunc := map[ast.Node][]place{}
	var order []ast.Node
	for _, s := range uses.sends {
		fn := s.function()
		if len(byFunc[fn]) == 0 {
			order = append(order, fn)
		}
		byFunc[fn] = append(byFunc[fn], s)
	}
	for _, fn := range order {
		list := byFunc[fn]
		if anyDeferred(list) || list[0].loop() != nil {
			continue
		}
		if _, _, alive := d.running(list[0], fn); alive {
			continue
		}
		exit, ok := d.leftOut(fn, list)
		if !ok {
			continue
		}
		when := d.condition(list[0], exit)
		if atEnd(fn, exit) {
			when = d.conditionNot(list[0])
		}
		d.say(exit.Pos(), "%s gets no value: %s ends without sending at %s%s", d.text(r.ch), d.callerName(list[0]), d.where(exit.Pos()), when)
		d.sendOnEveryWay(r, uses, fn, list, exit)
		d.receiveWhatComes(r, uses)
	}
}

// conditionNot says when a send in a branch is passed by.
func (d receiveWaits) conditionNot(s place) string {
	for i, n := range s.path {
		switch n := n.(type) {
		case *ast.IfStmt:
			if i > 0 && s.path[i-1] == ast.Node(n.Body) {
				return " unless " + short(d.text(n.Cond))
			}
		case *ast.FuncLit, *ast.FuncDecl:
			return ""
		}
	}
	return ""
}

// sendOnEveryWay sends on the ways that leave it out: nil where an error is
// expected, the same signal where the value means nothing.
func (d receiveWaits) sendOnEveryWay(r onChannel, uses *chanUses, fn ast.Node, list []place, exit *ast.ReturnStmt) {
	c, ok := typeUnder[*types.Chan](list[0].info().TypeOf(channelOf(list[0].node())))
	if !ok {
		return
	}
	name := d.text(channelOf(list[0].node()))
	if isError(c.Elem()) {
		d.sendNil(fn, list, name)
		return
	}
	value := list[0].node().(*ast.SendStmt).Value
	if !d.meansNothing(list[0], value, c.Elem()) {
		return
	}
	ch := d.change()
	for _, s := range list {
		if s.anchor() != s.node() {
			return
		}
		ch.remove(s.node())
	}
	ch.first(bodyOf(fn), "defer func() { "+d.text(list[0].node())+" }()")
	d.offer(idea{rule: "deadlock/send-on-every-way", title: fmt.Sprintf("send on %s on every way out", name), weight: origin, change: ch,
		why: fmt.Sprintf("The send is deferred, so that it comes on every way out, also on the one at %s.", d.where(exit.Pos()))})
}

// meansNothing reports whether a sent value only says that something has ended.
func (d receiveWaits) meansNothing(p place, value ast.Expr, t types.Type) bool {
	if st, ok := t.Underlying().(*types.Struct); ok && st.NumFields() == 0 {
		return true
	}
	return p.info().Types[value].Value != nil
}

// sendNil sends nil where a goroutine ends without an error.
func (d receiveWaits) sendNil(fn ast.Node, list []place, name string) {
	ch := d.change()
	is := func(n ast.Node) bool {
		for _, c := range list {
			if contains(n, c.node().Pos()) {
				return true
			}
		}
		return false
	}
	at := list[0].of(bodyOf(fn))
	for _, exit := range waysFrom(at, nil, is).exits {
		if atEnd(fn, exit) {
			if whole, ok := d.soleSend(list, fn); ok {
				ch.replace(whole.Pos(), whole.End(), whole.text)
				continue
			}
			ch.last(bodyOf(fn), name+" <- nil")
		} else {
			ch.before(exit, name+" <- nil")
		}
	}
	d.offer(idea{rule: "deadlock/send-nil", title: fmt.Sprintf("send nil on %s where there is no error", name), weight: origin, change: ch,
		why: "Every goroutine now sends exactly one value; nil says that all went well."})
}

// whole is a statement with its replacement.
type whole struct {
	ast.Stmt
	text string
}

// soleSend finds "if err != nil { c <- err }" at the end of a function, which
// becomes a plain "c <- err".
func (d receiveWaits) soleSend(list []place, fn ast.Node) (whole, bool) {
	body := bodyOf(fn)
	if len(list) != 1 || len(body.List) == 0 {
		return whole{}, false
	}
	is, ok := body.List[len(body.List)-1].(*ast.IfStmt)
	if !ok || is.Else != nil || len(is.Body.List) != 1 || is.Body.List[0] != list[0].node() {
		return whole{}, false
	}
	cond, ok := is.Cond.(*ast.BinaryExpr)
	send := list[0].node().(*ast.SendStmt)
	if !ok || cond.Op != token.NEQ || d.text(cond.X) != d.text(send.Value) || d.text(cond.Y) != "nil" {
		return whole{}, false
	}
	if is.Init == nil {
		return whole{is, d.text(send)}, true
	}
	as, ok := is.Init.(*ast.AssignStmt)
	if !ok || len(as.Lhs) != 1 || len(as.Rhs) != 1 {
		return whole{}, false
	}
	return whole{is, d.text(send.Chan) + " <- " + d.text(as.Rhs[0])}, true
}
