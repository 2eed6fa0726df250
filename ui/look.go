package ui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/preferences"
	"github.com/pausetui/pausetui/ui/theme"
)

// Look says which colours are used, as the configuration does. Where it names
// none, those that the person chose last are taken.
type Look struct {
	Theme      string            // one of theme.Names; empty where none is named
	Background string            // "dark", "light", or "auto" (also empty): the terminal says
	Colors     map[string]string // of the person's own, by theme.ColorNames
}

// look is the colours there are now.
type look struct {
	dialog.Look
	dark    bool // the terminal's own background
	profile colorprofile.Profile
}

func (l look) isDark() bool {
	switch l.Background {
	case "dark":
		return true
	case "light":
		return false
	}
	return l.dark
}

// firstLook is what the configuration says, or else what was chosen last.
func (m *model) firstLook(kept preferences.Screen) {
	m.look.Look = dialog.Look{Name: kept.Theme, Background: kept.Background}
	if m.opts.Look.Theme != "" {
		m.look.Name = m.opts.Look.Theme
	}
	if m.opts.Look.Background != "" {
		m.look.Background = m.opts.Look.Background
	}
	p, known := theme.Find(m.look.Name)
	if m.look.Name = p.Name; !known {
		m.say("warn", "there is no theme of the name that was remembered: the default one is taken")
	}
	if m.look.Background == "" {
		m.look.Background = "auto"
	}
}

func (m *model) setTheme() {
	profile := m.look.profile
	if m.opts.NoColor {
		profile = colorprofile.ASCII
	}
	m.ctx.Theme = theme.Make(theme.Choice{Name: m.look.Name, Dark: m.look.isDark(), Profile: profile, Own: m.opts.Look.Colors})
}

// openThemes lets the person choose.
func (m *model) openThemes() {
	note := ""
	switch {
	case m.opts.NoColor:
		note = "NO_COLOR is set: signs carry the meaning, and no theme is seen."
	case m.opts.Look.Theme != "":
		note = "The configuration names a theme: this choice holds for this session."
	}
	m.dialog = dialog.NewThemes(m.look.Look, note)
}

// wear shows other colours.
func (m *model) wear(l dialog.Look) {
	m.look.Look = l
	m.setTheme()
}

// keepLook remembers the colours, as far as the configuration does not say others.
func (m *model) keepLook(l dialog.Look) tea.Cmd {
	m.wear(l)
	if m.opts.Look.Theme != "" {
		return nil
	}
	return m.remember(func(kept *preferences.Screen) { kept.Theme, kept.Background = l.Name, l.Background })
}
