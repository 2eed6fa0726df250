package ui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
)

// deaf is how long keys are ignored after something appeared by itself.
const deaf = 300 * time.Millisecond

// absorb takes in what has happened.
func (m *model) absorb(u updateMsg) tea.Cmd {
	m.ctx.Live = u.Live
	var cmds []tea.Cmd
	m.inPresent(func() {
		for _, e := range u.Events {
			m.ctx.State = m.ctx.State.Apply(e)
			m.react(e)
			switch b := e.Body.(type) {
			case *session.Started:
				cmds = append(cmds, m.loadHistory(b.Workspace.Root))
			case *session.Evaluated:
				cmds = append(cmds, m.evaluated(b, !e.At.Before(m.began)))
			}
		}
	})
	m.pastMeanwhile(u.Events)
	m.panes.log.Append(u.Events)
	if d, ok := m.dialog.(*dialog.Preview); ok {
		d.Take(u.Live.Preview)
	}
	return tea.Batch(append(cmds, m.noticed(u.Events))...)
}

// react does what an event means for the screen, beyond what the state says.
func (m *model) react(e session.Event) {
	switch b := e.Body.(type) {
	case *session.Stopped:
		m.stopped(e.Seq, b)
	case *session.Jumped:
		m.stopped(e.Seq, &session.Stopped{Stop: b.Stop})
	case *session.Diagnosed:
		if stop, ok := m.ctx.State.CurrentStop(); ok {
			m.ctx.Stop, m.ctx.Held = stop, true
		}
	case *session.Resumed:
		m.resumed(b)
	case *session.BuildStarted, *session.Launched:
		m.leaveStop()
	case *session.BuildFailed, *session.BuildFinished:
		m.ctx.Store.Reread()
	case *session.Proposed:
		m.proposed(b)
	case *session.Displayed:
		m.displayed(b.List)
	case *session.Muted, *session.Unmuted:
		m.sayMuted(e)
	case *session.Consented:
		m.consent.answered = false // should it be asked once more, it is a new question
	case *session.Notice:
		m.say(b.Level, joined(b.Text, b.Hint))
		m.offer(b)
	case *session.ApplyFailed:
		m.say("error", joined("nothing was changed: "+b.Err, b.Hint))
	case *session.Applied:
		m.ctx.Store.Reread()
	case *session.Undone:
		m.ctx.Store.Reread()
		m.say("info", "undone: the files are as they were")
	case *session.Committed:
		m.ctx.Store.Reconsider()
		m.say("info", fmt.Sprintf("committed %.12s: %s", b.Hash, session.Clean(b.Subject)))
	case *session.CommitFailed:
		m.say("warn", joined(session.Clean(b.Err), b.Hint))
	case *session.Reopened:
		m.reopened()
	}
}

// reopened shows that an earlier session goes on, and not its last words.
func (m *model) reopened() {
	m.leaveStop()
	m.picked, m.dialog = false, nil
	words := "session resumed"
	if a, ok := m.ctx.State.Undoable(); ok {
		words += fmt.Sprintf(": %s is applied, %s takes it back", a.Candidate, m.keys.Key("undo"))
	}
	m.say("info", words)
}

func (m *model) stopped(seq uint64, b *session.Stopped) {
	m.attend()
	m.ctx.Stop, m.ctx.Held = m.ctx.State.CurrentStop()
	m.ctx.Store.Stopped(seq, b.Stop)
	m.ctx.At = debugger.FrameRef{Goroutine: b.Stop.Goroutine}
	if f, ok := b.Stop.SelectedFrame(); ok {
		m.ctx.At.Frame = f.Index
	}
	if m.typing {
		m.stopTyping()
		m.deafUntil = m.ctx.Now.Add(deaf)
	}
	switch {
	case b.Stop.Ended():
		m.leaveReview()
		m.focus = layout.Output
	case b.Stop.Crashed():
		m.leaveReview()
		m.shape.zoom = false // what has happened is to be seen as a whole
		m.picked = false
		m.focus = layout.Source
	case m.focus == layout.Output:
		m.focus = m.heldFocus
	}
}

