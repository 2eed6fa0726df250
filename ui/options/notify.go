package options

import (
	"strings"
	"time"
)

// Notify says how a person is called back who looks elsewhere.
type Notify struct {
	After   time.Duration // how long something must have taken; 0 never notifies
	Bell    bool
	Desktop string              // "osc9", "osc777", "off", or "auto" (also empty): where the terminal is known to show it
	Getenv  func(string) string // the environment, to know the terminal by; nil for none
}

// knownTerminals are those that show a desktop's notice, by how they name
// themselves, or a variable that they set: the latter is all that is known of
// the terminal around tmux.
var knownTerminals = []struct{ name, variable, way string }{
	{"iTerm2", "ITERM_SESSION_ID", "osc9"},
	{"WezTerm", "WEZTERM_PANE", "osc9"},
	{"ghostty", "GHOSTTY_RESOURCES_DIR", "osc9"},
	{"kitty", "KITTY_WINDOW_ID", "osc9"},
	{"foot", "", "osc777"},
	{"rxvt", "", "osc777"},
}

// Way is how a notice of the desktop is sent: "osc9", "osc777", "off", or empty
// where the terminal is not known to show one. It may have named itself.
func (n Notify) Way(terminal string) string {
	switch n.Desktop {
	case "", "auto":
	default:
		return n.Desktop
	}
	for _, t := range knownTerminals {
		if strings.HasPrefix(strings.ToLower(terminal), strings.ToLower(t.name)) || t.variable != "" && n.Env(t.variable) != "" ||
			strings.HasPrefix(n.Env("TERM"), strings.ToLower(t.name)) {
			return t.way
		}
	}
	return ""
}

// Env is a variable of the environment; empty where none is known.
func (n Notify) Env(name string) string {
	if n.Getenv == nil {
		return ""
	}
	return n.Getenv(name)
}
