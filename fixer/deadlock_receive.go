package fixer

import (
	"go/ast"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/syntax"
)

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
