package asking

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/ui/dialog"
)

// PickedMsg is the end of a Refresh or Probe.
type PickedMsg struct{ err error }

// Pick opens the dialog of who can be asked.
func (m *Models) Pick() {
	var list []dialog.Asker
	if m.Opts.Askers != nil {
		list = m.Opts.Askers.List()
	} else {
		for _, p := range m.Opts.Profiles {
			list = append(list, dialog.Asker{Name: p})
		}
	}
	m.Dialog = dialog.NewPick(list, func(names []string) any { return intent.Ask{Profiles: names, Reason: m.reason()} })
}

// Askers reports how many models there are to choose from.
func (m *Models) Askers() int {
	if m.Opts.Askers != nil {
		return 1 // auto at least
	}
	return len(m.Opts.Profiles)
}

// Learn finds out more of who can be asked, in the background.
func (m *Models) Learn(words string, find func(context.Context) error) tea.Cmd {
	if m.Opts.Askers == nil {
		return nil
	}
	if d, ok := m.Dialog.(*dialog.Pick); ok {
		d.Say(words)
	}
	return m.InBackground(func() tea.Msg { return PickedMsg{find(m.Base)} })
}

// Learned shows what was found out.
func (m *Models) Learned(msg PickedMsg) {
	d, ok := m.Dialog.(*dialog.Pick)
	if !ok {
		return
	}
	d.Say("")
	d.Set(m.Opts.Askers.List())
	if msg.err != nil {
		d.Say(msg.err.Error())
	}
}
