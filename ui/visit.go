package ui

import (
	"context"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/editor"
	"github.com/pausetui/pausetui/ui/options"
)

// returnedMsg: the person is back from the past.
type returnedMsg struct{ err error }

// visit gives the terminal to a session in the past. It is for who sits at the program's
// own terminal: guests stay in the present.
func (m *model) visit(past *live.Past) tea.Cmd {
	if past == nil || past == m.visited || m.Opts.Remote != nil {
		return nil
	}
	if m.isBusy() { // what is typed is for the program here
		if past != m.awaited {
			m.awaited = past
			m.Say("info", "the past is ready: finish here, or press esc, and it opens")
		}
		return nil
	}
	m.visited = past
	opts := m.Opts
	opts.Sessions, opts.Guide, opts.History, opts.Seat, opts.Notify = nil, nil, nil, nil, options.Notify{}
	opts.Mark = nil
	return tea.Exec(&visit{m.Base, past, opts}, func(err error) tea.Msg { return returnedMsg{err} })
}

// isBusy reports whether a person is typing, or has a dialog open.
func (m *model) isBusy() bool {
	return m.Commanding && m.command.Text() != "" || m.Typing || m.Filtering != nil || m.Dialog != nil
}

// awaitPast opens the command line where a key leads into the past: it shows how far the run
// is, and why there is none.
func (m *model) awaitPast() {
	if s := m.Ctx.State; !s.Can.Reverse && !common.InPast(s) && !m.command.Commanding {
		m.command.OpenAnswer()
	}
}

// returned says that the person is back.
func (m *model) returned(err error) {
	m.Commanding = false
	if err != nil {
		m.Say("error", "the past: "+err.Error())
		return
	}
	m.Say("info", "back in the present: the program is held as it was")
}

// visit is a session in the past as something that has the terminal to itself.
type visit struct {
	ctx  context.Context
	past *live.Past
	opts options.Screen
}

// Run takes the time of a handover at least.
func (v *visit) Run() error {
	ended := time.After(editor.HandoverTime)
	err := show(v.ctx, v.past, v.opts, func() {}) // the terminal stays with the screen below
	v.past.Do(intent.Quit{})
	<-ended
	return err
}

// SetStdin does nothing: the options say where keys come from.
func (v *visit) SetStdin(io.Reader) {}

// SetStdout does nothing, as SetStdin.
func (v *visit) SetStdout(io.Writer) {}

// SetStderr does nothing: nothing is written there.
func (v *visit) SetStderr(io.Writer) {}
