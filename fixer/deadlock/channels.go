package deadlock

import (
	"fmt"
	"go/ast"
	"slices"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/channels"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/nilness"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

func senders(s onChannel) string {
	if s.count == 1 {
		return "a goroutine"
	}
	return fmt.Sprintf("%d goroutines", s.count)
}

// nilChannels: a goroutine waits on a channel that nothing has made.
func (d otherWaits) nilChannels() {
	for _, w := range d.waiters {
		if w.File == nil {
			continue
		}
		if w.nilChan && w.on != nil {
			d.nilChannel(w, w.Place, w.on)
		}
	}
}

func (d otherWaits) nilChannel(w waiter, p syntax.Place, ch ast.Expr) {
	if isContextDone(p, ch) {
		d.say(p.Node().Pos(), "%s is nil, because that context is never canceled: %s waits forever", d.Text(ch), d.whereWaits(w))
		return
	}
	text := d.Text(ch)
	if d.Diagnosis.Origin == "" {
		d.Diagnosis.Expr, d.Diagnosis.Value = text, "nil"
		d.Diagnosis.Sentence = fmt.Sprintf("%s is nil when %s waits on it", text, d.whereWaits(w))
	}
	frame := -1
	if w.id == d.Case.Stop.Goroutine {
		frame = w.at
	}
	nilness.ValueOrigin(d.Proposal, p, frame, ch, "channel")
	d.Diagnosis.Origin = orElse(d.Diagnosis.Origin, d.RelWhere(p.Node().Pos()))
}

func orElse(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// receiveConcurrently: a function receives from one channel until it is closed, and
// from a second one only then; but the goroutines that would close
// the first wait to send on the second.
func (d receiveWaits) receiveConcurrently() {
	for _, r := range d.receiversWaiting() {
		for _, s := range d.sendersWaiting() {
			if s.class == nil || s.class == r.class || s.id == r.id || !d.behind(r.waiter, s.waiter) {
				continue
			}
			uses := d.UsesOfClass(s.class)
			for i := r.at; i < len(r.frames); i++ {
				at, ok := d.statementAt(r.waiter, i)
				if !ok || at.Top() == nil {
					continue
				}
				later, found := d.takeAfter(at, uses)
				if !found {
					continue
				}
				d.say(s.use.Node().Pos(), "%s receives from %s first, while %s (%s) %s to send on %s, from which it receives only afterwards (%s)",
					syntax.FuncName(at.Function()), d.Text(r.ch), senders(s), d.Where(s.use.Node().Pos()), s.verb(), d.Text(s.ch), d.Where(later.Pos()))
			}
		}
	}
}

// takeAfter returns the statement of the function's outermost list, after a
// place, that receives from the channel.
func (d receiveWaits) takeAfter(at syntax.Place, uses *analysis.ChanUses) (ast.Stmt, bool) {
	for _, t := range uses.Takes() {
		if t.Function() == at.Function() && t.Node().Pos() > at.Node().End() {
			if top := t.Top(); top != nil && top != at.Top() {
				return top, true
			}
		}
	}
	return nil, false
}

// sending looks at the goroutines that wait to send.
func (d sendWaits) sending() {
	seen := map[any]bool{}
	for _, s := range d.sendersWaiting() {
		if s.class == nil || seen[s.class] || s.nilChan {
			continue
		}
		seen[s.class] = true
		uses := d.UsesOfClass(s.class)
		d.sendThenReceive(s, uses)
		if len(uses.Takes()) == 0 {
			d.say(s.use.Node().Pos(), "%s (%s) waits forever to send on %s: nothing receives from it", syntax.FuncName(s.use.Function()), d.Where(s.use.Node().Pos()), d.Text(s.ch))
		}
	}
}

// sendThenReceive: the function that sends is the one that would receive later.
func (d sendWaits) sendThenReceive(s onChannel, uses *analysis.ChanUses) {
	at := s.use
	top := at.Top()
	if top == nil {
		return
	}
	waitsFor := s // the channel of which the sender will receive later
	later, cross := d.takenLater(at, uses), false
	if later && buffered(uses) {
		d.slotKept(s, uses)
		return
	}
	if !later {
		waitsFor, cross = d.otherEnd(s)
		if !cross {
			return
		}
	}
	if cross {
		d.say(at.Node().Pos(), "%s (%s) sends on %s while those that receive wait to send on %s (%s), from which it receives only afterwards",
			syntax.FuncName(at.Function()), d.Where(at.Node().Pos()), d.Text(s.ch), d.Text(waitsFor.ch), d.Where(waitsFor.use.Node().Pos()))
	} else {
		d.say(at.Node().Pos(), "%s has no receiver when %s (%s) sends on it: the same goroutine receives only afterwards",
			d.Text(s.ch), syntax.FuncName(at.Function()), d.Where(at.Node().Pos()))
	}
}

// takenLater reports whether a function receives from a channel after a place.
func (d sendWaits) takenLater(at syntax.Place, uses *analysis.ChanUses) bool {
	for _, t := range uses.Takes() {
		if t.Function() == at.Function() && t.Node().Pos() > at.Node().End() {
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
		if d.takenLater(s.use, d.UsesOfClass(o.class)) && d.behind(s.waiter, o.waiter) {
			return o, true
		}
	}
	return onChannel{}, false
}

// buffered reports whether a channel has room for more than one sender at a time: it is full then,
// and who receives later is no reason.
func buffered(uses *analysis.ChanUses) bool {
	for _, m := range uses.Makes {
		if call, ok := m.Node().(*ast.CallExpr); ok && len(call.Args) == 2 {
			if v := m.Info().Types[call.Args[1]].Value; v == nil || v.String() != "0" {
				return true
			}
		}
	}
	return false
}

// slotKept: a channel counts who may go on at once, and the function that sends on it returns
// without receiving from it again.
func (d sendWaits) slotKept(s onChannel, uses *analysis.ChanUses) {
	at := s.use
	var back []syntax.Place
	for _, t := range uses.Takes() {
		if t.Function() == at.Function() {
			back = append(back, t)
		}
	}
	w := syntax.WaysFrom(at, at.Node(), func(n ast.Node) bool {
		return slices.ContainsFunc(back, func(t syntax.Place) bool { return syntax.Contains(n, t.Node().Pos()) })
	})
	if len(w.Exits) == 0 {
		return
	}
	ch, leak := d.Text(s.ch), w.Exits[len(w.Exits)-1]
	d.say(leak.Pos(), "%s is full: %s (%s) returns without receiving from it again%s", ch, syntax.FuncName(at.Function()), d.Where(leak.Pos()), d.condition(at, leak))
	send, ok := at.Anchor().(*ast.SendStmt)
	if !ok || len(back) != 1 {
		return
	}
	receive, ok := back[0].Anchor().(*ast.ExprStmt)
	if !ok || at.Loop() != nil || at.AnchorBlock() != back[0].AnchorBlock() {
		return
	}
	take := d.Text(receive.X)
	d.Offer(proposal.Idea{Rule: "pair/receive-deferred", Title: fmt.Sprintf("receive from %s on every way out", ch), Weight: exits.Origin,
		Change: d.Change().Remove(receive).After(send, fmt.Sprintf("defer func() { %s }()", take)),
		Why:    fmt.Sprintf("%s now receives from %s when it ends, whatever it returns.", syntax.FuncName(at.Function()), ch)})
}

// isContextDone reports whether a channel is that of a context's Done.
func isContextDone(p syntax.Place, ch ast.Expr) bool {
	call, ok := ast.Unparen(ch).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := p.Callee(call)
	return fn != nil && fn.FullName() == "(context.Context).Done"
}

// neverClosed: a loop ranges over a channel that nothing closes.
func (d receiveWaits) neverClosed() {
	seen := map[any]bool{}
	for _, r := range d.receiversWaiting() {
		uses := d.UsesOfClass(r.class)
		if _, ranges := r.use.Node().(*ast.RangeStmt); !ranges || r.class == nil || r.nilChan || seen[r.class] || len(uses.Closes) > 0 || len(uses.Makes) == 0 {
			continue
		}
		seen[r.class] = true
		d.say(r.use.Node().Pos(), "%s (%s) ranges over %s, which nothing closes", syntax.FuncName(r.use.Function()), d.Where(r.use.Node().Pos()), d.Text(r.ch))
		if len(uses.Makes) == 1 && !d.closeAfterSenders(r, uses) {
			d.closeByOnlySender(r, uses)
		}
	}
}

// closeAfterSenders closes a channel after the wait for those that send on it.
func (d receiveWaits) closeAfterSenders(r onChannel, uses *analysis.ChanUses) bool {
	f, s := channels.Rules{Proposal: d.Proposal}, analysis.Suspect{Place: r.use, Bad: r.ch}
	wait, name, ok := f.WaitFor(s, func(wait syntax.Place, wg ast.Expr) bool { return d.countsAll(wait, wg, uses.Sends) })
	if !ok {
		return false
	}
	const what = "nothing closed it when all of it was sent"
	if f.CloseInGoroutine(s, wait, name, f.Change(), what) || wait.Deferred() {
		return true
	}
	d.Offer(proposal.Idea{Rule: "chan/close-after-wait", Title: fmt.Sprintf("close %s when all senders are done", name), Weight: exits.Origin,
		Change: f.Change().After(wait.Statement(), "close("+name+")"),
		Why:    fmt.Sprintf("It is closed now after %s, when all senders are done.", d.Text(wait.Statement()))})
	return true
}

// countsAll reports whether a group counts every goroutine that sends.
func (d receiveWaits) countsAll(wait syntax.Place, wg ast.Expr, sends []syntax.Place) bool {
	group := d.groupUsesOf(wait, wg)
	return len(sends) > 0 && !slices.ContainsFunc(sends, func(send syntax.Place) bool {
		is := func(_ syntax.Place, n ast.Node) bool { return n == send.Node() }
		counts := func(done syntax.Place) bool { return d.Transitive(done, done.Function(), is) }
		starts := func(start syntax.Place) bool {
			run := ast.Unparen(start.Node().(*ast.CallExpr).Args[0])
			return d.Transitive(start, run, is)
		}
		return !slices.ContainsFunc(group.dones, counts) && !slices.ContainsFunc(group.gos, starts)
	})
}

// closeByOnlySender has the only goroutine that sends close the channel when it ends.
func (d receiveWaits) closeByOnlySender(r onChannel, uses *analysis.ChanUses) {
	if len(uses.Sends) == 0 || !d.RunsAsGoroutine(uses.Sends[0]) || d.StartedInLoop(uses.Sends[0]) {
		return
	}
	fn := uses.Sends[0].Function()
	for _, s := range uses.Sends {
		if s.Function() != fn {
			return
		}
	}
	if decl, ok := fn.(*ast.FuncDecl); ok && len(d.GoStatements(uses.Sends[0], decl)) != 1 {
		return
	}
	send := uses.Sends[0].Node().(*ast.SendStmt)
	if !d.steady(uses.Sends[0], send.Chan) {
		return
	}
	ch := d.Text(send.Chan)
	d.Offer(proposal.Idea{Rule: "chan/close-by-sender", Title: fmt.Sprintf("close %s when all of it is sent", ch), Weight: exits.Origin,
		Change: d.Change().First(syntax.BodyOf(fn), "defer close("+ch+")"),
		Why:    fmt.Sprintf("Only one goroutine sends on %s. It closes it now when it ends, so that the loop at %s ends.", ch, d.Where(r.use.Node().Pos()))})
}
