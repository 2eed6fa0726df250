package dialog

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"github.com/pausetui/pausetui/ui/prompt"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

// Asker is one of those that Pick offers: a profile, or a model with what is
// known of it.
type Asker struct {
	Name       string // what it is called, and asked by
	Parameters string // "7.6B"
	Context    string // "32k"
	Remote     bool   // what it is sent leaves this machine
	Loaded     bool   // in memory already
	Measured   string // "41/50", right of asked
	Tried      string // "✓" or "✗" by the probe; empty when it was not tried
	Detail     string // all of it, in words
	CanTry     bool   // a probe is possible
}

// Refresh asks to look again at what there is; Probe to try a model.
type (
	Refresh struct{}
	Probe   struct{ Name string }
)

// Pick chooses who is asked: one, or several that race. It is narrowed down by
// typing.
type Pick struct {
	Make func(names []string) any // what is to be done with those that were chosen

	all    []Asker
	names  []string // cleaned, as they are searched and drawn
	ticked map[string]bool
	line   prompt.Line
	cursor int
	shown  []pickRow // what matches the line
	status string
	rows   int // the last View had room for
	from   int // the first row that it drew
}

type pickRow struct {
	at    int // index into all
	marks []int
}

// NewPick returns the dialog.
func NewPick(askers []Asker, do func(names []string) any) *Pick {
	d := &Pick{Make: do, ticked: map[string]bool{}}
	d.Set(askers)
	return d
}

// Set replaces what is offered: more was found out. What is ticked and where the
// cursor is stays.
func (d *Pick) Set(askers []Asker) {
	under := d.under()
	d.all, d.names = askers, make([]string, len(askers))
	for i, a := range askers {
		d.names[i] = text.Line(a.Name)
	}
	d.find()
	for i, r := range d.shown {
		if under != "" && d.all[r.at].Name == under {
			d.cursor = i
		}
	}
}

// Say shows what is under way; empty for nothing.
func (d *Pick) Say(status string) { d.status = status }

// under is the name the cursor is on; empty without one.
func (d *Pick) under() string {
	if d.cursor < len(d.shown) {
		return d.all[d.shown[d.cursor].at].Name
	}
	return ""
}

// find narrows down by what was typed: what holds it as it is comes first.
func (d *Pick) find() {
	d.shown = d.shown[:0]
	query := strings.TrimSpace(d.line.Text())
	if query == "" {
		for i := range d.all {
			d.shown = append(d.shown, pickRow{at: i})
		}
	} else {
		for _, m := range fuzzy.Find(query, d.names) {
			d.shown = append(d.shown, pickRow{m.Index, m.MatchedIndexes})
		}
		holds := func(r pickRow) int {
			if strings.Contains(strings.ToLower(d.names[r.at]), strings.ToLower(query)) {
				return 0
			}
			return 1
		}
		slices.SortStableFunc(d.shown, func(a, b pickRow) int { return holds(a) - holds(b) })
	}
	d.cursor = max(min(d.cursor, len(d.shown)-1), 0)
}

// Title names the dialog.
func (d *Pick) Title() string {
	if n := len(d.ticked); n > 0 {
		return fmt.Sprintf("Ask which models? · %d selected", n)
	}
	return "Ask which models?"
}

// Width is the width it wants.
func (d *Pick) Width(max int) int { return min(96, max) }

// Cursor is where the text cursor is.
func (d *Pick) Cursor(w int) (x, y int, ok bool) {
	_, x = d.line.View(max(w-2, 1))
	return x + 2, 0, true
}

// View draws the line, what matches it, and all that is known of the one that
// the cursor is on.
func (d *Pick) View(t theme.Theme, w, h int) []string {
	shown, _ := d.line.View(max(w-2, 1))
	out := []string{t.Focus.Render("› ") + shown, t.Dim.Render(pickColumns("", "name", "params", "ctx", "where", "right", "probe", w))}
	d.rows = max(min(h-detailLines-4, 20), 1)
	d.from = max(min(d.cursor-d.rows/2, len(d.shown)-d.rows), 0)
	for i := d.from; i < min(d.from+d.rows, len(d.shown)); i++ {
		out = append(out, d.row(t, d.shown[i], i == d.cursor, w))
	}
	if len(d.shown) == 0 {
		out = append(out, t.Dim.Render("Nothing matches."))
	}
	return append(out, d.foot(t, w)...)
}

// detailLines is how many rows the detail of the model under the cursor has.
const detailLines = 3

