package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
)

// motions are the keys that let the target run.
var motions = map[keymap.Action]debugger.Motion{
	keymap.Continue: debugger.Continue, keymap.Next: debugger.Next,
	keymap.StepIn: debugger.StepIn, keymap.StepOut: debugger.StepOut,
	keymap.StepInstr: debugger.StepInstruction, keymap.NextInstr: debugger.NextInstruction,
	keymap.Rewind: debugger.Rewind, keymap.RevNext: debugger.ReverseNext, keymap.RevStep: debugger.ReverseStep, keymap.RevOut: debugger.ReverseStepOut,
}

// paneKeys are the keys that focus a pane.
var paneKeys = map[keymap.Action]int{
	keymap.Pane1: 1, keymap.Pane2: 2, keymap.Pane3: 3, keymap.Pane4: 4,
	keymap.Pane5: 5, keymap.Pane6: 6, keymap.Pane7: 7, keymap.Pane8: 8,
}

// globalAction carries out an action that does not depend on the focused pane;
// done is false for those that do.
func (m *model) globalAction(a keymap.Action) (cmd tea.Cmd, done bool) {
	if a == keymap.RevNext && m.values.goesBackToEvent() {
		return nil, true
	}
	if motion, ok := motions[a]; ok {
		if run := m.execution.step(motion); motion.Backwards() {
			m.awaitPast()
			m.Engine.Do(run)
		} else {
			m.execution.move(run)
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
	if cmd, done := m.breakpoints.action(a); done {
		return cmd, true
	}
	if cmd, done := m.fixAction(a); done {
		return cmd, true
	}
	if cmd, done := m.values.action(a); done {
		return cmd, true
	}
	if cmd, done := m.arrangement.action(a); done {
		return cmd, true
	}
	return m.openAction(a)
}

func (m *model) runAction(a keymap.Action) bool {
	switch a {
	case keymap.Interrupt:
		m.execution.interrupt()
	case keymap.Breakpoint:
		if file, line, ok := m.Panes.Source.Line(); ok {
			m.Engine.Do(engine.ToggleBreakpoint{File: file, Line: line})
		}
	case keymap.Restart:
		m.Engine.Do(engine.Restart{})
	case keymap.Again:
		m.Engine.Do(engine.Restart{NoBuild: true})
	case keymap.Fresh:
		m.Engine.Do(engine.Restart{NoInput: true})
	case keymap.Type:
		m.execution.startTyping()
	case keymap.Earlier:
		m.timeline.goEarlier()
	case keymap.Later:
		m.timeline.goLater()
	case keymap.Stops:
		m.timeline.listStops()
	case keymap.Holder:
		m.selection.seekHolder()
	case keymap.PaneNext:
		m.arrangement.cycle(1)
	case keymap.PanePrev:
		m.arrangement.cycle(-1)
	default:
		return false
	}
	return true
}

func (m *model) fixAction(a keymap.Action) (cmd tea.Cmd, done bool) {
	switch a {
	case keymap.Ask:
		m.models.ask("")
	case keymap.AskProfile:
		m.models.pick()
	case keymap.Cancel:
		m.Engine.Do(engine.Cancel{})
	case keymap.Previous:
		m.review.otherCandidate(-1)
	case keymap.Following:
		m.review.otherCandidate(1)
	case keymap.Best:
		m.review.goToCandidate(m.Panes.Fixes.Best())
	case keymap.Approve:
		m.review.approve()
	case keymap.Edit:
		return m.editor.edit(), true
	case keymap.EditLine:
		return m.editor.editLine(), true
	case keymap.Confirm:
		m.Engine.Do(engine.Confirm{Candidate: m.Ctx.Candidate})
	case keymap.Reject:
		m.review.reject()
	case keymap.Split:
		m.review.split()
	case keymap.Changes:
		m.review.changes()
	case keymap.Prompt:
		m.models.showPrompt()
	case keymap.Undo:
		m.review.undo()
	case keymap.Mute:
		m.breakpoints.mute()
	case keymap.Mutes:
		m.breakpoints.listMutes()
	case keymap.Allow:
		m.review.allow()
	default:
		return nil, false
	}
	return nil, true
}

func (m *model) openAction(a keymap.Action) (cmd tea.Cmd, done bool) {
	switch a {
	case keymap.Question:
		m.discussion.open()
	case keymap.Wheel:
		m.company.wheel()
	case keymap.Command:
		m.command.openCommand()
	case keymap.Filter:
		m.startFilter()
	case keymap.Palette:
		m.Dialog = m.appearance.palette()
	case keymap.Themes:
		m.appearance.openThemes()
	case keymap.Sessions:
		return m.editor.pastSessions(), true
	case keymap.Snapshot:
		m.Say("info", "taking a snapshot…")
		m.Engine.Do(engine.Snapshot{})
	case keymap.Find:
		return m.navigation.openFinder(), true
	case keymap.Help:
		m.Dialog = &dialog.Help{Keys: m.Keys, Facts: m.facts()}
	case keymap.Quit:
		return m.execution.quit(), true
	case keymap.ToStop:
		if f := m.facts(); f.History && (!f.Elsewhere || !f.Held()) {
			return m.execution.quit(), true
		}
		m.selection.toStop()
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
	if m.navigation.stopSeeking() {
		return
	}
	if m.Past != nil {
		m.timeline.leavePast()
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
