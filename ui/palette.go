package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/preferences"
)

// chosen is an action chosen in the palette.
type chosen struct{ action keymap.Action }

// palette lists what can be done: what was chosen there before comes first, what
// can do nothing now last, with the reason.
func (ap *appearance) palette() dialog.Dialog {
	f := ap.facts()
	d := &dialog.Choose{Head: "Commands"}
	var recent, other, disabled []dialog.Choice
	for _, b := range ap.keys.Rows() {
		if b.Short == "" && b.Group == "Move" || b.Group == "Past sessions" && b.Action != keymap.Sessions || b.Action == keymap.Palette {
			continue // movements are keys, not commands
		}
		c := dialog.Choice{Words: b.Help, Key: keymap.Label(b.Keys), Why: b.Why(f), Do: chosen{b.Action}}
		switch {
		case c.Why != "":
			disabled = append(disabled, c)
		case slices.Contains(ap.recent, string(b.Action)):
			recent = append(recent, c)
		default:
			other = append(other, c)
		}
	}
	slices.SortStableFunc(recent, func(a, b dialog.Choice) int { return ap.lately(a) - ap.lately(b) })
	d.Choices = slices.Concat(recent, other, disabled)
	d.Recent = len(recent)
	return d
}

// lately is how many other commands were chosen since this one.
func (ap *appearance) lately(c dialog.Choice) int {
	return slices.Index(ap.recent, string(c.Do.(chosen).action))
}

// usedRecently keeps what was chosen.
func (ap *appearance) usedRecently(a keymap.Action) tea.Cmd {
	kept := preferences.Screen{Recent: ap.recent}
	kept.Use(string(a))
	ap.recent = kept.Recent
	return ap.remember(func(s *preferences.Screen) { s.Use(string(a)) })
}
