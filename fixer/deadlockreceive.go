package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// receiving looks at those who wait to receive.
func (d *deadlock) receiving() {
	d.receiveBeside()
	seen := map[any]bool{}
	for _, r := range d.receiversWaiting() {
		d.cancelBefore(r)
		d.stoppedTimer(r)
		if r.class == nil || seen[r.class] || r.nilChan || isContextDone(r.use, r.ch) {
			continue
		}
		seen[r.class] = true
		uses := d.usesOfClass(r.class)
		d.startSenderFirst(r, uses)
		if !d.endsByClose(r) || len(uses.ranges) == 0 {
			d.sendLeftOut(r, uses)
			d.receivesMore(r, uses)
		}
	}
	d.breakOfSelect()
}

// receiveBeside: a function receives from one channel until it is closed, and
// from a second one only then; but those who would close the first wait to
// send on the second.
func (d *deadlock) receiveBeside() {
	for _, r := range d.receiversWaiting() {
		for _, s := range d.sendersWaiting() {
			if s.class == nil || s.class == r.class || s.id == r.id {
				continue
			}
			uses := d.usesOfClass(s.class)
			for i := r.at; i < len(r.frames); i++ {
				at, ok := d.standsAt(r.waiter, i)
				if !ok || at.top() == nil {
					continue
				}
				later, found := d.takeAfter(at, uses)
				if !found {
					continue
				}
				d.say(s.use.node().Pos(), "%s receives from %s first, while %s (%s) waits to send on %s, from which it receives only afterwards (%s)",
					funcName(at.function()), d.text(r.ch), senders(s), d.where(s.use.node().Pos()), d.text(s.ch), d.where(later.Pos()))
				d.loopInBackground(at, later, s, uses)
				w := origin + 1
				if _, isLoop := later.(*ast.RangeStmt); !isLoop {
					w = origin - 1
				}
				d.roomForAll(s.use, s.ch, uses, w)
			}
		}
	}
}

// takeAfter returns the statement of the function's outermost list, after a
// place, that receives from the channel.
func (d *deadlock) takeAfter(at place, uses *chanUses) (ast.Stmt, bool) {
	for _, t := range uses.takes() {
		if t.function() == at.function() && t.node().Pos() > at.node().End() {
			if top := t.top(); top != nil && top != at.top() {
				return top, true
			}
		}
	}
	return nil, false
}

// loopInBackground runs the later loop in a goroutine, concurrently with the earlier one.
func (d *deadlock) loopInBackground(at place, later ast.Stmt, s onChannel, uses *chanUses) {
	list := bodyOf(at.function()).List
	_, i := within(list, at.top().Pos())
	_, j := within(list, later.Pos())
	if _, ok := later.(*ast.RangeStmt); !ok || i < 0 || j <= i || leaves([]ast.Stmt{later}) || declaresFor(at, []ast.Stmt{later}, list[j+1:]) {
		return
	}
	k := j // what the loop needs comes along, as far as it needs nothing itself
	for k > i+1 && declaresFor(at, list[k-1:k], list[j:j+1]) && plainDeclaration(at, list[k-1]) {
		k--
	}
	if d.sharesWith(at, later, list[i:k]) {
		return
	}
	name := fresh(at, "done", "collected", "received")
	ch := d.change()
	declared := ""
	if k < j {
		declared = ch.cut(list[k:j])
	}
	text := ch.cut([]ast.Stmt{later})
	lead := lineIndentAt(d.code, later)
	ch.insertBelow(later, lead+"<-"+name+"\n")
	ch.insertAbove(list[i], fmt.Sprintf("%s%s%s := make(chan struct{})\n%sgo func() {\n%s\tdefer close(%s)\n%s%s}()\n", declared, lead, name, lead, lead, name, text, lead))
	d.offer(idea{title: fmt.Sprintf("receive from %s at the same time", d.text(s.ch)), weight: origin, change: ch,
		why: fmt.Sprintf("The loop at %s runs in a goroutine next to the one at %s, and is waited for.", d.where(later.Pos()), d.where(list[i].Pos()))})
}

// plainDeclaration reports whether a statement declares variables with values
// that depend on nothing.
func plainDeclaration(p place, s ast.Stmt) bool {
	plain := true
	names := map[*ast.Ident]bool{}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok {
					names[id] = true
				}
			}
		case *ast.CallExpr:
			if name, _ := p.builtin(n); name != "make" && name != "new" {
				plain = false
			}
		case *ast.Ident:
			if _, isVar := p.info().Uses[n].(*types.Var); isVar && !names[n] {
				plain = false
			}
		}
		return plain
	})
	return plain
}

// sharesWith reports whether a statement assigns variables that others use.
func (d *deadlock) sharesWith(p place, s ast.Stmt, others []ast.Stmt) bool {
	assigned := map[string]bool{}
	add := func(e ast.Expr) {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			if obj := p.info().ObjectOf(x); obj != nil && !contains(s, obj.Pos()) {
				assigned[x.Name] = true
			}
		default:
			assigned[d.text(x)] = true
		}
	}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				add(l)
			}
		case *ast.IncDecStmt:
			add(n.X)
		}
		return true
	})
	shared := false
	for _, o := range others {
		ast.Inspect(o, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok && assigned[d.text(e)] {
				shared = true
			}
			return !shared
		})
	}
	return shared
}

