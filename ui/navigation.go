package ui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
)

// navigation moves through the source: files, symbols, definitions, callers.
type navigation struct {
	*common
	execution *execution
	selection *selection
	finding   finding
	seeking   seeking
}

// openPlace selects a frame, or shows a line of a file.
func (n *navigation) openPlace(p session.Place) {
	n.leaveReview()
	if p.Frame != nil && n.facts().Held() {
		n.selection.selectFrame(pane.SelectFrame{At: *p.Frame})
		n.setFocus(layout.Source)
		return
	}
	if p.File != "" {
		n.panes.source.Look(n.ctx, p.File, p.Line)
		n.setFocus(layout.Source)
	}
}

// sourceEffect carries out what the source asks for.
func (n *navigation) sourceEffect(e pane.Effect) tea.Cmd {
	switch e := e.(type) {
	case pane.Define:
		return n.define(e.At)
	case pane.FindCallers:
		return n.callers(e.At)
	case pane.ToggleBreakpoint:
		if why := n.keys.Get("breakpoint").Why(n.facts()); why != "" {
			n.say("info", why)
			return nil
		}
		n.engine.Do(engine.ToggleBreakpoint{File: e.File, Line: e.Line})
	}
	return nil
}
