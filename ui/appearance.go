package ui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/preferences"
	"github.com/pausetui/pausetui/ui/theme"
)

// Look says which colors are used, as the configuration does. Where it names
// none, those that the person chose last are taken.
type Look struct {
	Theme      string            // one of theme.Names; empty where none is named
	Background string            // "dark", "light", or "auto" (also empty): the terminal says
	Colors     map[string]string // of the person's own, by theme.ColorNames
}

// appearance is how the screen looks, and what is remembered of that.
type appearance struct {
	*common
	look    look
	hinting bool     // the hint of the first start is shown
	step    string   // of a tour; empty without one
	recent  []string // actions chosen in the palette, the newest first
}

func newAppearance(c *common) *appearance {
	return &appearance{common: c, look: look{dark: true, unsure: true, profile: colorprofile.TrueColor}}
}

// look is the colors there are now.
type look struct {
	dialog.Look
	dark    bool // the terminal's own background
	unsure  bool // … which it has not told
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

// learn takes in what the terminal's own background is.
func (l *look) learn(dark bool) { l.dark, l.unsure = dark, false }

// isUnsure reports whether neither the person nor the terminal has said it.
func (l look) isUnsure() bool {
	return l.unsure && l.Background != "dark" && l.Background != "light"
}

// firstLook is what the configuration says, or else what was chosen last.
func (ap *appearance) firstLook(kept preferences.Screen) {
	ap.look.Look = dialog.Look{Name: kept.Theme, Background: kept.Background}
	if ap.opts.Look.Theme != "" {
		ap.look.Name = ap.opts.Look.Theme
	}
	if ap.opts.Look.Background != "" {
		ap.look.Background = ap.opts.Look.Background
	}
	p, known := theme.Find(ap.look.Name)
	if ap.look.Name = p.Name; !known {
		ap.say("warn", "there is no theme of the name that was remembered: the default one is taken")
	}
	if ap.look.Background == "" {
		ap.look.Background = "auto"
	}
}

func (ap *appearance) setTheme() {
	profile := ap.look.profile
	if ap.opts.NoColor {
		profile = colorprofile.ASCII
	}
	ap.ctx.Theme = theme.Make(theme.Choice{Name: ap.look.Name, Dark: ap.look.isDark(), Unsure: ap.look.isUnsure(), Profile: profile, Own: ap.opts.Look.Colors})
}

// openThemes lets the person choose.
func (ap *appearance) openThemes() {
	note := ""
	switch {
	case ap.opts.NoColor:
		note = "NO_COLOR is set: signs carry the meaning, and no theme is seen."
	case ap.opts.Look.Theme != "":
		note = "The configuration names a theme: this choice holds for this session."
	}
	ap.dialog = dialog.NewThemes(ap.look.Look, note)
}

// wear shows other colors.
func (ap *appearance) wear(l dialog.Look) {
	ap.look.Look = l
	ap.setTheme()
}

// keepLook remembers the colors, as far as the configuration does not say others.
func (ap *appearance) keepLook(l dialog.Look) tea.Cmd {
	ap.wear(l)
	if ap.opts.Look.Theme != "" {
		return nil
	}
	return ap.remember(func(kept *preferences.Screen) { kept.Theme, kept.Background = l.Name, l.Background })
}

// learn takes what the terminal says of its colors.
func (ap *appearance) learn(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg:
		ap.look.learn(msg.IsDark())
	case tea.ColorProfileMsg:
		ap.look.profile = msg.Profile
	}
	ap.setTheme()
}
