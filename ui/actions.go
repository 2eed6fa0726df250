package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/session"
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
	keymap.Pane5: 5, keymap.Pane6: 6, keymap.Pane7: 7,
}

// globalAction carries out an action that does not depend on the focused pane;
// done is false for those that do.
func (m *model) globalAction(a keymap.Action) (cmd tea.Cmd, done bool) {
	if motion, ok := motions[a]; ok {
		m.face.Do(m.step(motion))
		return nil, true
	}
	if n, ok := paneKeys[a]; ok {
		m.leaveReview()
		m.setFocus(n)
		return nil, true
	}
	if done := m.runAction(a); done {
		return nil, true
	}
	if cmd, done := m.breakAction(a); done {
		return cmd, true
	}
	if cmd, done := m.fixAction(a); done {
		return cmd, true
	}
	if cmd, done := m.valueAction(a); done {
		return cmd, true
	}
	if cmd, done := m.shapeAction(a); done {
		return cmd, true
	}
	return m.talkAction(a)
}

func (m *model) runAction(a keymap.Action) bool {
	switch a {
	case keymap.Interrupt:
		m.interrupt()
	case keymap.Breakpoint:
		if file, line, ok := m.panes.source.Line(); ok {
			m.face.Do(engine.ToggleBreakpoint{File: file, Line: line})
		}
	case keymap.Restart:
		m.face.Do(engine.Restart{})
	case keymap.Again:
		m.face.Do(engine.Restart{NoBuild: true})
	case keymap.Type:
		m.startTyping()
	case keymap.Earlier:
		m.goEarlier()
	case keymap.Later:
		m.goLater()
	case keymap.Stops:
		m.listStops()
	case keymap.Jump:
		m.seekHolder()
	case keymap.PaneNext:
		m.cycle(1)
	case keymap.PanePrev:
		m.cycle(-1)
	default:
		return false
	}
	return true
}

func (m *model) fixAction(a keymap.Action) (cmd tea.Cmd, done bool) {
	switch a {
	case keymap.Ask:
		m.ask("")
	case keymap.AskProfile:
		m.pick()
	case keymap.Cancel:
		m.face.Do(engine.Cancel{})
	case keymap.Previous:
		m.otherCandidate(-1)
	case keymap.Following:
		m.otherCandidate(1)
	case keymap.Best:
		m.goToCandidate(m.panes.fixes.Best())
	case keymap.Approve:
		m.approve()
	case keymap.Edit:
		return m.edit(), true
	case keymap.Reject:
		m.reject()
	case keymap.Split:
		m.ctx.Split = !m.ctx.Split
	case keymap.Prompt:
		m.showPrompt()
	case keymap.Undo:
		m.undo()
	case keymap.Mute:
		m.mute()
	case keymap.Mutes:
		m.listMutes()
	case keymap.Allow:
		m.allow()
	default:
		return nil, false
	}
	return nil, true
}

func (m *model) talkAction(a keymap.Action) (cmd tea.Cmd, done bool) {
	switch a {
	case keymap.Question:
		m.openTalk()
	case keymap.Command:
		m.openCommand()
	case keymap.Filter:
		m.startFilter()
	case keymap.Palette:
		m.dialog = m.palette()
	case keymap.Themes:
		m.openThemes()
	case keymap.Find:
		return m.openFinder(), true
	case keymap.Help:
		m.dialog = &dialog.Help{Keys: m.keys, Facts: m.facts()}
	case keymap.Quit:
		return m.quit(), true
	case keymap.Back:
		m.back()
	default:
		return nil, false
	}
	return nil, true
}

// back undoes the last thing that was opened.
func (m *model) back() {
	if f, ok := m.panes.at(m.focus).(pane.Filterer); ok && f.Filter() != "" {
		f.SetFilter("")
		return
	}
	if m.stopSeeking() {
		return
	}
	if m.past != nil {
		m.leavePast()
		return
	}
	if m.focus == layout.Source {
		m.panes.source.Return()
	}
}

func (m *model) setFocus(n int) {
	m.focus = n
	if n != layout.Source {
		m.shape.beside = n
	}
}

