// Package theme defines the colors of the screen by their meaning, in palettes for dark
// and light backgrounds.
//
// A test checks that each palette meets WCAG's contrast, in true color and in 256 colors,
// and that the colorblind-safe one does so with green cones removed.
//
// Styles are kept as ready escape sequences, because a frame writes thousands
// of them. Colors are true colors here; the renderer brings them down to
// what the terminal can show. Where that leaves no tints, selection reverses.
// The package must not know which pane uses a style, nor ask the terminal.
package theme

import (
	"fmt"
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/ui/syntax"
)

const reset = "\x1b[m"

// Style writes text in one style. The zero value leaves it as it is.
type Style struct {
	open string
	sole bool // Over drops the styles below: reversed colors make a patchwork
}

// Render returns s in the style; s should hold no style of its own.
func (s Style) Render(t string) string {
	if s.open == "" || t == "" {
		return t
	}
	return s.open + t + reset
}

// Over lays the style under a line that has styles of its own: for
// backgrounds of whole rows.
func (s Style) Over(line string) string {
	if s.open == "" || line == "" {
		return line
	}
	if s.sole {
		return s.open + ansi.Strip(line) + reset
	}
	line = strings.ReplaceAll(line, "\x1b[0m", reset)
	return s.open + strings.ReplaceAll(line, reset, reset+s.open) + reset
}

// Bold returns the style in bold.
func (s Style) Bold() Style { return Style{open: s.open + "\x1b[1m"} }

// Underline returns the style underlined.
func (s Style) Underline() Style { return Style{open: s.open + "\x1b[4m"} }

func fg(c color.Color) Style { return Style{open: ansi.Style{}.ForegroundColor(c).String()} }

// row is a tint with the text's own color, so that it can be read even where
// the terminal's background was mistaken.
func row(back, front color.Color) Style {
	return Style{open: ansi.Style{}.BackgroundColor(back).ForegroundColor(front).String()}
}

// Colors are the colors a theme is made of.
type Colors struct {
	Back                                  color.Color // that they were chosen for; never painted
	Text, Dim, Faint, Border, Accent      color.Color
	Stop, Good, Warn, Value               color.Color
	Cursor, StopLine, CurrentLine         color.Color // backgrounds of rows
	Add, AddStrong, Del, DelStrong        color.Color // backgrounds of diffs
	Keyword, String, Number, Comment      color.Color
	Type, Func, Builtin, Operator, OnChip color.Color
}

// Theme is the styles by meaning.
type Theme struct {
	Name   string
	ID     string // differs where anything about two themes does: for what is drawn once and kept
	Dark   bool
	Tints  bool // the terminal can show tinted backgrounds
	Colors Colors

	Text, Strong, Dim, Faint  Style
	Border, Focus, FocusTitle Style
	Stop, StopStrong          Style
	Good, GoodStrong          Style
	Warn, WarnStrong          Style
	Value, Bad, Key, Match    Style
	Selected                  Style // the cursor's row in the focused pane; a background
	StopLine, CurrentLine     Style // the row the target is held at; a background
	ChipStop, ChipGood        Style // words on a filled background
	ChipWarn, ChipQuiet       Style
	Tab                       Style
	Found, FoundHere          Style                      // what was searched for; the one that the cursor is on
	Syntax                    [syntax.Operator + 1]Style // by kind
}

// Choice is what a theme is made for.
type Choice struct {
	Name    string // one of Names; empty or unknown for the default
	Dark    bool   // the terminal's background
	Unsure  bool   // … which is not known: it has not been asked, or has not answered
	Profile colorprofile.Profile
	Own     map[string]string // colors of the person's own, by ColorNames
}

// Begin is the choice until the terminal has said what it is: its background is not
// known unless dark says it, and it shows all colors unless a profile is set.
func (c Choice) Begin(dark *bool) Choice {
	c.Dark, c.Unsure = dark == nil || *dark, dark == nil
	if c.Profile == colorprofile.Unknown {
		c.Profile = colorprofile.TrueColor
	}
	return c
}

// New makes the default theme for a dark or light background and what the
// terminal can show.
func New(dark bool, profile colorprofile.Profile) Theme {
	return Make(Choice{Dark: dark, Profile: profile})
}

