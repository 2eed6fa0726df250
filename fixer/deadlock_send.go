package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
)

// sending looks at the goroutines that wait to send.
func (d sendWaits) sending() {
	seen := map[any]bool{}
	for _, s := range d.sendersWaiting() {
		if s.class == nil || seen[s.class] || s.nilChan {
			continue
		}
		seen[s.class] = true
		uses := d.usesOfClass(s.class)
		if d.slotKept(s, uses) { // more room would only be a wider limit
			continue
		}
		d.startReceiverFirst(s, uses)
		d.receiverGone(s, uses)
		d.sendThenReceive(s, uses)
		d.receivesFewer(s, uses)
		d.sendToSelf(s, uses)
		if len(uses.takes()) == 0 {
			d.say(s.use.node().Pos(), "%s (%s) waits forever to send on %s: nothing receives from it", funcName(s.use.function()), d.where(s.use.node().Pos()), d.text(s.ch))
		}
		d.roomForAll(s.use, s.ch, uses, origin+4)
	}
}

// startReceiverFirst: the goroutine that receives is started further down.
func (d sendWaits) startReceiverFirst(s onChannel, uses *chanUses) {
	at := s.use
	top := at.top()
	body := bodyOf(at.function())
	if top == nil || body == nil {
		return
	}
	_, from := within(body.List, top.Pos())
	for _, t := range uses.takes() {
		started, _ := d.runsIn(t, t.function())
		for _, g := range started {
			if g.function() != at.function() || g.node().Pos() < top.End() {
				continue
			}
			_, to := within(body.List, g.node().Pos())
			if to <= from {
				continue
			}
			d.say(g.node().Pos(), "%s has no receiver when %s (%s) sends on it: the goroutine that receives is started only afterwards (%s)",
				d.text(s.ch), funcName(at.function()), d.where(at.node().Pos()), d.where(g.node().Pos()))
			d.moveStart(s, at, body.List, from, to)
			return
		}
	}
}

// moveStart moves the statement that starts the receivers, with the lines
// before it that it needs, before the sends; or the sends after it.
func (d sendWaits) moveStart(s onChannel, at place, list []ast.Stmt, from, to int) {
	first := to
	for first > from+1 && d.belongsTo(at, list[first-1], list[to]) {
		first--
	}
	ch := d.change().moveBefore(list[first:to+1], list[from])
	d.offer(idea{rule: "deadlock/move-start", title: fmt.Sprintf("start the receiver of %s before the send", d.text(s.ch)), weight: origin - 1, change: ch,
		why: fmt.Sprintf("The goroutine that receives is started at %s already; then the sends find it waiting.", d.where(list[from].Pos()))})
	after := from
	for after+1 < first && d.closesChannel(at, list[after+1]) {
		after++
	}
	moved := d.change()
	text := moved.cut(list[from : after+1])
	moved.insertBelow(list[to], text)
	d.offer(idea{rule: "deadlock/move-start", title: fmt.Sprintf("send on %s after its receiver has started", d.text(s.ch)), weight: origin, change: moved,
		why: fmt.Sprintf("The sends come after the go statement at %s.", d.where(list[to].Pos()))})
}

// belongsTo reports whether a statement prepares the next one: it declares what
// that uses, or counts it.
func (d *deadlock) belongsTo(p place, s, next ast.Stmt) bool {
	if declaresFor(p, []ast.Stmt{s}, []ast.Stmt{next}) {
		return true
	}
	es, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	wg, _ := waitGroupCall(p, es.X, "Add")
	return wg != nil
}

// receiverGone: the goroutine that should receive has left its loop.
func (d sendWaits) receiverGone(s onChannel, uses *chanUses) {
	for _, r := range uses.ranges {
		l := r.node().(*ast.RangeStmt)
		if _, _, alive := d.running(r, r.function()); alive && r.function() != s.use.function() {
			continue
		}
		var out ast.Stmt
		ast.Inspect(l.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ReturnStmt:
				if out == nil {
					out = n
				}
			case *ast.BranchStmt:
				if n.Tok.String() == "break" && n.Label == nil && out == nil && directLoop(r.of(n)) == ast.Stmt(l) {
					out = n
				}
			}
			return true
		})
		if out == nil {
			continue
		}
		d.say(out.Pos(), "%s has no receiver left when %s (%s) sends on it: %s leaves its loop at %s%s", d.text(s.ch), funcName(s.use.function()),
			d.where(s.use.node().Pos()), d.callerName(r), d.where(out.Pos()), d.conditionInLoop(r, out))
		ret, isReturn := out.(*ast.ReturnStmt)
		if isReturn && len(ret.Results) > 0 {
			continue
		}
		if started, _ := d.runsIn(r, r.function()); len(started) == 0 {
			continue
		}
		d.offer(idea{rule: "deadlock/receiver-gone", title: "go on with the next value instead of leaving", weight: origin + 1, change: d.change().replace(out.Pos(), out.End(), "continue"),
			why: fmt.Sprintf("The goroutine goes on to receive from %s, so that all that is sent is taken.", d.text(l.X))})
	}
}

