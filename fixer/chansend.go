package fixer

import (
	"strings"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// sendAfterClose: the close comes before the last send.
func (f channelRules) sendAfterClose(s analysis.Suspect) {
	closes := f.closes(s.Place, s.Bad)
	if len(closes) == 0 {
		return
	}
	var at []string
	for _, c := range closes {
		at = append(at, f.Where(c.Node().Pos()))
	}
	f.Reason(proposal.Further+"it is closed at "+strings.Join(at, " and "), closes[0].Node().Pos())
	f.closeAfterWaitOnSend(s, closes)
}

// closeAfterWaitOnSend: one of several workers closes while the others still send.
func (f channelRules) closeAfterWaitOnSend(s analysis.Suspect, closes []syntax.Place) {
	ch := f.Change()
	for _, c := range closes {
		if !f.RunsAsGoroutine(c) || c.Statement() == nil {
			return
		}
		ch.Remove(c.Statement())
	}
	if wait, name, ok := f.waitFor(s, anyWait); ok {
		f.closeInGoroutine(s, wait, name, ch, "the workers no longer close the channel that the others still send on")
	}
}
