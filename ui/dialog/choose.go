package dialog

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"github.com/pausetui/pausetui/ui/prompt"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

// Choice is something to choose.
type Choice struct {
	Words string
	Also  string // other words that it is found by; not shown
	Key   string // the key that does the same, shown at the right
	Note  string // about it, shown there
	Why   string // why it can do nothing now; empty when it can
	Do    any
}

// Choose is a list to choose from, narrowed down by typing.
type Choose struct {
	Head    string
	Choices []Choice
	Recent  int // how many of them, the first, were chosen lately
	Wide    int // the width it wants; 0: that of the palette
	// Aside draws what is selected, beside the list or below it; nil for nothing.
	Aside func(t theme.Theme, do any, w, h int) []string

	line   prompt.Line
	cursor int
	from   int // the first choice that the last View drew
	rows   int // how many it had room for
	wide   int // the width of its list
}

type found struct {
	choice Choice
	recent bool
	marks  []int // indexes of runes that matched
}

// Title names the dialog.
func (d *Choose) Title() string { return d.Head }

// Width is the width it wants.
func (d *Choose) Width(max int) int { return min(cmp.Or(d.Wide, 68), max) }

// Cursor is where the text cursor is.
func (d *Choose) Cursor(w int) (x, y int, ok bool) {
	_, x = d.line.View(max(d.listWidth(w)-2, 1))
	return x + 2, 0, true
}

// listWidth is the width of the list, which leaves room for what is selected.
func (d *Choose) listWidth(w int) int {
	if d.Aside == nil || w < previewWidth {
		return w
	}
	return w * 48 / 100
}

// Selected is what the cursor is on; nil for nothing.
func (d *Choose) Selected() any {
	if all := d.found(); d.cursor < len(all) {
		return all[d.cursor].choice.Do
	}
	return nil
}

func (d *Choose) found() []found {
	query := strings.TrimSpace(d.line.Text())
	if query == "" {
		out := make([]found, len(d.Choices))
		for i, c := range d.Choices {
			out[i] = found{choice: c, recent: i < d.Recent}
		}
		return out
	}
	words := make([]string, len(d.Choices))
	for i, c := range d.Choices {
		words[i] = strings.TrimSpace(c.Words + " " + c.Also)
	}
	var out []found
	matches := fuzzy.Find(query, words)
	if slices.ContainsFunc(matches, func(m fuzzy.Match) bool { return holds(m.Str, query) }) {
		matches = slices.DeleteFunc(matches, func(m fuzzy.Match) bool { return !holds(m.Str, query) })
	}
	for _, m := range matches {
		shown := utf8.RuneCountInString(d.Choices[m.Index].Words)
		marks := slices.DeleteFunc(m.MatchedIndexes, func(i int) bool { return i >= shown })
		out = append(out, found{choice: d.Choices[m.Index], marks: marks, recent: m.Index < d.Recent})
	}
	slices.SortStableFunc(out, func(a, b found) int { return a.distance(query) - b.distance(query) })
	return out
}

// holds reports whether every word of a query is in some words: then those that have
// only its letters are not what is meant.
func holds(words, query string) bool {
	words = strings.ToLower(words)
	for part := range strings.FieldsSeq(strings.ToLower(query)) {
		if !strings.Contains(words, part) {
			return false
		}
	}
	return true
}

// distance puts what holds the query as it was typed first, and what can do
// nothing now last.
func (f found) distance(query string) int {
	d := 0
	if f.choice.Why != "" {
		d += 2
	}
	if !strings.Contains(strings.ToLower(f.choice.Words), strings.ToLower(query)) {
		d++
	}
	return d
}

// View draws the line and what matches it, and what is selected.
func (d *Choose) View(t theme.Theme, w, h int) []string {
	list := d.listWidth(w)
	switch {
	case d.Aside == nil:
		return d.list(t, w, h)
	case list < w:
		out := filled(d.list(t, list, h), h)
		return twoColumns(t, out, d.aside(t, w-list-3, h), list)
	case h < leastStacked:
		return d.list(t, w, h)
	}
	above := h / 2
	out := append(filled(d.list(t, w, above), above), t.Border.Render(strings.Repeat("─", w)))
	return filled(append(out, d.aside(t, w, h-above-1)...), h)
}