// startSenderFirst: the goroutine that would send is started further down.
func (d *deadlock) startSenderFirst(r onChannel, uses *chanUses) {
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
			d.offer(idea{title: fmt.Sprintf("start the sender of %s before the receive", d.text(r.ch)), weight: origin - 1,
				change: d.change().moveBefore(list[first:to+1], list[from]),
				why:    fmt.Sprintf("The goroutine that sends is started at %s already.", d.where(list[from].Pos()))})
			return
		}
	}
}

// sendLeftOut: a way through the goroutine leaves its only send out.
func (d *deadlock) sendLeftOut(r onChannel, uses *chanUses) {
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
func (d *deadlock) conditionNot(s place) string {
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
func (d *deadlock) sendOnEveryWay(r onChannel, uses *chanUses, fn ast.Node, list []place, exit *ast.ReturnStmt) {
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
	d.offer(idea{title: fmt.Sprintf("send on %s on every way out", name), weight: origin, change: ch,
		why: fmt.Sprintf("The send is deferred, so that it comes on every way out, also on the one at %s.", d.where(exit.Pos()))})
}

// meansNothing reports whether a sent value only says that something has ended.
func (d *deadlock) meansNothing(p place, value ast.Expr, t types.Type) bool {
	if st, ok := t.Underlying().(*types.Struct); ok && st.NumFields() == 0 {
		return true
	}
	return p.info().Types[value].Value != nil
}

// sendNil sends nil where a goroutine ends without an error.
func (d *deadlock) sendNil(fn ast.Node, list []place, name string) {
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
	d.offer(idea{title: fmt.Sprintf("send nil on %s where there is no error", name), weight: origin, change: ch,
		why: "Every goroutine now sends exactly one value; nil says that all went well."})
}

// whole is a statement with its replacement.
type whole struct {
	ast.Stmt
	text string
}

// soleSend finds "if err != nil { c <- err }" at the end of a function, which
// becomes a plain "c <- err".
func (d *deadlock) soleSend(list []place, fn ast.Node) (whole, bool) {
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

// receiveWhatComes receives until the channel is closed, instead of a number
// that may not come, and closes it when all senders have ended.
func (d *deadlock) receiveWhatComes(r onChannel, uses *chanUses) {
	l := r.use.loop()
	if l == nil || len(uses.closes) > 0 {
		return
	}
	ch := d.change()
	if !d.asRange(ch, r.use, l) {
		return
	}
	started := d.startersOf(uses)
	if len(started) == 0 || !d.closing(ch, r, uses, started) {
		return
	}
	d.offer(idea{title: fmt.Sprintf("receive from %s until it is closed", d.text(r.ch)), weight: origin + 1, change: ch,
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
func (d *deadlock) asRange(ch *change, r place, l ast.Stmt) bool {
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
func (d *deadlock) counterUsed(p place, l ast.Stmt) bool {
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
func (d *deadlock) receivesMore(r onChannel, uses *chanUses) {
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
	got, okGot := d.turns(r.use, l)
	if !ok || !okGot || sent.String() == got.String() {
		return
	}
	if n, known := d.reader(r.waiter).evaluate(r.use, r.at, sent); known {
		if m, ok := d.reader(r.waiter).evaluate(r.use, r.at, got); ok && m == n {
			return
		}
	}
	d.say(l.Pos(), "%s gets %s values, and %s (%s) waits for %s", d.text(r.ch), sent.String(), funcName(r.use.function()), d.where(l.Pos()), got.String())
	d.setTurns(r.use, l, sent, d.text(r.ch))
}

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
func (d *deadlock) cancelBefore(r onChannel) {
	if !isContextDone(r.use, r.ch) {
		return
	}
	for _, w := range d.waiters {
		if w.id == r.id {
			continue
		}
		for i := w.at; i < len(w.frames); i++ {
			at, ok := d.standsAt(w, i)
			if !ok {
				continue
			}
			c, name := d.deferredCancel(at)
			if c == nil {
				continue
			}
			d.say(c.Pos(), "%s is never done: %s (%s) is deferred, and %s waits for the goroutine in %s first", d.text(r.ch),
				name+"()", d.where(c.Pos()), d.whereWaits(w), d.whereWaits(r.waiter))
			d.offer(idea{title: fmt.Sprintf("call %s() before the wait", name), weight: origin, change: d.change().before(at.node(), name+"()"),
				why: "The goroutines that wait for the context's end are canceled before they are waited for."})
			return
		}
	}
}

// deferredCancel finds a deferred call of a context's cancel function in the
// function of a place.
func (d *deadlock) deferredCancel(at place) (stmt ast.Stmt, name string) {
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
func (d *deadlock) stoppedTimer(r onChannel) {
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
		d.offer(idea{title: fmt.Sprintf("stop %s without reading its channel", name), weight: origin, change: d.change().replace(is.Pos(), is.End(), d.text(call)),
			why: "Since Go 1.23 a stopped timer leaves nothing in its channel; there is nothing to take out."})
	}
	if es, ok := r.use.path[1].(*ast.ExprStmt); ok {
		lead := lineIndentAt(d.code, es)
		d.offer(idea{title: fmt.Sprintf("read %s only if there is something", d.text(r.ch)), weight: origin + 1,
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
func (d *deadlock) breakOfSelect() {
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
		d.offer(idea{title: "leave the loop, not only the select", weight: origin, change: ch,
			why: "A plain break in a select ends the select; with the loop's label it ends the loop."})
	}
}
