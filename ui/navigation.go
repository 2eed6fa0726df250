package ui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/execution"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/timeline"
)

// navigation moves through the source: files, symbols, definitions, callers.
type navigation struct {
	*common.Common
	execution *execution.Execution
	selection *timeline.Selection
	finding   finding
	seeking   seeking
}

// openPlace selects a frame, or shows a line of a file.
func (n *navigation) openPlace(p session.Place) {
	n.LeaveReview()
	if p.Frame != nil && n.Facts().Held() {
		n.selection.SelectFrame(pane.SelectFrame{At: *p.Frame})
		n.SetFocus(layout.Source)
		return
	}
	if p.File != "" {
		n.Panes.Source.Look(n.Ctx, p.File, p.Line)
		n.SetFocus(layout.Source)
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
		if why := n.Keys.Get("breakpoint").Why(n.Facts()); why != "" {
			n.Say("info", why)
			return nil
		}
		n.Engine.Do(engine.ToggleBreakpoint{File: e.File, Line: e.Line})
	}
	return nil
}
