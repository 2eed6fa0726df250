package pane

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/syntax"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Behavior is in a few words what a candidate changes in what functions answer; empty while
// that is not known.
func Behavior(c *Context, r session.CandidateRecord) string {
	if r.Behavior == nil {
		return ""
	}
	words, style := text.Line(r.Behavior.Short()), c.Theme.Dim
	if r.Behavior.Status == verdict.Warn {
		style = c.Theme.Warn
	}
	if words == "" {
		return ""
	}
	return style.Render(words)
}

// differs says how a candidate answers differently from another one; empty where that is not
// known.
func differs(r, other session.CandidateRecord, brief bool) string {
	a, ok := r.ApartFrom(other)
	switch {
	case !ok || r.ID == other.ID:
		return ""
	case brief:
		return text.Line(a.Brief(Fix(other.ID)))
	}
	return text.Line(a.Words(Fix(other.ID)))
}

// Changes is the page of what a candidate changes in what functions answer: the inputs, or
// one of them whole.
type Changes struct {
	c             *Context
	record        session.CandidateRecord
	width, height int
	shown, opened bool
	row, top      int
	lines         []string
	starts        []int // the first line of each row
}

// Shown reports whether the page is shown, not the diff.
func (p *Changes) Shown() bool { return p.shown }

// Opened reports whether one of its rows is.
func (p *Changes) Opened() bool { return p.shown && p.opened }

// Row is the row that keys act on, of the candidate's Behavior; false without one.
func (p *Changes) Row() (int, bool) { return p.row, p.shown && p.row < p.Rows() }

// Rows is how many inputs are shown on which the candidate answers differently.
func (p *Changes) Rows() int {
	if p.record.Behavior == nil {
		return 0
	}
	return len(p.record.Behavior.Rows)
}

// toggle shows the page, or no longer.
func (p *Changes) toggle() { p.shown, p.opened, p.top = !p.shown, false, 0 }

// back closes what was opened last; false where nothing is.
func (p *Changes) back() bool {
	switch {
	case p.Opened():
		p.opened, p.top = false, 0
		p.draw()
		p.follow()
		return true
	case p.shown:
		p.toggle()
		return true
	}
	return false
}

func (p *Changes) draw() {
	row, ok := p.Row()
	p.starts = nil
	if p.opened = p.opened && ok; p.opened {
		p.lines = p.whole(row)
	} else {
		p.lines = p.list()
	}
	p.clamp()
}

func (p *Changes) clamp() { p.top = max(min(p.top, len(p.lines)-p.height), 0) }

// follow has the row in view, the first one with the title and the last one with what
// follows it.
func (p *Changes) follow() {
	if p.row >= len(p.starts) {
		return
	}
	from, end := p.starts[p.row], len(p.lines)
	if p.row == 0 {
		from = 0
	}
	if p.row+1 < len(p.starts) {
		end = p.starts[p.row+1]
	}
	p.top = min(max(p.top, end-p.height), from)
	p.clamp()
}

// key moves from row to row and opens one, or scrolls where there is nothing to move to.
func (p *Changes) key(a keymap.Action) bool {
	switch a {
	case keymap.Up:
		p.move(-1, p.opened)
	case keymap.Down:
		p.move(1, p.opened)
	case keymap.HunkPrev:
		p.move(-1, false)
	case keymap.HunkNext:
		p.move(1, false)
	case keymap.PageUp:
		p.scrollBy(-max(p.height-2, 1))
	case keymap.PageDown:
		p.scrollBy(max(p.height-2, 1))
	case keymap.Top:
		p.scrollBy(-len(p.lines))
		p.goTo(0)
	case keymap.Bottom:
		p.goTo(p.Rows() - 1)
		p.scrollBy(len(p.lines))
	case keymap.Open:
		if _, ok := p.Row(); ok && !p.opened {
			p.opened, p.top = true, 0
			p.draw()
		}
	default:
		return false
	}
	return true
}