// cycle goes on to the next pane: of those on the screen where several are,
// of all otherwise.
func (m *model) cycle(d int) {
	m.leaveReview()
	several := 0
	for _, r := range m.lay.Panes {
		if !r.Empty() {
			several++
		}
	}
	for range layout.Count {
		m.setFocus((m.focus-1+d+layout.Count)%layout.Count + 1)
		if several < 2 || !m.lay.Tabs.Empty() || !m.lay.Panes[m.focus].Empty() {
			return
		}
	}
}

// interrupt halts the running target; without one it asks to quit.
func (m *model) interrupt() {
	if m.facts().Running() {
		m.face.Do(engine.Halt{})
		return
	}
	m.askQuit()
}

// quit leaves, after asking where there is a target to lose.
func (m *model) quit() tea.Cmd {
	if m.quitting || m.over != nil {
		return tea.Quit
	}
	if m.facts().Alive() {
		m.askQuit()
		return nil
	}
	m.face.Do(engine.Quit{})
	return m.leave()
}

func (m *model) askQuit() {
	body := "Nothing is running; the log is kept."
	if m.facts().Alive() {
		body = "The target is still there and ends with the session. The log is kept."
	}
	way := m.ctx.State.Started.Mode
	if !way.Starts() && way.Lives() && m.facts().Alive() {
		m.askPart(way)
		return
	}
	switch way.Kind {
	case session.ModeCore:
		body = "The core dump stays as it is. The log is kept."
	case session.ModeTrace:
		body = "The trace is kept in the log."
	}
	m.dialog = &dialog.Confirm{Head: "Quit?", Body: []string{body}, Yes: "quits", Do: engine.Quit{}}
}

// askPart asks what becomes of a target that was there before us.
func (m *model) askPart(way session.LaunchMode) {
	body := []string{way.String() + " was not started here. Left running, it goes on without a breakpoint of ours. The log is kept."}
	kills := "quits and kills the process"
	if way.Kind == session.ModeConnect {
		kills = "quits and ends the server and its program"
	}
	m.dialog = &dialog.Confirm{Head: "Quit?", Body: body, Yes: "quits and leaves it running", Do: engine.Quit{},
		Key2: "K", Yes2: kills, Do2: engine.Quit{Kill: true}}
}

// giveUpMsg ends the program when the engine takes too long to end.
type giveUpMsg struct{}

// leave waits for the engine to end the session, but not for ever.
func (m *model) leave() tea.Cmd {
	if m.over != nil {
		return tea.Quit
	}
	m.quitting = true
	m.say("info", "leaving…")
	return m.later(m.patience, giveUpMsg{})
}

// showPrompt shows what the proposer of the candidate under review was sent, or
// else what would be sent now.
func (m *model) showPrompt() {
	sent := m.prompt()
	if sent != "" && (m.reviewing || !m.asksModels()) {
		m.dialog = &dialog.Text{Head: "The prompt of " + m.ctx.Candidate, Body: sent}
		return
	}
	m.dialog = dialog.NewPreview("", m.reason(), m.ctx.Live.Preview)
	m.face.Do(engine.PreviewPrompt{Reason: m.reason()})
}

// asksModels tells whether there is a stop to ask a model about, and one to ask.
func (m *model) asksModels() bool { return m.ctx.State.CaseIndex() >= 0 && len(m.opts.Profiles) > 0 }

func (m *model) ask(profile string) {
	m.face.Do(engine.Ask{Profile: profile, Reason: m.reason()})
	m.leaveReview()
	m.setFocus(layout.Fixes)
}

// reason is what a new try should know: why the last applied one did not help.
func (m *model) reason() string {
	if j := m.ctx.State.Judged; j != nil && j.Judgement == session.CameBack {
		return "the panic came back: " + j.Evidence
	}
	return ""
}

func (m *model) undo() {
	a, _ := m.ctx.State.Undoable()
	files := make([]string, len(a.Files))
	for i, f := range a.Files {
		files[i] = f.File
	}
	m.dialog = &dialog.Confirm{
		Head: "Undo the applied change?",
		Body: []string{fmt.Sprintf("%s goes back to what it was before %s was applied.", strings.Join(files, ", "), a.Candidate)},
		Yes:  "restores the files", Do: engine.Undo{},
	}
}
