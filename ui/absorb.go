package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/updates"
)

// absorb takes in what has happened.
func (m *model) absorb(u updates.Msg) tea.Cmd {
	m.Ctx.Live, m.printed = u.Live, u.Printed
	var cmds []tea.Cmd
	m.timeline.InPresent(func() {
		for _, e := range u.Events {
			m.Ctx.State = m.Ctx.State.Apply(e)
			m.react(e)
			switch b := e.Body.(type) {
			case *session.Started:
				cmds = append(cmds, m.command.LoadHistory(b.Workspace.Root))
			case *session.Evaluated:
				cmds = append(cmds, m.command.Evaluated(b, !e.At.Before(m.began) && m.company.Ours(e.Actor)))
			}
		}
	})
	m.timeline.PastMeanwhile(u.Events)
	m.Panes.Log.Append(u.Events)
	m.Panes.Why.Append(u.Events)
	if d, ok := m.Dialog.(*dialog.Preview); ok {
		d.Take(u.Live.Preview)
	}
	return tea.Batch(append(cmds, m.visit(u.Live.Past), m.attention.Noticed(u.Events))...)
}

// react does what an event means for the screen, beyond what the state says.
func (m *model) react(e session.Event) {
	switch b := e.Body.(type) {
	case *session.Stopped:
		m.models.Asked = false
		m.execution.Stopped(e.Seq, b)
	case *session.Jumped:
		m.execution.Stopped(e.Seq, &session.Stopped{Stop: b.Stop})
	case *session.Diagnosed:
		if stop, ok := m.Ctx.State.CurrentStop(); ok {
			m.Ctx.Stop, m.Ctx.Held = stop, true
		}
	case *session.Resumed:
		m.Unsay()
		m.command.Panel.Fold() // answers of the stop before, over the source of the next
		m.execution.Resumed(b)
	case *session.BuildStarted, *session.Launched:
		m.Unsay()
		m.command.Panel.Fold()
		m.execution.LeaveStop()
	case *session.BuildFailed, *session.BuildFinished, *session.Applied:
		m.execution.Unbuilt(e)
		m.Ctx.Store.Reread()
	case *session.Asserted:
		m.review.Asserted(b)
	case *session.Proposed:
		m.review.Proposed(b)
	case *session.Agreed:
		m.review.Agreed(b)
	case *session.Answered:
		m.models.Answered(b)
	case *session.BreakpointSet:
		m.breakpointSet(b.Breakpoint)
	case *session.Displayed:
		m.command.Displayed(b.List)
	case *session.Muted, *session.Unmuted:
		m.breakpoints.SayMuted(e)
	case *session.Consented:
		m.models.Consent.Answered = false // should it be asked once more, it is a new question
	case *session.Notice:
		m.notice(e, b)
	case *session.ApplyFailed:
		m.Say("error", common.Joined("nothing was changed: "+b.Err, b.Hint))
	case *session.Undone:
		m.undone()
	case *session.Committed:
		m.Ctx.Store.Reconsider()
		m.Say("info", fmt.Sprintf("committed %.12s: %s", b.Hash, session.Clean(b.Subject)))
	case *session.CommitFailed:
		m.Say("warn", common.Joined(session.Clean(b.Err), b.Hint))
	case *session.Reopened:
		m.execution.Reopened()
	}
}

// breakpointSet says what becomes of a breakpoint, where that is not plain to see.
func (m *model) breakpointSet(b debugger.Breakpoint) {
	switch {
	case !b.Enabled():
	case b.Watch == "" && b.Why != "":
		m.Say("info", fmt.Sprintf("breakpoint %d: %s", b.ID, session.Clean(b.Why)))
	case b.Watch == "":
	case b.Why != "":
		m.Say("warn", "watching "+session.Clean(b.Watch)+": "+session.Clean(b.Why))
	default:
		m.Say("info", "watching "+session.Clean(b.Watch)+": the program stops where it is written")
		m.Said.Until = m.Ctx.Now.Add(common.Passing)
	}
}

// undone says that a change was taken back, and how the program is without it.
func (m *model) undone() {
	m.Ctx.Store.Reread()
	words := "undone: the files are as they were"
	if f := m.facts(); f.Alive() && f.Can.Restart {
		words += "; "
		if f.Review {
			words += m.Keys.Key(keymap.Back) + " closes the fix, "
		}
		words += m.Keys.Key(keymap.Restart) + " restarts the program without the change"
	}
	m.Say("info", words)
}

// notice says a notice that is meant for this person.
func (m *model) notice(e session.Event, b *session.Notice) {
	if mine := b.To == "" || b.To == m.company.View.Me; !mine || m.appearance.Guided(b) {
		return
	}
	m.Say(b.Level, common.Joined(m.company.NoteWords(e, b), b.Hint))
	m.Said.Logged = true
	if b.Level == "info" {
		m.Said.Until = m.Ctx.Now.Add(common.Passing)
	}
	m.breakpoints.Offer(b)
}
