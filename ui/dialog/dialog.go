// Package dialog has the dialogs that lie over the screen and take all keys: questions,
// the help overlay, the palette. A dialog answers a key with what is to be done; it does
// nothing itself.
package dialog

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

// Outcome is what a key in a dialog leads to.
type Outcome struct {
	Close bool
	Do    any // an intent.Intent, a keymap.Action, or what the dialog was made with; nil for nothing
}

// Dialog is one of them.
type Dialog interface {
	Title() string
	// Width is how wide the dialog wants to be inside its border, at most max.
	Width(max int) int
	// View draws it in w cells and at most h lines.
	View(t theme.Theme, w, h int) []string
	Key(k tea.KeyPressMsg) Outcome
	// Cursor is where the text cursor is in what View drew; false when
	// nothing is typed here.
	Cursor(w int) (x, y int, ok bool)
}

// Clicker is a dialog that the mouse can choose in: x and y are counted from the
// first cell of what View drew last.
type Clicker interface{ Click(x, y int) Outcome }

// noCursor is for dialogs without typing.
type noCursor struct{}

// Cursor tells that nothing is typed.
func (noCursor) Cursor(int) (int, int, bool) { return 0, 0, false }

// Confirm asks a question that only y answers with yes.
type Confirm struct {
	noCursor
	Head string
	Body []string // plain text, wrapped to the dialog
	Yes  string   // what y does: "applies the change and restarts"
	Do   any
	No   string // what n and esc do: "goes back" when empty
	Else any    // done then; nil for nothing
	// A second yes, which only its own key answers; without Key2 there is none.
	Key2, Yes2 string
	Do2        any
	// Compact leaves as much as possible of the screen in sight: it has no empty
	// lines, and is wide.
	Compact bool

	top  int // the first line of the body that is shown
	rows int // lines of it that the last View had room for
}

// Title names the dialog.
func (d *Confirm) Title() string { return d.Head }

// Width is the width it wants.
func (d *Confirm) Width(max int) int {
	if d.Compact {
		return min(110, max)
	}
	return min(64, max)
}

// View draws the question and the keys. A body that does not fit is scrolled.
func (d *Confirm) View(t theme.Theme, w, h int) []string {
	var body []string
	for _, b := range d.Body {
		body = append(body, text.Wrap(text.Line(b), w, 0)...)
	}
	keys := d.keys(t, w)
	gaps := 2 // an empty line above and below
	switch {
	case d.Compact:
		gaps, h = 0, max(h*2/3, len(keys)+1)
	case len(body)+gaps+len(keys) > h:
		gaps = 0
	}
	d.rows = max(h-len(keys)-gaps, 1)
	if len(body) > d.rows {
		keys[len(keys)-1] = text.Cut(keys[len(keys)-1]+"   "+t.Key.Render("j k")+t.Dim.Render(" scroll"), w)
	}
	d.top = max(min(d.top, len(body)-d.rows), 0)
	body = body[d.top:min(d.top+d.rows, len(body))]
	if gaps == 0 {
		return append(body, keys...)
	}
	return slices.Concat([]string{""}, body, []string{""}, keys)
}

func (d *Confirm) keys(t theme.Theme, w int) []string {
	yes, not := t.Key.Render("y")+t.Dim.Render(" "+d.Yes), t.Key.Render("n")+t.Dim.Render(" "+cmp.Or(d.No, "goes back"))
	one := yes + "   " + not
	switch {
	case d.Key2 != "":
		return []string{yes, t.Key.Render(d.Key2) + t.Dim.Render(" "+d.Yes2), not}
	case text.Width(one) > w:
		return []string{yes, not}
	}
	return []string{one}
}

// ScrollBy scrolls the body.
func (d *Confirm) ScrollBy(n int) { d.top = max(d.top+n, 0) }

// ScrollBy scrolls.
func (d *Text) ScrollBy(n int) { d.top = max(d.top+n, 0) }

// Key answers y with yes and n or esc with no; nothing else counts, least of
// all enter.
func (d *Confirm) Key(k tea.KeyPressMsg) Outcome {
	switch k.String() {
	case "y":
		return Outcome{Close: true, Do: d.Do}
	case "n", "esc", "ctrl+c":
		return Outcome{Close: true, Do: d.Else}
	case d.Key2:
		if d.Key2 != "" {
			return Outcome{Close: true, Do: d.Do2}
		}
	case "j", "down":
		d.ScrollBy(1)
	case "k", "up":
		d.ScrollBy(-1)
	case "pgdown", "space":
		d.ScrollBy(d.rows)
	case "pgup":
		d.ScrollBy(-d.rows)
	}
	return Outcome{}
}

// Message says something that came by itself; any of a few keys closes it.
type Message struct {
	noCursor
	Head  string
	Lines []string // what, where, what next
}

// Title names the dialog.
func (d *Message) Title() string { return d.Head }

// Width is the width it wants.
func (d *Message) Width(max int) int { return min(72, max) }

// View draws the message.
func (d *Message) View(t theme.Theme, w, h int) []string {
	out := []string{""}
	for i, b := range d.Lines {
		for _, l := range text.Wrap(text.Line(b), w, 6) {
			if i > 0 {
				l = t.Dim.Render(l)
			}
			out = append(out, l)
		}
	}
	out = append(out, "")
	return append(out[:min(len(out), max(h-1, 0))], t.Key.Render("enter")+t.Dim.Render(" closes"))
}

// Key closes the message.
func (d *Message) Key(k tea.KeyPressMsg) Outcome {
	switch k.String() {
	case "enter", "esc", "q", "space", "ctrl+c":
		return Outcome{Close: true}
	}
	return Outcome{}
}

// Text shows a long text to read.
type Text struct {
	noCursor
	Head string
	Body string
	top  int
	rows int // lines the last View had room for
	all  int
}

// Title names the dialog.
func (d *Text) Title() string { return d.Head }

// Width is the width it wants.
func (d *Text) Width(max int) int { return min(110, max) }

// View draws the part that is scrolled to.
func (d *Text) View(t theme.Theme, w, h int) []string {
	var lines []string
	for _, l := range strings.Split(text.Clean(d.Body), "\n") {
		lines = append(lines, text.Wrap(l, w, 0)...)
	}
	d.rows, d.all = max(h-2, 1), len(lines)
	d.top = max(min(d.top, d.all-d.rows), 0)
	out := append([]string(nil), lines[d.top:min(d.top+d.rows, d.all)]...)
	keys := t.Key.Render("j k") + t.Dim.Render(" scroll   ") + t.Key.Render("esc") + t.Dim.Render(" closes")
	return append(out, "", keys)
}

// Key scrolls or closes.
func (d *Text) Key(k tea.KeyPressMsg) Outcome {
	switch k.String() {
	case "esc", "q", "enter", "ctrl+c", "P":
		return Outcome{Close: true}
	case "j", "down":
		d.top++
	case "k", "up":
		d.top = max(d.top-1, 0)
	case "pgdown", "space", "ctrl+f":
		d.top += max(d.rows-1, 1)
	case "pgup", "ctrl+b":
		d.top = max(d.top-max(d.rows-1, 1), 0)
	case "g", "home":
		d.top = 0
	case "G", "end":
		d.top = d.all
	}
	return Outcome{}
}
