package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/ui/appearance"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/company"
	"github.com/pausetui/pausetui/ui/conversation"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/execution"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/timeline"
)

// key routes a key: to what a person goes on typing when the target stops, to the dialog, to what is being typed, to the global keys,
// to the focused pane.
func (m *model) key(k tea.KeyPressMsg) tea.Cmd {
	if m.TypesAhead() {
		m.execution.AheadKey(k)
		return nil
	}
	deaf := m.Ctx.Now.Before(m.DeafUntil)
	switch {
	case m.urgent(k, deaf):
		m.putAside()
	case deaf:
		return nil
	}
	switch {
	case m.Dialog != nil && !(deaf && m.Dialog == m.Popped):
		return m.dialogKey(k)
	case m.Typing:
		return m.execution.TypeKey(k)
	case m.Commanding && !m.command.ClosedBy(k.String()):
		return m.command.CommandKey(k)
	case m.Filtering != nil:
		m.filterKey(k)
		return nil
	}
	m.Said = common.Notice{}
	b, ok := m.Keys.Find(k.String())
	if !ok {
		return nil
	}
	return m.act(b)
}

func (m *model) dialogKey(k tea.KeyPressMsg) tea.Cmd {
	return m.closing(m.Dialog.Key(k))
}

// closing carries out what a dialog answered.
func (m *model) closing(out dialog.Outcome) tea.Cmd {
	if out.Close {
		m.Dialog = nil
	}
	return m.do(out.Do)
}

// do carries out what a dialog led to.
func (m *model) do(what any) tea.Cmd {
	switch what := what.(type) {
	case intent.Intent:
		m.Engine.Do(what)
		if a, ok := what.(intent.Ask); ok && len(a.Profiles) > 0 {
			m.LeaveReview()
			m.SetFocus(layout.Fixes)
		}
		if _, quit := what.(intent.Quit); quit {
			return m.execution.Leave()
		}
	case execution.Agreed:
		m.execution.Agree(what)
	case company.Decide:
		if err := what(); err != nil {
			m.Say("warn", err.Error())
		}
	case timeline.GoToStop:
		m.timeline.ShowStop(what.Index)
	case keymap.Action:
		return m.act(m.Keys.Get(what))
	case appearance.Chosen:
		return tea.Batch(m.act(m.Keys.Get(what.Action)), m.appearance.UsedRecently(what.Action))
	case dialog.TryLook:
		m.appearance.Wear(what.Look)
	case dialog.TakeLook:
		return m.appearance.KeepLook(what.Look)
	case dialog.GoTo:
		m.navigation.GoTo(what.Place)
	case conversation.Jump:
		m.discussion.Jump(what)
	case dialog.Refresh:
		return m.models.Learn("looking at what there is …", func(ctx context.Context) error { return m.Opts.Askers.Refresh(ctx) })
	case dialog.Probe:
		return m.models.Learn("trying "+what.Name+" …", func(ctx context.Context) error { return m.Opts.Askers.Probe(ctx, what.Name) })
	case dialog.EditPrompt:
		return m.editor.EditPrompt(what)
	}
	return nil
}

// act carries out an action, or says why it cannot.
func (m *model) act(b keymap.Binding) tea.Cmd {
	if b.Why == nil {
		return nil
	}
	if why := b.Why(m.facts()); why != "" {
		if !m.execution.StepAfter(b.Action) {
			m.Say("info", why)
		}
		return nil
	}
	if appearance.FindsTheWay[b.Action] {
		return tea.Batch(m.appearance.Hinted(), m.carry(b))
	}
	return m.carry(b)
}

// carry carries out an action that can be.
func (m *model) carry(b keymap.Binding) tea.Cmd {
	if m.Reviewing {
		if cmd, done := m.review.Action(b.Action); done {
			return cmd
		}
	}
	if b.Action == keymap.Back && m.Screen() == layout.Broken {
		m.Dismissed = m.Ctx.State.Build
		return nil
	}
	if cmd, done := m.globalAction(b.Action); done {
		return cmd
	}
	if m.Screen() == layout.Broken {
		m.Panes.Broken.Key(b.Action)
		return nil
	}
	effect, _ := m.Panes.At(m.Focus).Key(b.Action)
	return m.effect(effect)
}

// paste puts pasted text where keys go.
func (m *model) paste(s string) tea.Cmd {
	if m.TypesAhead() {
		m.execution.AheadPaste(s)
		return nil
	}
	if m.Ctx.Now.Before(m.DeafUntil) {
		return nil
	}
	type paster interface{ Paste(string) }
	switch d := m.Dialog.(type) {
	case paster:
		d.Paste(s)
		return nil
	case dialog.Dialog:
		return nil
	}
	switch {
	case m.Typing:
		m.execution.TypePaste(s)
	case m.Commanding:
		m.command.Showing = false
		return m.command.PasteCommand(s)
	case m.Filtering != nil:
		m.Filtering.Line.Insert(s)
		m.applyFilter()
	}
	return nil
}
