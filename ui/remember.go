package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/ui/preferences"
)

// Preferences keeps what the screen remembers between sessions; *preferences.File is one.
type Preferences interface {
	Load() (preferences.Screen, error)
	Change(change func(*preferences.Screen)) error
}

// rememberedMsg says what became of remembering something.
type rememberedMsg struct{ err error }

// recall takes what was remembered; what cannot be read is said, and left.
func (m *model) recall() {
	var kept preferences.Screen
	if m.opts.Preferences != nil {
		var err error
		if kept, err = m.opts.Preferences.Load(); err != nil {
			m.say("warn", err.Error()+" — it is started afresh")
		}
	}
	m.shape.Shape = kept.Layout
	m.recent = kept.Recent
	m.firstLook(kept)
	m.firstHint(kept)
}

// remember changes what is remembered, beside the screen.
func (m *model) remember(change func(*preferences.Screen)) tea.Cmd {
	if m.opts.Preferences == nil {
		return nil
	}
	return m.beside(func() tea.Msg { return rememberedMsg{m.opts.Preferences.Change(change)} })
}
