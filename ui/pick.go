package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/ui/dialog"
)

// Askers is who can be asked: profiles and models, with what is known of them.
type Askers interface {
	// List returns them at once, as they are known now.
	List() []dialog.Asker
	// Refresh looks again at what there is, and Probe tries one. They may take
	// their time, and end with ctx.
	Refresh(ctx context.Context) error
	Probe(ctx context.Context, name string) error
}

// pickedMsg is the end of a Refresh or Probe.
type pickedMsg struct{ err error }

// pick opens the dialog of who can be asked.
func (m *models) pick() {
	var list []dialog.Asker
	if m.opts.Askers != nil {
		list = m.opts.Askers.List()
	} else {
		for _, p := range m.opts.Profiles {
			list = append(list, dialog.Asker{Name: p})
		}
	}
	m.dialog = dialog.NewPick(list, func(names []string) any { return engine.Ask{Profiles: names, Reason: m.reason()} })
}

// askers reports how many models there are to choose from.
func (m *models) askers() int {
	if m.opts.Askers != nil {
		return 1 // auto at least
	}
	return len(m.opts.Profiles)
}

// learn finds out more of who can be asked, in the background.
func (m *models) learn(words string, find func(context.Context) error) tea.Cmd {
	if m.opts.Askers == nil {
		return nil
	}
	if d, ok := m.dialog.(*dialog.Pick); ok {
		d.Say(words)
	}
	return m.inBackground(func() tea.Msg { return pickedMsg{find(m.base)} })
}

// learned shows what was found out.
func (m *models) learned(msg pickedMsg) {
	d, ok := m.dialog.(*dialog.Pick)
	if !ok {
		return
	}
	d.Say("")
	d.Set(m.opts.Askers.List())
	if msg.err != nil {
		d.Say(msg.err.Error())
	}
}