// foot is the detail, and the keys.
func (d *Pick) foot(t theme.Theme, w int) []string {
	detail := d.status
	if detail == "" && d.cursor < len(d.shown) {
		detail = d.all[d.shown[d.cursor].at].Detail
	}
	lines := append(text.Wrap(text.Line(detail), w, detailLines), make([]string, detailLines)...)[:detailLines]
	keys := ""
	for _, k := range [][2]string{{"enter", "asks"}, {"space", "selects"}, {"ctrl+t", "tries it"}, {"esc", "goes back"}, {"ctrl+r", "looks again"}} {
		if one := t.Key.Render(k[0]) + t.Dim.Render(" "+k[1]+"  "); text.Width(keys)+text.Width(one) <= w+2 {
			keys += one
		}
	}
	return []string{"", t.Dim.Render(lines[0]), t.Dim.Render(lines[1]), strings.TrimRight(keys, " ")}
}

func (d *Pick) row(t theme.Theme, r pickRow, selected bool, w int) string {
	a := d.all[r.at]
	mark := "  "
	if d.ticked[a.Name] {
		mark = t.Good.Render("● ")
	}
	where := ""
	switch {
	case a.Remote:
		where = t.Warn.Render("remote")
	case a.Loaded:
		where = t.Good.Render("loaded")
	}
	tried := a.Tried
	switch tried {
	case "✓":
		tried = t.Good.Render(tried)
	case "✗":
		tried = t.Stop.Render(tried)
	}
	name := marked(t, found{choice: Choice{Words: d.names[r.at]}, marks: r.marks})
	row := pickColumns(mark, name, t.Dim.Render(text.Line(a.Parameters)), t.Dim.Render(a.Context), where, a.Measured, tried, w)
	if selected {
		return t.Selected.Over(row)
	}
	return row
}

// pickColumns puts the cells of a row in their places; the name takes what is left.
func pickColumns(mark, name, params, context, where, right, tried string, w int) string {
	cells := []struct {
		text  string
		width int
	}{{params, 7}, {context, 6}, {where, 7}, {right, 8}, {tried, 5}}
	rest := ""
	for _, c := range cells {
		rest += text.Fit(c.text, c.width)
	}
	return text.Fit(mark, 2) + text.Fit(name, max(w-35, 1)) + rest
}

// Key moves, ticks, narrows down or asks.
func (d *Pick) Key(k tea.KeyPressMsg) Outcome {
	d.status = ""
	switch k.String() {
	case "esc", "ctrl+c":
		return Outcome{Close: true}
	case "enter":
		if names := d.chosen(); len(names) > 0 {
			return Outcome{Close: true, Do: d.Make(names)}
		}
	case "space":
		d.tick()
	case "ctrl+r":
		return Outcome{Do: Refresh{}}
	case "ctrl+t":
		if d.cursor < len(d.shown) && d.all[d.shown[d.cursor].at].CanTry {
			return Outcome{Do: Probe{d.under()}}
		}
	case "up", "ctrl+p":
		d.cursor--
	case "down", "ctrl+n":
		d.cursor++
	case "pgup":
		d.cursor -= d.rows
	case "pgdown":
		d.cursor += d.rows
	default:
		if d.line.Key(k) {
			d.cursor = 0
			d.find()
		}
	}
	d.cursor = max(min(d.cursor, len(d.shown)-1), 0)
	return Outcome{}
}

// ScrollBy moves the cursor by some rows.
func (d *Pick) ScrollBy(n int) { d.cursor = max(min(d.cursor+n, len(d.shown)-1), 0) }

// Click moves to a row; a click on the one the cursor is on asks.
func (d *Pick) Click(_, y int) Outcome {
	i := d.from + y - 2
	switch {
	case y < 2 || y >= 2+d.rows || i >= len(d.shown):
		return Outcome{}
	case i == d.cursor:
		return Outcome{Close: true, Do: d.Make(d.chosen())}
	}
	d.cursor = i
	return Outcome{}
}

func (d *Pick) tick() {
	name := d.under()
	switch {
	case name == "":
		return
	case d.ticked[name]:
		delete(d.ticked, name)
	default:
		d.ticked[name] = true
	}
	d.cursor++
}

// chosen are those that are ticked, in their order, or else the one
// under the cursor.
func (d *Pick) chosen() []string {
	var names []string
	for _, a := range d.all {
		if d.ticked[a.Name] {
			names = append(names, a.Name)
		}
	}
	if name := d.under(); len(names) == 0 && name != "" {
		names = []string{name}
	}
	return names
}

// Paste inserts text.
func (d *Pick) Paste(s string) { d.line.Insert(s); d.cursor = 0; d.find() }
