package dialog

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/source/navigate"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/prompt"
	"github.com/pausetui/pausetui/ui/syntax"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

// GoTo asks to show a place of the source.
type GoTo struct{ Place navigate.Place }

// Row is a place in a Finder.
type Row struct {
	Place navigate.Place
	Name  string
	Marks []int  // bytes of Name that matched
	Kind  string // "func"; how it is called
	Side  string // where it is, at the right
	Dim   bool   // not the user's own
}

// Finder is a list of places, narrowed down by typing, with a look at the
// selected one next to it. What matches is found by its owner: Typed says what
// was typed, Show takes the rows.
type Finder struct {
	Head  string
	Empty string // said where there is nothing to show
	Here  string // the file that a line alone means
	List  bool   // the rows are answers, and all there are

	line    prompt.Line
	rows    []Row
	note    string
	cursor  int
	all     int // rows there were at most
	kinds   int // cells of the longest kind
	shown   int // rows the last View had room for
	preview *inspect.Source
	stale   bool // the rows are not those of what was typed: more come
	enter   bool // enter was pressed meanwhile
}

// Typed is what was typed.
func (d *Finder) Typed() string { return d.line.Text() }

// Show replaces the rows; the note says how many there are, or what is under
// way. The cursor goes to the first row unless it has to stay.
func (d *Finder) Show(rows []Row, note string, stay bool) {
	d.rows, d.note, d.kinds, d.all = rows, note, 0, max(d.all, len(rows))
	for _, r := range rows {
		d.kinds = max(d.kinds, text.Width(r.Kind))
	}
	if !stay {
		d.cursor = 0
	}
	d.cursor = max(min(d.cursor, len(rows)-1), 0)
	d.stale = false
}

// Await tells that rows for what was typed are on their way: an enter waits for
// them. Entered tells, once they were shown, whether there was one.
func (d *Finder) Await() { d.stale = true }

// Entered is the place that was chosen before it was known.
func (d *Finder) Entered() (navigate.Place, bool) {
	if !d.enter || d.stale {
		return navigate.Place{}, false
	}
	d.enter = false
	return d.Selected()
}

// Selected is the place under the cursor; false without one.
func (d *Finder) Selected() (navigate.Place, bool) {
	q := navigate.ParseQuery(d.line.Text())
	if q.Name == "" && q.Line > 0 && d.Here != "" {
		return navigate.Place{File: d.Here, Line: q.Line}, true
	}
	if d.cursor >= len(d.rows) {
		return navigate.Place{}, false
	}
	at := d.rows[d.cursor].Place
	if q.Line > 0 {
		at.Line, at.Column = q.Line, 0
	}
	return at, true
}

// Preview is the source of the selected place; nil while it is not read.
func (d *Finder) Preview(src *inspect.Source) { d.preview = src }

// Title names the dialog.
func (d *Finder) Title() string { return d.Head }

// Width is the width it wants.
func (d *Finder) Width(max int) int { return min(180, max) }

// Cursor is where the text cursor is.
func (d *Finder) Cursor(w int) (x, y int, ok bool) {
	_, x = d.line.View(max(d.listWidth(w)-2, 1))
	return x + 2, 0, true
}

// leastPreview is how many lines of a place are shown at least.
const leastPreview = 18

// previewWidth is how wide the dialog must be to show the place, too.
const previewWidth = 104

func (d *Finder) listWidth(w int) int {
	if w < previewWidth {
		return w
	}
	return w * 48 / 100
}

// View draws the line and the list, and the place next to them.
func (d *Finder) View(t theme.Theme, w, h int) []string {
	list := d.listWidth(w)
	shown, _ := d.line.View(max(list-2, 1))
	out := []string{t.Focus.Render("› ") + shown, t.Faint.Render(text.Cut(d.note, list))}
	d.shown = max(h-4, 1)
	from := max(min(d.cursor-d.shown/2, len(d.rows)-d.shown), 0)
	for i := from; i < min(from+d.shown, len(d.rows)); i++ {
		out = append(out, d.row(t, d.rows[i], i == d.cursor, list))
	}
	if len(d.rows) == 0 && d.Empty != "" {
		out = append(out, t.Dim.Render(text.Cut(d.Empty, list)))
	}
	fill := h - 1
	if d.List && list == w {
		fill = 2 + max(d.all, 3) // nothing is next to it
	} else if d.List {
		fill = 2 + max(d.all, leastPreview)
	}
	for len(out) < min(fill, h-1) {
		out = append(out, "")
	}
	if list < w {
		out = twoColumns(t, out, d.place(t, w-list-3, len(out)), list)
	}
	keys := [][2]string{{"enter", "opens"}, {"↑ ↓", "choose"}, {"esc", "goes back"}}
	if !d.List {
		keys = append(keys, [2]string{"name:42", "a line"}, [2]string{":42", "in this file"}, [2]string{"@name", "symbols only"})
	}
	return append(out, hintLine(t, w, keys))
}

