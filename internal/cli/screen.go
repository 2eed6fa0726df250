package cli

import (
	"cmp"
	"os"
	"time"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/ui/options"
	"github.com/pausetui/pausetui/ui/preferences"
	"github.com/pausetui/pausetui/ui/theme"
)

// Deaf is how long screens ignore keys after something appeared by itself; 0 for
// their own measure. Tests that type into the program make it short.
var Deaf time.Duration

// ScreenTheme is the theme of the screens beside the debugger's, and whether the
// background is dark; nil where the terminal is to say it. As in the debugger, what the
// configuration does not name is what the person chose last.
func ScreenTheme(c config.Config) (theme.Choice, *bool) {
	kept, _ := (&preferences.File{Path: preferences.Path()}).Load() // the debugger reports what is wrong with it
	choice := theme.Choice{Name: cmp.Or(c.Theme.Name, kept.Theme), Own: c.Theme.Colors}
	background := cmp.Or(ThemeBackground(c), kept.Background)
	if background != "dark" && background != "light" {
		return choice, nil
	}
	dark := background == "dark"
	return choice, &dark
}

// ThemeBackground is the background that the configuration names; empty if the
// terminal decides.
func ThemeBackground(c config.Config) string {
	if c.Theme.Background == config.Auto {
		return ""
	}
	return c.Theme.Background
}

// Notify is how the configuration has a person notified.
func Notify(n config.Notify) options.Notify {
	return options.Notify{After: time.Duration(n.After), Bell: n.Bell, Desktop: n.Desktop, Getenv: os.Getenv}
}
