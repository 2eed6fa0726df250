package ui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/preferences"
	"github.com/pausetui/pausetui/ui/theme"
)

// appearance is how the screen looks, and what is remembered of that.
type appearance struct {
	*common.Common
	look    look
	hinting bool     // the hint of the first start is shown
	step    string   // of a tour; empty without one
	recent  []string // actions chosen in the palette, the newest first
}

func newAppearance(c *common.Common) *appearance {
	return &appearance{Common: c, look: look{dark: true, unsure: true, profile: colorprofile.TrueColor}}
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
	if ap.Opts.Look.Theme != "" {
		ap.look.Name = ap.Opts.Look.Theme
	}
	if ap.Opts.Look.Background != "" {
		ap.look.Background = ap.Opts.Look.Background
	}
	p, known := theme.Find(ap.look.Name)
	if ap.look.Name = p.Name; !known {
		ap.Say("warn", "there is no theme of the name that was remembered: the default one is taken")
	}
	if ap.look.Background == "" {
		ap.look.Background = "auto"
	}
}

func (ap *appearance) setTheme() {
	profile := ap.look.profile
	if ap.Opts.NoColor {
		profile = colorprofile.ASCII
	}
	ap.Ctx.Theme = theme.Make(theme.Choice{Name: ap.look.Name, Dark: ap.look.isDark(), Unsure: ap.look.isUnsure(), Profile: profile, Own: ap.Opts.Look.Colors})
}

// openThemes lets the person choose.
func (ap *appearance) openThemes() {
	note := ""
	switch {
	case ap.Opts.NoColor:
		note = "NO_COLOR is set: signs carry the meaning, and no theme is seen."
	case ap.Opts.Look.Theme != "":
		note = "The configuration names a theme: this choice holds for this session."
	}
	ap.Dialog = dialog.NewThemes(ap.look.Look, note)
}

// wear shows other colors.
func (ap *appearance) wear(l dialog.Look) {
	ap.look.Look = l
	ap.setTheme()
}

// keepLook remembers the colors, as far as the configuration does not say others.
func (ap *appearance) keepLook(l dialog.Look) tea.Cmd {
	ap.wear(l)
	if ap.Opts.Look.Theme != "" {
		return nil
	}
	return ap.Remember(func(kept *preferences.Screen) { kept.Theme, kept.Background = l.Name, l.Background })
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

// recall takes what was remembered; what cannot be read is said, and left.
func (ap *appearance) recall() {
	var kept preferences.Screen
	if ap.Opts.Preferences != nil {
		var err error
		if kept, err = ap.Opts.Preferences.Load(); err != nil {
			ap.Say("warn", err.Error()+" — starting afresh")
		}
	}
	ap.Shape.Shape = kept.Layout
	ap.recent = kept.Recent
	ap.firstLook(kept)
	ap.firstHint(kept)
}
