package fixer

import (
	"fmt"
	"go/ast"
	"slices"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/channels"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

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
