package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/execution"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
)

// paneKeys are the keys that focus a pane.
var paneKeys = map[keymap.Action]int{
	keymap.Pane1: 1, keymap.Pane2: 2, keymap.Pane3: 3, keymap.Pane4: 4,
	keymap.Pane5: 5, keymap.Pane6: 6, keymap.Pane7: 7, keymap.Pane8: 8,
}

// globalAction carries out an action that does not depend on the focused pane;
// done is false for those that do.
func (m *model) globalAction(a keymap.Action) (cmd tea.Cmd, done bool) {
	if a == keymap.RevNext && m.values.GoesBackToEvent() {
		return nil, true
	}
	if motion, ok := execution.Motions[a]; ok {
		if run := m.execution.Step(motion); motion.Backwards() {
			m.awaitPast()
			m.Engine.Do(run)
		} else {
			m.execution.Move(run)
		}
		return nil, true
	}
	if n, ok := paneKeys[a]; ok {
		m.LeaveReview()
		m.SetFocus(n)
		return nil, true
	}
	if done := m.runAction(a); done {
		return nil, true
	}
	if cmd, done := m.breakpoints.Action(a); done {
		return cmd, true
	}
	if cmd, done := m.fixAction(a); done {
		return cmd, true
	}
	if cmd, done := m.values.Action(a); done {
		return cmd, true
	}
	if cmd, done := m.arrangement.Action(a); done {
		return cmd, true
	}
	return m.openAction(a)
}

func (m *model) runAction(a keymap.Action) bool {
	switch a {
	case keymap.Interrupt:
		m.execution.Interrupt()
	case keymap.Breakpoint:
		if file, line, ok := m.Panes.Source.Line(); ok {
			m.Engine.Do(intent.ToggleBreakpoint{File: file, Line: line})
		}
	case keymap.Restart:
		m.Engine.Do(intent.Restart{})
	case keymap.Again:
		m.Engine.Do(intent.Restart{NoBuild: true})
	case keymap.Fresh:
		m.Engine.Do(intent.Restart{NoInput: true})
	case keymap.Type:
		m.execution.StartTyping()
	case keymap.Earlier:
		m.timeline.GoEarlier()
	case keymap.Later:
		m.timeline.GoLater()
	case keymap.Stops:
		m.timeline.ListStops()
	case keymap.Holder:
		m.selection.SeekHolder()
	case keymap.PaneNext:
		m.arrangement.Cycle(1)
	case keymap.PanePrev:
		m.arrangement.Cycle(-1)
	default:
		return false
	}
	return true
}

func (m *model) fixAction(a keymap.Action) (cmd tea.Cmd, done bool) {
	switch a {
	case keymap.Ask:
		m.models.Ask("")
	case keymap.AskProfile:
		m.models.Pick()
	case keymap.Cancel:
		m.Engine.Do(intent.Cancel{})
	case keymap.Previous:
		m.review.OtherCandidate(-1)
	case keymap.Following:
		m.review.OtherCandidate(1)
	case keymap.Best:
		m.review.GoToCandidate(m.Panes.Fixes.Best())
	case keymap.Approve:
		m.review.Approve()
	case keymap.Edit:
		return m.editor.Edit(), true
	case keymap.EditLine:
		return m.editor.EditLine(), true
	case keymap.Confirm:
		m.Engine.Do(intent.Confirm{Candidate: m.Ctx.Candidate})
	case keymap.Reject:
		m.review.Reject()
	case keymap.Split:
		m.review.Split()
	case keymap.Changes:
		m.review.Changes()
	case keymap.Prompt:
		m.models.ShowPrompt()
	case keymap.Undo:
		m.review.Undo()
	case keymap.Mute:
		m.breakpoints.Mute()
	case keymap.Mutes:
		m.breakpoints.ListMutes()
	case keymap.Allow:
		m.review.Allow()
	default:
		return nil, false
	}
	return nil, true
}

func (m *model) openAction(a keymap.Action) (cmd tea.Cmd, done bool) {
	switch a {
	case keymap.Question:
		m.discussion.Open()
	case keymap.Wheel:
		m.company.Wheel()
	case keymap.Command:
		m.command.OpenCommand()
	case keymap.Filter:
		m.startFilter()
	case keymap.Palette:
		m.Dialog = m.appearance.Palette()
	case keymap.Themes:
		m.appearance.OpenThemes()
	case keymap.Sessions:
		return m.editor.PastSessions(), true
	case keymap.Snapshot:
		m.Say("info", "taking a snapshot…")
		m.Engine.Do(intent.Snapshot{})
	case keymap.Find:
		return m.navigation.OpenFinder(), true
	case keymap.Help:
		m.Dialog = &dialog.Help{Keys: m.Keys, Facts: m.facts()}
	case keymap.Quit:
		return m.execution.Quit(), true
	case keymap.ToStop:
		if f := m.facts(); f.History && (!f.Elsewhere || !f.Held()) {
			return m.execution.Quit(), true
		}
		m.selection.ToStop()
	case keymap.Back:
		m.back()
	default:
		return nil, false
	}
	return nil, true
}

// back undoes the last thing that was opened.
func (m *model) back() {
	if f, ok := m.Panes.At(m.Focus).(pane.Filterer); ok && f.Filter() != "" {
		f.SetFilter("")
		return
	}
	if m.navigation.StopSeeking() {
		return
	}
	if m.Past != nil {
		m.timeline.LeavePast()
		return
	}
	switch m.Focus {
	case layout.Source:
		m.Panes.Source.Return()
	case layout.Why:
		m.Panes.Source.Unpeek()
		m.SetFocus(layout.Source)
	}
}
