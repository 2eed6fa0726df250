package dialog

import (
	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/ui/prompt"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

// Input asks for a line of words.
type Input struct {
	Head  string
	Body  string
	Enter string                // what enter does
	Make  func(text string) any // what is to be done with the words
	line  prompt.Line
}

// Title names the dialog.
func (d *Input) Title() string { return d.Head }

// Width is the width it wants.
func (d *Input) Width(max int) int { return min(72, max) }

// View draws the question and the line.
func (d *Input) View(t theme.Theme, w, h int) []string {
	out := []string{""}
	out = append(out, d.body(w)...)
	shown, _ := d.line.View(max(w-2, 1))
	out = append(out, t.Focus.Render("› ")+shown, "")
	return append(out, t.Key.Render("enter")+t.Dim.Render(" "+d.Enter+"   ")+t.Key.Render("esc")+t.Dim.Render(" goes back"))
}

func (d *Input) body(w int) []string {
	return append(text.Wrap(text.Line(d.Body), w, 4), "")
}

// Cursor is where the text cursor is.
func (d *Input) Cursor(w int) (x, y int, ok bool) {
	_, x = d.line.View(max(w-2, 1))
	return x + 2, 1 + len(d.body(w)), true
}

// Key edits the line; enter takes it.
func (d *Input) Key(k tea.KeyPressMsg) Outcome {
	switch k.String() {
	case "esc", "ctrl+c":
		return Outcome{Close: true}
	case "enter":
		return Outcome{Close: true, Do: d.Make(d.line.Text())}
	}
	d.line.Key(k)
	return Outcome{}
}

// Paste inserts text.
func (d *Input) Paste(s string) { d.line.Insert(s) }
