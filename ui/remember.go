package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/ui/memory"
)

// Memory keeps what the screen remembers between sessions; *memory.File is one.
type Memory interface {
	Load() (memory.State, error)
	Change(change func(*memory.State)) error
}

// rememberedMsg says what became of remembering something.
type rememberedMsg struct{ err error }

// recall takes what was remembered; what cannot be read is said, and left.
func (m *model) recall() {
	var kept memory.State
	if m.opts.Memory != nil {
		var err error
		if kept, err = m.opts.Memory.Load(); err != nil {
			m.say("warn", err.Error()+" — it is started afresh")
		}
	}
	m.shape.Shape = kept.Layout
	m.recent = kept.Recent
	m.firstLook(kept)
	m.firstHint(kept)
}

// remember changes what is remembered, beside the screen.
func (m *model) remember(change func(*memory.State)) tea.Cmd {
	if m.opts.Memory == nil {
		return nil
	}
	return m.beside(func() tea.Msg { return rememberedMsg{m.opts.Memory.Change(change)} })
}