// move goes to a neighbor, or scrolls by a line.
func (p *Changes) move(d int, scrolls bool) {
	next := p.row + d
	switch {
	case scrolls || next < 0 || next >= p.Rows():
		p.scrollBy(d)
	case p.opened:
		p.row, p.top = next, 0
		p.draw()
	default:
		p.goTo(next)
	}
}

// goTo selects a row of the list.
func (p *Changes) goTo(row int) {
	if p.opened {
		return
	}
	p.row = max(row, 0)
	p.draw()
	p.follow()
}

func (p *Changes) scrollBy(n int) {
	p.top += n
	p.clamp()
}

// click selects a row, or opens the one that is selected.
func (p *Changes) click(y int) {
	at, _ := slices.BinarySearch(p.starts, p.top+y+1)
	switch {
	case p.opened || at == 0:
	case at-1 == p.row:
		p.opened, p.top = true, 0
	default:
		p.row = at - 1
	}
	p.draw()
}

// list is the inputs with the answers before and now, that of the stop first.
func (p *Changes) list() []string {
	t, b := p.c.Theme, p.record.Behavior
	out := []string{t.Strong.Render("What this changes"), ""}
	switch {
	case b == nil && p.record.Passes():
		return append(out, p.paragraph(t.Dim.Render, "The functions that it changes are called before and after it, once nothing else is to be proved.")...)
	case b == nil:
		return append(out, p.paragraph(t.Dim.Render, "Only fixes that pass are compared.")...)
	}
	for i, row := range b.Rows {
		p.starts = append(p.starts, len(out))
		out = append(out, p.brief(i, row)...)
	}
	if b.Tried > 0 {
		out = append(out, p.paragraph(t.Text.Render, text.Line(b.Tally())+".")...)
	} else {
		out = append(out, p.paragraph(t.Dim.Render, text.Line(b.Detail))...)
	}
	for _, words := range p.others() {
		out = append(out, wrapped(t.Text.Render, "↔ ", words, p.width, apartRows)...)
	}
	if p.record.Asserts != nil && p.record.Asserts.Why != "" && len(b.Rows) > 0 {
		out = append(out, wrapped(t.Dim.Render, "– ", text.Line("its test asserts no answer: "+p.record.Asserts.Why), p.width, apartRows)...)
	}
	for _, l := range b.Left {
		out = append(out, wrapped(t.Dim.Render, "– ", text.Line("not compared: "+l), p.width, 0)...)
	}
	return out
}

// apartRows is how many lines it may take to say how two fixes differ.
const apartRows = 3

// others say how the other candidates of the stop answer differently.
func (p *Changes) others() []string {
	var list []string
	if i := p.c.State.StopOf(p.record.ID); i >= 0 {
		for _, other := range p.c.State.Stops[i].Candidates {
			if words := differs(p.record, other, false); words != "" {
				list = append(list, words)
			}
		}
	}
	return list
}

func (p *Changes) paragraph(style func(string) string, words string) []string {
	lines := text.Wrap(words, max(p.width, 1), 0)
	for i, l := range lines {
		lines[i] = style(l)
	}
	return lines
}

// label says where a call is from, and whether the test has it.
func (p *Changes) label(i int) string {
	words := p.record.Behavior.Rows[i].Origin()
	if !p.inTest(i) {
		return words
	}
	return strings.TrimPrefix(words+" · in the test", " · ")
}

// InTest reports whether the row that keys act on can be taken out of the test.
func (p *Changes) InTest() bool {
	i, ok := p.Row()
	return ok && p.inTest(i) && !p.record.Behavior.Rows[i].Stop
}

