package ui

import (
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
func (ap *appearance) recall() {
	var kept preferences.Screen
	if ap.opts.Preferences != nil {
		var err error
		if kept, err = ap.opts.Preferences.Load(); err != nil {
			ap.say("warn", err.Error()+" — starting afresh")
		}
	}
	ap.shape.Shape = kept.Layout
	ap.recent = kept.Recent
	ap.firstLook(kept)
	ap.firstHint(kept)
}
