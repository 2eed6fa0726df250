package dialog

import (
	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

// Look is a theme and the background it is meant for: "auto" (by the
// terminal's own), "dark" or "light".
type Look struct{ Name, Background string }

// TryLook shows a look for the time being; TakeLook keeps it.
type (
	TryLook  struct{ Look }
	TakeLook struct{ Look }
)

// backgrounds in the order of the keys.
var backgrounds = []string{"auto", "dark", "light"}

// Themes chooses the colors, which are seen at once on the screen below it.
type Themes struct {
	noCursor
	Before Look   // what esc goes back to
	Note   string // what else is to be known: that the configuration names a theme
	cursor int
	back   int
	first  int // the row of the first theme in what View drew
}

// NewThemes returns the dialog, on the look there is.
func NewThemes(now Look, note string) *Themes {
	d := &Themes{Before: now, Note: note}
	for i, p := range theme.Palettes() {
		if p.Name == now.Name {
			d.cursor = i
		}
	}
	for i, b := range backgrounds {
		if b == now.Background {
			d.back = i
		}
	}
	return d
}

// Title names the dialog.
func (d *Themes) Title() string { return "Theme" }

// Width is the width it wants.
func (d *Themes) Width(max int) int { return min(60, max) }

// View draws the themes, the backgrounds, and a sample of what has a meaning.
func (d *Themes) View(t theme.Theme, w, h int) []string {
	var out []string
	rows := max(min(len(theme.Palettes()), h-6), 1)
	from := max(min(d.cursor-rows/2, len(theme.Palettes())-rows), 0)
	d.first = -from
	for i, p := range theme.Palettes()[from : from+rows] {
		row := text.Fit(" "+text.Fit(p.Name, 15)+t.Dim.Render(p.Words), w)
		if i+from == d.cursor {
			row = t.Selected.Over(row)
		}
		out = append(out, row)
	}
	line := " background "
	for i, b := range backgrounds {
		if i == d.back {
			line += t.Tab.Render("[" + b + "]")
		} else {
			line += t.Dim.Render(" " + b + " ")
		}
	}
	out = append(out, "", text.Fit(line, w))
	sample := " " + t.Good.Render("✓ good") + "  " + t.Warn.Render("⚠ warning") + "  " + t.Stop.Render("■ stop") + "  " + t.Value.Render("value") + "  " + t.Dim.Render("dim")
	out = append(out, text.Fit(sample, w))
	if d.Note != "" {
		for _, l := range text.Wrap(d.Note, w-2, 2) {
			out = append(out, " "+t.Dim.Render(l))
		}
	}
	keys := t.Key.Render("enter") + t.Dim.Render(" takes it  ") + t.Key.Render("← →") + t.Dim.Render(" background  ") + t.Key.Render("esc") + t.Dim.Render(" goes back")
	return append(out, "", text.Cut(" "+keys, w))
}

func (d *Themes) look() Look {
	return Look{theme.Palettes()[d.cursor].Name, backgrounds[d.back]}
}

// Key moves, which shows the look; enter takes it.
func (d *Themes) Key(k tea.KeyPressMsg) Outcome {
	last := len(theme.Palettes()) - 1
	switch k.String() {
	case "esc", "q", "ctrl+c":
		return Outcome{Close: true, Do: TryLook{d.Before}}
	case "enter":
		return Outcome{Close: true, Do: TakeLook{d.look()}}
	case "up", "k", "ctrl+p", "shift+tab":
		d.cursor = max(d.cursor-1, 0)
	case "down", "j", "ctrl+n", "tab", "T":
		d.cursor = min(d.cursor+1, last)
	case "home", "g":
		d.cursor = 0
	case "end", "G":
		d.cursor = last
	case "left", "h":
		d.back = (d.back + len(backgrounds) - 1) % len(backgrounds)
	case "right", "l":
		d.back = (d.back + 1) % len(backgrounds)
	default:
		return Outcome{}
	}
	return Outcome{Do: TryLook{d.look()}}
}

// Click shows the look of a row; a click on the shown one takes it.
func (d *Themes) Click(_, y int) Outcome {
	i := y - d.first
	switch {
	case i < 0 || i >= len(theme.Palettes()):
		return Outcome{}
	case i == d.cursor:
		return Outcome{Close: true, Do: TakeLook{d.look()}}
	}
	d.cursor = i
	return Outcome{Do: TryLook{d.look()}}
}

// ScrollBy moves to another theme.
func (d *Themes) ScrollBy(n int) { d.cursor = max(min(d.cursor+n, len(theme.Palettes())-1), 0) }