// directLoop returns the loop that a break at this place leaves; nil when it
// leaves a switch or select.
func directLoop(p place) ast.Stmt {
	for i := 1; i < len(p.path); i++ {
		switch n := p.path[i].(type) {
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.FuncLit, *ast.FuncDecl:
			return nil
		case *ast.ForStmt:
			return n
		case *ast.RangeStmt:
			return n
		}
	}
	return nil
}

// sendThenReceive: the function that sends is the one that would receive later.
func (d sendWaits) sendThenReceive(s onChannel, uses *chanUses) {
	at := s.use
	body := bodyOf(at.function())
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
	d.sendInBackground(s, at, body.List, top)
	otherUses := d.usesOfClass(waitsFor.class)
	w := origin + 1
	if !d.closedIn(at, uses) {
		w = origin - 1
	}
	d.roomForAll(waitsFor.use, waitsFor.ch, otherUses, w)
}

// takenLater reports whether a function receives from a channel after a place,
// or calls something that does.
func (d sendWaits) takenLater(at place, uses *chanUses) bool {
	top := at.top()
	for _, t := range uses.takes() {
		if t.function() == at.function() && t.node().Pos() > at.node().End() {
			return true
		}
		started, plain := d.runsIn(t, t.function())
		if len(started) > 0 || !plain {
			continue
		}
		if decl, ok := t.function().(*ast.FuncDecl); ok && callsAfter(d.code, at.of(top), t.info().Defs[decl.Name]) {
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
		if d.takenLater(s.use, d.usesOfClass(o.class)) {
			return o, true
		}
	}
	return onChannel{}, false
}

func (d sendWaits) closedIn(at place, uses *chanUses) bool {
	for _, c := range uses.closes {
		if c.function() == at.function() {
			return true
		}
	}
	return false
}

// sendInBackground moves the statements that send, and the close after them, into a
// goroutine of their own.
func (d sendWaits) sendInBackground(s onChannel, at place, list []ast.Stmt, top ast.Stmt) {
	_, i := within(list, top.Pos())
	if i < 0 {
		return
	}
	j := i + 1
	for j < len(list) && (d.sendsOn(at, list[j], s.class) || d.closesChannel(at, list[j])) {
		j++
	}
	part := list[i:j]
	if leaves(part) || declaresFor(at, part, list[j:]) || assignsOuter(at, part) {
		return
	}
	ch := d.change().wrap(part, "go func() {", "}()")
	d.offer(idea{rule: "deadlock/send-in-background", title: fmt.Sprintf("send on %s from a goroutine", d.text(s.ch)), weight: origin, change: ch,
		why: fmt.Sprintf("The sends run in the background of %s, which goes on to receive.", funcName(at.function()))})
}

func (d sendWaits) sendsOn(p place, s ast.Stmt, class any) bool {
	for _, u := range d.usesOfClass(class).sends {
		if contains(s, u.node().Pos()) && u.function() == p.function() {
			return true
		}
	}
	return false
}

// assignsOuter reports whether statements assign to variables declared outside
// of them: in a goroutine of its own that would be a race.
func assignsOuter(p place, list []ast.Stmt) bool {
	found := false
	inside := func(obj types.Object) bool {
		for _, s := range list {
			if obj != nil && contains(s, obj.Pos()) {
				return true
			}
		}
		return obj == nil
	}
	check := func(e ast.Expr) {
		if e == nil {
			return
		}
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && id.Name != "_" && !inside(p.info().ObjectOf(id)) {
			found = true
		}
	}
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, l := range n.Lhs {
					check(l)
				}
			case *ast.IncDecStmt:
				check(n.X)
			}
			return true
		})
	}
	return found
}