// inTest reports whether the test asserts a row: what was picked, and the call that
// stopped, of the same function.
func (p *Changes) inTest(i int) bool {
	a, rows := p.record.Asserts, p.record.Behavior.Rows
	if a == nil || a.Why != "" || a.Test == nil {
		return false
	}
	function := rows[i].Function
	if n := len(a.Rows); n > 0 && a.Rows[n-1] < len(rows) {
		function = rows[a.Rows[n-1]].Function
	}
	return rows[i].Function == function && (rows[i].Stop || slices.Contains(a.Rows, i))
}

// brief is one input: the call, what it answered, and what it answers now.
func (p *Changes) brief(i int, row verdict.BehaviorRow) []string {
	t := p.c.Theme
	const inputRows, answerRows, indent = 3, 2, "             "
	mark := "  "
	if i == p.row {
		mark = t.Focus.Render("▸ ")
	}
	label := p.label(i)
	lines := text.Wrap(text.Line(row.Input), max(p.width-4, 1), inputRows)
	if label != "" {
		if text.Width(lines[0])+text.Width(label) > p.width-6 { // beside the call, if there is room
			lines = text.Wrap(text.Line(row.Input), max(p.width-6-text.Width(label), 1), inputRows)
		}
	}
	var out []string
	for n, l := range lines {
		head := mark + sign(t, row.Sign()) + " "
		if n > 0 {
			head = "    "
		}
		out = append(out, head+t.Strong.Render(l))
	}
	if label != "" {
		out[0] = text.Sides(out[0], t.Faint.Render(label), p.width)
	}
	for _, line := range []struct {
		name, words string
		style       func(string) string
	}{{"before", row.Before, t.Dim.Render}, {"now", row.After, t.Text.Render}} {
		for n, l := range text.Wrap(text.Line(line.words), max(p.width-len(indent), 1), answerRows) {
			head := indent
			if n == 0 {
				head = fmt.Sprintf("      %-*s", len(indent)-6, line.name)
			}
			out = append(out, t.Faint.Render(head)+line.style(l))
		}
	}
	return append(out, "")
}

// whole is one row with all that is known of it.
func (p *Changes) whole(i int) []string {
	t, row := p.c.Theme, p.record.Behavior.Rows[i]
	all := verdict.WholeRow{Input: row.Input, Before: row.Before, After: row.After}
	if row.Whole != nil {
		all = *row.Whole
	}
	title := t.Strong.Render("What this changes") + t.Dim.Render(fmt.Sprintf(" · %d of %d", i+1, p.Rows()))
	out := []string{text.Sides(title, t.Faint.Render(p.label(i)), p.width), ""}
	out = append(append(out, p.laid(all.Input, "")...), "")
	for _, part := range []struct{ name, words string }{{"before", all.Before}, {"now", all.After}} {
		head := part.name
		if part.name == "now" {
			head = sign(t, row.Sign()) + " " + t.Dim.Render(head)
		} else {
			head = t.Dim.Render(head)
		}
		out = append(out, head)
		for l := range strings.Lines(part.words) {
			out = append(out, p.laid(strings.TrimSpace(l), "  ")...)
		}
		out = append(out, "")
	}
	return out
}

// laid is a line of source in as many lines as it needs.
func (p *Changes) laid(line, indent string) []string {
	room := max(p.width-len(indent), 1)
	var out []string
	if indent != "" && !answers(line) {
		for _, l := range text.Wrap(text.Line(line), room, 0) {
			out = append(out, indent+p.c.Theme.Text.Render(l))
		}
		return out
	}
	for _, l := range syntax.Lay(text.Line(line), room) {
		if text.Width(l) <= room {
			out = append(out, indent+p.c.Theme.Code(syntax.Lines(l)[0]))
			continue
		}
		for _, part := range text.Rows(l, room, len(l)) {
			out = append(out, indent+p.c.Theme.Text.Render(part))
		}
	}
	return out
}

// answers reports whether what a call did is written as source after a word.
func answers(line string) bool {
	return slices.ContainsFunc([]string{"returns ", "leaves ", "prints "}, func(word string) bool { return strings.HasPrefix(line, word) })
}