// leastStacked is the height from which what is selected has room below the list.
const leastStacked = 16

// filled adds empty lines up to h.
func filled(lines []string, h int) []string {
	for len(lines) < h {
		lines = append(lines, "")
	}
	return lines
}

func (d *Choose) aside(t theme.Theme, w, h int) []string {
	selected := d.Selected()
	if selected == nil {
		return nil
	}
	lines := d.Aside(t, selected, w, h)
	return lines[:min(len(lines), h)]
}

// list draws the line and what matches it.
func (d *Choose) list(t theme.Theme, w, h int) []string {
	shown, _ := d.line.View(max(w-2, 1))
	out := []string{t.Focus.Render("› ") + shown, ""}
	all := d.found()
	rows := max(h-3, 1)
	d.rows, d.wide = rows, w
	d.cursor = max(min(d.cursor, len(all)-1), 0)
	d.from = max(min(d.cursor-rows/2, len(all)-rows), 0)
	for i := d.from; i < min(d.from+rows, len(all)); i++ {
		out = append(out, d.row(t, all[i], i == d.cursor, w))
	}
	switch below := len(all) - d.from - rows; {
	case len(all) == 0:
		out = append(out, t.Dim.Render("Nothing matches."))
	case below > 0:
		out = append(out, t.Faint.Render(" … "+text.Count(int64(below))+" more"))
	}
	return out
}

func (d *Choose) row(t theme.Theme, f found, selected bool, w int) string {
	words := marked(t, f)
	if f.choice.Why != "" {
		words = t.Faint.Render(f.choice.Words)
		if selected {
			words += t.Dim.Render("  " + f.choice.Why)
		}
	}
	if f.recent {
		words += t.Faint.Render("  recent")
	}
	row := text.Sides(" "+words, t.Key.Render(f.choice.Key)+t.Dim.Render(f.choice.Note)+" ", w)
	if selected {
		return t.Selected.Over(row)
	}
	return row
}

// marked shows which characters matched.
func marked(t theme.Theme, f found) string {
	if len(f.marks) == 0 {
		return f.choice.Words
	}
	hit := map[int]bool{}
	for _, i := range f.marks {
		hit[i] = true
	}
	var b strings.Builder
	for i, r := range f.choice.Words {
		if hit[i] {
			b.WriteString(t.Match.Render(string(r)))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Key moves, narrows down or chooses.
func (d *Choose) Key(k tea.KeyPressMsg) Outcome {
	switch k.String() {
	case "esc", "ctrl+c":
		return Outcome{Close: true}
	case "enter":
		return d.choose(d.cursor)
	case "up", "ctrl+p":
		d.ScrollBy(-1)
	case "down", "ctrl+n":
		d.ScrollBy(1)
	case "pgup":
		d.ScrollBy(-pageRows)
	case "pgdown":
		d.ScrollBy(pageRows)
	default:
		if d.line.Key(k) {
			d.cursor = 0
		}
	}
	return Outcome{}
}

// pageRows is how far a page key goes.
const pageRows = 10

// choose takes one of what was found; nothing that cannot be done.
func (d *Choose) choose(i int) Outcome {
	if all := d.found(); i >= 0 && i < len(all) && all[i].choice.Why == "" {
		return Outcome{Close: true, Do: all[i].choice.Do}
	}
	return Outcome{}
}

// ScrollBy moves the cursor by some rows.
func (d *Choose) ScrollBy(n int) { d.cursor = max(min(d.cursor+n, len(d.found())-1), 0) }

// Click chooses the row; one that can do nothing is only selected, and says why.
// Where what is selected is shown, the first click shows it.
func (d *Choose) Click(x, y int) Outcome {
	i := d.from + y - 2
	if y < 2 || y-2 >= d.rows || x >= d.wide || i >= len(d.found()) {
		return Outcome{}
	}
	if before := d.cursor; d.Aside != nil && before != i {
		d.cursor = i
		return Outcome{}
	}
	d.cursor = i
	return d.choose(i)
}

// Paste inserts text.
func (d *Choose) Paste(s string) { d.line.Insert(s); d.cursor = 0 }
