package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// receiveWhatComes receives until the channel is closed, instead of a number
// that may not come, and closes it when all senders have ended.
func (d receiveWaits) receiveWhatComes(r onChannel, uses *chanUses) {
	l := r.use.loop()
	if l == nil || len(uses.closes) > 0 {
		return
	}
	ch := d.change()
	if !d.asRange(ch, r.use, l) {
		return
	}
	started := d.startersOf(uses)
	if len(started) == 0 || !closeWaits(d).closing(ch, r, uses, started) {
		return
	}
	d.offer(idea{rule: "deadlock/receive-what-comes", title: fmt.Sprintf("receive from %s until it is closed", d.text(r.ch)), weight: origin + 1, change: ch,
		why: "Not every goroutine sends a value; the loop now ends when all have ended, however many came."})
}

// startersOf lists the go statements whose goroutines send.
func (d *deadlock) startersOf(uses *chanUses) []place {
	var started []place
	seen := map[ast.Node]bool{}
	for _, s := range uses.sends {
		list, plain := d.runsIn(s, s.function())
		if plain && len(list) == 0 {
			return nil
		}
		for _, g := range list {
			if !seen[g.node()] {
				seen[g.node()] = true
				started = append(started, g)
			}
		}
	}
	return started
}

// asRange turns a counting loop whose body begins with a receive into one that
// ranges over the channel.
func (d receiveWaits) asRange(ch *change, r place, l ast.Stmt) bool {
	body := loopBody(l)
	if len(body.List) == 0 || d.counterUsed(r, l) {
		return false
	}
	name := d.text(channelOf(r.node()))
	if as, ok := body.List[0].(*ast.AssignStmt); ok && len(as.Lhs) == 1 && len(as.Rhs) == 1 && ast.Unparen(as.Rhs[0]) == r.node() && as.Tok == token.DEFINE {
		ch.replace(l.Pos(), body.Lbrace, fmt.Sprintf("for %s := range %s ", d.text(as.Lhs[0]), name)).remove(as)
		return true
	}
	if is, ok := body.List[0].(*ast.IfStmt); ok && is.Init != nil && contains(is.Init, r.node().Pos()) {
		if as, isAssign := is.Init.(*ast.AssignStmt); isAssign && len(as.Lhs) == 1 && ast.Unparen(as.Rhs[0]) == r.node() {
			ch.replace(l.Pos(), body.Lbrace, fmt.Sprintf("for %s := range %s ", d.text(as.Lhs[0]), name)).replace(is.Init.Pos(), is.Cond.Pos(), "")
			return true
		}
	}
	if _, i := within(body.List, r.node().Pos()); i < 0 || r.loop() != l {
		return false
	}
	if es, ok := r.path[1].(*ast.ExprStmt); ok {
		ch.replace(l.Pos(), body.Lbrace, "for range "+name+" ").remove(es)
		return true
	}
	v := fresh(r, "v", "value", "got")
	ch.replace(l.Pos(), body.Lbrace, fmt.Sprintf("for %s := range %s ", v, name)).replace(r.node().Pos(), r.node().End(), v)
	return true
}

// counterUsed reports whether a loop's counter is used in its body.
func (d receiveWaits) counterUsed(p place, l ast.Stmt) bool {
	var counter types.Object
	switch l := l.(type) {
	case *ast.ForStmt:
		if as, ok := l.Init.(*ast.AssignStmt); ok && len(as.Lhs) == 1 {
			counter = p.object(as.Lhs[0])
		}
	case *ast.RangeStmt:
		if l.Key != nil {
			counter = p.object(l.Key)
		}
		if l.Value != nil {
			return true
		}
	}
	if counter == nil {
		_, isRange := l.(*ast.RangeStmt)
		return !isRange
	}
	used := false
	ast.Inspect(loopBody(l), func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && p.info().Uses[id] == counter {
			used = true
		}
		return !used
	})
	return used
}

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
	d.setIterations(r.use, l, sent, d.text(r.ch))
}
