package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/updates"
)

// absorb takes in what has happened.
func (m *model) absorb(u updates.Msg) tea.Cmd {
	m.ctx.Live, m.printed = u.Live, u.Printed
	var cmds []tea.Cmd
	m.timeline.inPresent(func() {
		for _, e := range u.Events {
			m.ctx.State = m.ctx.State.Apply(e)
			m.react(e)
			switch b := e.Body.(type) {
			case *session.Started:
				cmds = append(cmds, m.command.loadHistory(b.Workspace.Root))
			case *session.Evaluated:
				cmds = append(cmds, m.command.evaluated(b, !e.At.Before(m.began) && m.company.ours(e.Actor)))
			}
		}
	})
	m.timeline.pastMeanwhile(u.Events)
	m.panes.log.Append(u.Events)
	m.panes.why.Append(u.Events)
	if d, ok := m.dialog.(*dialog.Preview); ok {
		d.Take(u.Live.Preview)
	}
	return tea.Batch(append(cmds, m.visit(u.Live.Past), m.attention.noticed(u.Events))...)
}

// react does what an event means for the screen, beyond what the state says.
func (m *model) react(e session.Event) {
	switch b := e.Body.(type) {
	case *session.Stopped:
		m.models.asked = false
		m.execution.stopped(e.Seq, b)
	case *session.Jumped:
		m.execution.stopped(e.Seq, &session.Stopped{Stop: b.Stop})
	case *session.Diagnosed:
		if stop, ok := m.ctx.State.CurrentStop(); ok {
			m.ctx.Stop, m.ctx.Held = stop, true
		}
	case *session.Resumed:
		m.unsay()
		m.command.panel.Fold() // answers of the stop before, over the source of the next
		m.execution.resumed(b)
	case *session.BuildStarted, *session.Launched:
		m.unsay()
		m.command.panel.Fold()
		m.execution.leaveStop()
	case *session.BuildFailed, *session.BuildFinished, *session.Applied:
		m.execution.unbuilt(e)
		m.ctx.Store.Reread()
	case *session.Asserted:
		m.review.asserted(b)
	case *session.Proposed:
		m.review.proposed(b)
	case *session.Agreed:
		m.review.agreed(b)
	case *session.Answered:
		m.models.answered(b)
	case *session.BreakpointSet:
		m.breakpointSet(b.Breakpoint)
	case *session.Displayed:
		m.command.displayed(b.List)
	case *session.Muted, *session.Unmuted:
		m.breakpoints.sayMuted(e)
	case *session.Consented:
		m.models.consent.answered = false // should it be asked once more, it is a new question
	case *session.Notice:
		m.notice(e, b)
	case *session.ApplyFailed:
		m.say("error", joined("nothing was changed: "+b.Err, b.Hint))
	case *session.Undone:
		m.undone()
	case *session.Committed:
		m.ctx.Store.Reconsider()
		m.say("info", fmt.Sprintf("committed %.12s: %s", b.Hash, session.Clean(b.Subject)))
	case *session.CommitFailed:
		m.say("warn", joined(session.Clean(b.Err), b.Hint))
	case *session.Reopened:
		m.execution.reopened()
	}
}

// breakpointSet says what becomes of a breakpoint, where that is not plain to see.
func (m *model) breakpointSet(b debugger.Breakpoint) {
	switch {
	case !b.Enabled():
	case b.Watch == "" && b.Why != "":
		m.say("info", fmt.Sprintf("breakpoint %d: %s", b.ID, session.Clean(b.Why)))
	case b.Watch == "":
	case b.Why != "":
		m.say("warn", "watching "+session.Clean(b.Watch)+": "+session.Clean(b.Why))
	default:
		m.say("info", "watching "+session.Clean(b.Watch)+": the program stops where it is written")
		m.said.until = m.ctx.Now.Add(passing)
	}
}

// undone says that a change was taken back, and how the program is without it.
func (m *model) undone() {
	m.ctx.Store.Reread()
	words := "undone: the files are as they were"
	if f := m.facts(); f.Alive() && f.Can.Restart {
		words += "; "
		if f.Review {
			words += m.keys.Key(keymap.Back) + " closes the fix, "
		}
		words += m.keys.Key(keymap.Restart) + " restarts the program without the change"
	}
	m.say("info", words)
}

// notice says a notice that is meant for this person.
func (m *model) notice(e session.Event, b *session.Notice) {
	if mine := b.To == "" || b.To == m.company.view.Me; !mine || m.appearance.guided(b) {
		return
	}
	m.say(b.Level, joined(m.company.noteWords(e, b), b.Hint))
	m.said.logged = true
	if b.Level == "info" {
		m.said.until = m.ctx.Now.Add(passing)
	}
	m.breakpoints.offer(b)
}

// changes reports whether a command line may have changed the target's values.
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