// Make makes a theme.
func Make(choice Choice) Theme {
	p, _ := Find(choice.Name)
	c := p.Light
	if choice.Dark {
		c = p.Dark
	}
	profile := choice.Profile
	switch {
	case choice.Unsure:
		c = either(p.hue)
	case profile == colorprofile.ANSI256:
		c = c.coarse(p.hue, choice.Dark)
	case profile == colorprofile.ANSI:
		c = basic(p.hue, choice.Dark)
	}
	c = c.with(choice.Own)
	t := Theme{Name: p.Name, ID: fmt.Sprint(choice), Dark: choice.Dark, Colors: c, Tints: !choice.Unsure && (profile >= colorprofile.ANSI256 || profile == colorprofile.Unknown)}
	t.Strong = Style{open: "\x1b[1m"}
	t.Dim, t.Faint = fg(c.Dim), fg(c.Faint)
	t.Border, t.Focus, t.FocusTitle = fg(c.Border), fg(c.Accent), fg(c.Accent).Bold()
	t.Stop, t.StopStrong = fg(c.Stop), fg(c.Stop).Bold()
	t.Good, t.GoodStrong = fg(c.Good), fg(c.Good).Bold()
	t.Warn, t.WarnStrong = fg(c.Warn), fg(c.Warn).Bold()
	t.Value, t.Bad, t.Key = fg(c.Value), fg(c.Stop).Bold(), fg(c.Accent).Bold()
	t.Match = fg(c.Accent).Bold().Underline()
	t.Selected = row(c.Cursor, c.Text)
	t.StopLine, t.CurrentLine = row(c.StopLine, c.Text), row(c.CurrentLine, c.Text)
	t.ChipStop, t.ChipGood, t.ChipWarn = chip(c.Stop, c.OnChip), chip(c.Good, c.OnChip), chip(c.Warn, c.OnChip)
	t.ChipQuiet, t.Tab = chip(c.Dim, c.OnChip), chip(c.Accent, c.OnChip)
	t.Found, t.FoundHere = Style{open: ansi.Style{}.BackgroundColor(c.CurrentLine).ForegroundColor(c.Warn).Underline(true).String()}, t.ChipWarn
	for kind, color := range map[syntax.Kind]color.Color{syntax.Keyword: c.Keyword, syntax.String: c.String,
		syntax.Number: c.Number, syntax.Comment: c.Comment, syntax.Type: c.Type, syntax.Function: c.Func,
		syntax.Builtin: c.Builtin, syntax.Operator: c.Operator} {
		t.Syntax[kind] = fg(color)
	}
	if !t.Tints {
		t.plain()
	}
	if choice.Unsure {
		pale := Style{open: "\x1b[2m"}
		t.Dim, t.Faint, t.Border, t.Syntax[syntax.Comment] = pale, pale, pale, pale
		t.GoodStrong = t.Good // bold is bright in some terminals, and bright green is lost on white
	}
	return t
}

// plain makes do without tints: what is selected is reversed.
func (t *Theme) plain() {
	reverse := Style{open: "\x1b[7m", sole: true}
	t.Selected, t.StopLine, t.CurrentLine = reverse, Style{open: "\x1b[1m"}, Style{open: "\x1b[1m"}
	t.ChipStop, t.ChipGood, t.ChipWarn = reverse, reverse, reverse
	t.ChipQuiet, t.Tab = reverse, reverse
	t.Found, t.FoundHere = fg(t.Colors.Warn).Underline(), reverse
}

func chip(back, front color.Color) Style {
	return Style{open: ansi.Style{}.BackgroundColor(back).ForegroundColor(front).Bold().String()}
}

func hex(s string) color.Color { return lipgloss.Color(s) }

// Code draws a line of source in the colors of its kinds.
func (t Theme) Code(line []syntax.Span) string {
	var b strings.Builder
	for _, s := range line {
		b.WriteString(t.Syntax[min(s.Kind, syntax.Operator)].Render(s.Text))
	}
	return b.String()
}

// Person is the style of the nth participant of a shared session. Names are
// always written too.
func (t Theme) Person(n int) Style {
	styles := []Style{t.FocusTitle, t.GoodStrong, t.WarnStrong, t.Value, t.Key}
	return styles[max(n, 0)%len(styles)]
}
