// Package navigation leads to places of the source: by a search for names, by the
// definition and the callers of what is under the cursor, and by where an answer points.
package navigation

import (
	tea "charm.land/bubbletea/v2"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/execution"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/timeline"
)

// Navigation moves through the source: files, symbols, definitions, callers.
type Navigation struct {
	*common.Common
	Execution *execution.Execution
	Selection *timeline.Selection
	finding   finding
	seeking   seeking
}

// OpenPlace selects a frame, or shows a line of a file.
func (n *Navigation) OpenPlace(p session.Place) {
	n.LeaveReview()
	if p.Frame != nil && n.Facts().Held() {
		n.Selection.SelectFrame(pane.SelectFrame{At: *p.Frame})
		n.SetFocus(layout.Source)
		return
	}
	if p.File != "" {
		n.Panes.Source.Look(n.Ctx, p.File, p.Line)
		n.SetFocus(layout.Source)
	}
}

// SourceEffect carries out what the source asks for.
func (n *Navigation) SourceEffect(e pane.Effect) tea.Cmd {
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
		n.Engine.Do(intent.ToggleBreakpoint{File: e.File, Line: e.Line})
	}
	return nil
}
