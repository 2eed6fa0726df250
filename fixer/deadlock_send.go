package fixer

import (
	"fmt"
	"go/ast"
	"slices"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

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