// resumed keeps the stop on the screen for a moment: a step ends soon.
func (m *model) resumed(b *session.Resumed) {
	m.resumedAt, m.motion = m.ctx.Now, b.Motion
	m.leaveReview()
	if m.focus != layout.Output {
		m.heldFocus = m.focus
	}
	m.focus = layout.Output
	if !m.ctx.Held {
		return
	}
	m.focus = m.heldFocus
}

// leaveStop forgets the stop: a new round begins.
func (m *model) leaveStop() {
	m.ctx.Held, m.ctx.Stop = false, session.StopRecord{}
	m.ctx.Store.Stopped(0, debugger.Stop{})
	m.ctx.Store.Forget()
	m.ctx.At = debugger.FrameRef{}
	m.leaveReview()
	m.focus = layout.Output
}

// settle turns to the output once the target has run for a while.
func (m *model) settle() {
	if m.ctx.State.Phase == session.PhaseRunning && m.ctx.Held && !m.lingers() {
		m.ctx.Held, m.ctx.Stop = false, session.StopRecord{}
		m.ctx.Store.Stopped(0, debugger.Stop{})
		m.ctx.At = debugger.FrameRef{}
		m.focus = layout.Output
	}
}

// proposed opens the successor of a candidate that was edited or narrowed down.
func (m *model) proposed(b *session.Proposed) {
	if m.follow == "" || b.Candidate.Parent != m.follow {
		return
	}
	m.follow = ""
	m.ctx.Candidate, m.picked = b.Candidate.ID, true
	m.ctx.Draft = nil
	if m.reviewing {
		m.panes.review.Open(m.panes.fixes.Best())
	}
}

// ended is called after the session's last event.
func (m *model) ended(msg overMsg) tea.Cmd {
	m.over = &msg
	if m.quitting {
		return tea.Quit
	}
	e := m.ctx.State.Ended
	switch {
	case e != nil && e.Error != "":
		m.popUp(&dialog.Message{Head: "The session has ended", Lines: []string{e.Error, e.Hint, m.keyWords() + " leaves."}})
	case msg.err != nil:
		m.popUp(&dialog.Message{Head: "The session is lost", Lines: []string{msg.err.Error(),
			advice.Of(msg.err), m.keyWords() + " leaves; the log is kept."}})
	default:
		return tea.Quit
	}
	return nil
}

func (m *model) keyWords() string { return m.keys.Key("quit") }

// popUp opens a dialog by itself: keys meant for what was there before are
// ignored for a moment.
func (m *model) popUp(d dialog.Dialog) {
	m.dialog = d
	m.deafUntil = m.ctx.Now.Add(deaf)
}

func (m *model) say(level, words string) { m.said = notice{level, words} }

// changes tells whether a command line may have changed the target's values.
func changes(input string) bool {
	input = strings.TrimSpace(input)
	if strings.HasPrefix(input, "set ") || strings.HasPrefix(input, "call ") {
		return true
	}
	rest := strings.NewReplacer("==", "", "!=", "", "<=", "", ">=", "").Replace(input)
	return strings.Contains(rest, "=")
}

func joined(s, hint string) string {
	if hint == "" {
		return s
	}
	return fmt.Sprintf("%s — %s", s, hint)
}

// selectFrame selects a frame; Frame -1 stands for the goroutine's innermost
// frame of the user's.
func (m *model) selectFrame(e pane.SelectFrame) {
	at := e.At
	if at.Frame < 0 {
		at.Frame = 0
		if st := m.ctx.Store.Stack(at.Goroutine); st != nil {
			for _, f := range st.Frames {
				if f.User {
					at.Frame = f.Index
					break
				}
			}
		} else {
			m.wantUser = at.Goroutine
		}
		m.setFocus(layout.Stack)
	}
	m.ctx.At = at
}

// landInUser moves to the user's innermost frame of a goroutine once its stack
// has been read.
func (m *model) landInUser() {
	st := m.ctx.Store.Stack(m.wantUser)
	if m.wantUser == 0 || st == nil {
		return
	}
	if m.ctx.At == (debugger.FrameRef{Goroutine: m.wantUser}) {
		for _, f := range st.Frames {
			if f.User {
				m.ctx.At.Frame = f.Index
				break
			}
		}
	}
	m.wantUser = 0
}