// hintLine writes keys with their words, as many as fit.
func hintLine(t theme.Theme, w int, keys [][2]string) string {
	out, used := "", 0
	for _, k := range keys {
		gap := ""
		if used > 0 {
			gap = "   "
		}
		width := len(gap) + text.Width(k[0]) + 1 + text.Width(k[1])
		if used+width > w {
			break
		}
		used += width
		out += gap + t.Key.Render(k[0]) + t.Dim.Render(" "+k[1])
	}
	return out
}

// twoColumns puts two columns next to each other.
func twoColumns(t theme.Theme, left, right []string, w int) []string {
	out := make([]string, len(left))
	for i := range left {
		r := ""
		if i < len(right) {
			r = right[i]
		}
		out[i] = text.Fit(left[i], w) + t.Border.Render(" │ ") + r
	}
	return out
}

func (d *Finder) row(t theme.Theme, r Row, selected bool, w int) string {
	name := marked(t, found{choice: Choice{Words: r.Name}, marks: r.Marks})
	if r.Dim && len(r.Marks) == 0 {
		name = t.Dim.Render(r.Name)
	}
	left := " "
	if d.kinds > 0 {
		left += t.Faint.Render(text.Fit(r.Kind, d.kinds)) + "  "
	}
	left += name
	side := text.Path(r.Side, max(w-text.Width(left)-3, w*3/10)) // where it is is shortened before what it is, but not to nothing
	if side != "" {
		left, side = text.Cut(left, max(w-text.Width(side)-3, 1)), t.Dim.Render(side)+" "
	}
	row := text.Sides(text.Cut(left, w), side, w)
	if selected {
		return t.Selected.Over(row)
	}
	return row
}

// place draws the lines around the selected place.
func (d *Finder) place(t theme.Theme, w, h int) []string {
	at, ok := d.Selected()
	switch {
	case !ok:
		return nil
	case d.preview == nil || d.preview.Path != at.File:
		return []string{t.Dim.Render("Reading " + text.Line(text.Base(at.File)) + "…")}
	case d.preview.Err != "":
		var out []string
		for _, l := range text.Wrap("It cannot be shown: "+text.Line(d.preview.Err)+".", w, 4) {
			out = append(out, t.Dim.Render(l))
		}
		return out
	}
	lines := d.preview.Lines
	line := max(min(at.Line, len(lines)), 1)
	top := max(min(line-h/3, len(lines)-h+1), 1)
	digits := len(strconv.Itoa(min(top+h, len(lines))))
	var out []string
	for n := top; n <= len(lines) && len(out) < h; n++ {
		number := strconv.Itoa(n)
		row := strings.Repeat(" ", digits-len(number)) + t.Faint.Render(number) + "  " + t.Code(syntax.Cut(lines[n-1], 0, w-digits-2))
		if n == line {
			row = t.CurrentLine.Over(text.Fit(row, w))
		}
		out = append(out, row)
	}
	return out
}

// Key moves, narrows down or opens.
func (d *Finder) Key(k tea.KeyPressMsg) Outcome {
	switch k.String() {
	case "esc", "ctrl+c":
		return Outcome{Close: true}
	case "enter":
		d.enter = d.stale
		if d.stale {
			return Outcome{}
		}
		if at, ok := d.Selected(); ok {
			return Outcome{Close: true, Do: GoTo{at}}
		}
	case "up", "ctrl+p":
		d.cursor--
	case "down", "ctrl+n":
		d.cursor++
	case "pgup":
		d.cursor -= d.shown
	case "pgdown":
		d.cursor += d.shown
	default:
		d.line.Key(k)
		d.enter = false
	}
	d.cursor = max(min(d.cursor, len(d.rows)-1), 0)
	return Outcome{}
}

// Paste inserts text.
func (d *Finder) Paste(s string) { d.line.Insert(s) }

// ScrollBy moves the cursor.
func (d *Finder) ScrollBy(n int) { d.cursor = max(min(d.cursor+n, len(d.rows)-1), 0) }

// Click selects the row below the pointer, and opens the selected one.
func (d *Finder) Click(_, y int) Outcome {
	from := max(min(d.cursor-d.shown/2, len(d.rows)-d.shown), 0)
	i := from + y - 2
	if y < 2 || y-2 >= d.shown || i >= len(d.rows) {
		return Outcome{}
	}
	if i == d.cursor {
		at, ok := d.Selected()
		return Outcome{Close: ok, Do: GoTo{at}}
	}
	d.cursor = i
	return Outcome{}
}
