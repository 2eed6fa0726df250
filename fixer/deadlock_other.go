package fixer

import (
	"fmt"
	"go/ast"

	"github.com/pausetui/pausetui/fixer/nilness"
	"github.com/pausetui/pausetui/fixer/syntax"
)

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
