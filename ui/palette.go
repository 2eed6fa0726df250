package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/memory"
)

// chosen is an action chosen in the palette.
type chosen struct{ action keymap.Action }

// palette lists what can be done: what was chosen there before comes first, what
// can do nothing now last, with the reason.
func (m *model) palette() dialog.Dialog {
	f := m.facts()
	d := &dialog.Choose{Head: "Commands"}
	var recent, other, disabled []dialog.Choice
	for _, b := range m.keys.Rows() {
		if b.Short == "" && b.Group == "Move" || b.Group == "Past sessions" || b.Action == keymap.Palette {
			continue // movements are keys, not commands
		}
		c := dialog.Choice{Words: b.Help, Key: keymap.Label(b.Keys), Why: b.Why(f), Do: chosen{b.Action}}
		switch {
		case c.Why != "":
			disabled = append(disabled, c)
		case slices.Contains(m.recent, string(b.Action)):
			recent = append(recent, c)
		default:
			other = append(other, c)
		}
	}
	slices.SortStableFunc(recent, func(a, b dialog.Choice) int { return m.lately(a) - m.lately(b) })
	d.Choices = slices.Concat(recent, other, disabled)
	d.Recent = len(recent)
	return d
}

// lately is how many other commands were chosen since this one.
func (m *model) lately(c dialog.Choice) int {
	return slices.Index(m.recent, string(c.Do.(chosen).action))
}

// usedRecently keeps what was chosen.
func (m *model) usedRecently(a keymap.Action) tea.Cmd {
	kept := memory.State{Recent: m.recent}
	kept.Use(string(a))
	m.recent = kept.Recent
	return m.remember(func(s *memory.State) { s.Use(string(a)) })
}
