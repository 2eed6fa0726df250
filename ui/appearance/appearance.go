// Package appearance decides how the screen looks: its colors, the hint of the first
// starts, the palette of commands, and what is remembered of that.
package appearance

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/preferences"
	"github.com/pausetui/pausetui/ui/theme"
)

// Appearance is how the screen looks, and what is remembered of that.
type Appearance struct {
	*common.Common
	Look    Look
	Hinting bool     // the hint of the first start is shown
	step    string   // of a tour; empty without one
	recent  []string // actions chosen in the palette, the newest first
}

// New returns the appearance of a screen of whose terminal nothing is known yet.
func New(c *common.Common) *Appearance {
	return &Appearance{Common: c, Look: Look{Dark: true, unsure: true, Profile: colorprofile.TrueColor}}
}

// Look is the colors there are now.
type Look struct {
	dialog.Look
	Dark    bool // the terminal's own background
	unsure  bool // the terminal has not said which it is
	Profile colorprofile.Profile
}

func (l Look) isDark() bool {
	switch l.Background {
	case "dark":
		return true
	case "light":
		return false
	}
	return l.Dark
}

// Learn takes in what the terminal's own background is.
func (l *Look) Learn(dark bool) { l.Dark, l.unsure = dark, false }

// isUnsure reports whether neither the person nor the terminal has said it.
func (l Look) isUnsure() bool {
	return l.unsure && l.Background != "dark" && l.Background != "light"
}

// FirstLook is what the configuration says, or else what was chosen last.
func (ap *Appearance) FirstLook(kept preferences.Screen) {
	ap.Look.Look = dialog.Look{Name: kept.Theme, Background: kept.Background}
	if ap.Opts.Look.Theme != "" {
		ap.Look.Name = ap.Opts.Look.Theme
	}
	if ap.Opts.Look.Background != "" {
		ap.Look.Background = ap.Opts.Look.Background
	}
	p, known := theme.Find(ap.Look.Name)
	if ap.Look.Name = p.Name; !known {
		ap.Say("warn", "there is no theme of the name that was remembered: the default one is taken")
	}
	if ap.Look.Background == "" {
		ap.Look.Background = "auto"
	}
}

// SetTheme makes the colors anew.
func (ap *Appearance) SetTheme() {
	profile := ap.Look.Profile
	if ap.Opts.NoColor {
		profile = colorprofile.ASCII
	}
	ap.Ctx.Theme = theme.Make(theme.Choice{Name: ap.Look.Name, Dark: ap.Look.isDark(), Unsure: ap.Look.isUnsure(), Profile: profile, Own: ap.Opts.Look.Colors})
}

// OpenThemes lets the person choose.
func (ap *Appearance) OpenThemes() {
	note := ""
	switch {
	case ap.Opts.NoColor:
		note = "NO_COLOR is set: signs carry the meaning, and no theme is seen."
	case ap.Opts.Look.Theme != "":
		note = "The configuration names a theme: this choice holds for this session."
	}
	ap.Dialog = dialog.NewThemes(ap.Look.Look, note)
}

// Wear shows other colors.
func (ap *Appearance) Wear(l dialog.Look) {
	ap.Look.Look = l
	ap.SetTheme()
}

// KeepLook remembers the colors, as far as the configuration does not say others.
func (ap *Appearance) KeepLook(l dialog.Look) tea.Cmd {
	ap.Wear(l)
	if ap.Opts.Look.Theme != "" {
		return nil
	}
	return ap.Remember(func(kept *preferences.Screen) { kept.Theme, kept.Background = l.Name, l.Background })
}

// Learn takes what the terminal says of its colors.
func (ap *Appearance) Learn(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg:
		ap.Look.Learn(msg.IsDark())
	case tea.ColorProfileMsg:
		ap.Look.Profile = msg.Profile
	}
	ap.SetTheme()
}

// Recall takes what was remembered; what cannot be read is said, and left.
func (ap *Appearance) Recall() {
	var kept preferences.Screen
	if ap.Opts.Preferences != nil {
		var err error
		if kept, err = ap.Opts.Preferences.Load(); err != nil {
			ap.Say("warn", err.Error()+" — starting afresh")
		}
	}
	ap.Shape.Shape = kept.Layout
	ap.recent = kept.Recent
	ap.FirstLook(kept)
	ap.firstHint(kept)
}
