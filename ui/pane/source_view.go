package pane

import (
	"fmt"
	"sort"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/navigate"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/syntax"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

// View draws the lines around the cursor, and the code of the frame next to or
// below them.
func (p *Source) View(focused bool) []string {
	lines := p.viewSource
	if p.split {
		lines = p.withCode
	}
	if p.head() == 0 {
		return lines(focused)
	}
	_, note := p.Title()
	return append([]string{p.c.Theme.Dim.Render(text.CutLeft(note, p.width))}, lines(focused)...)
}

func (p *Source) viewSource(focused bool) []string {
	w, h := p.extent()
	switch {
	case p.path == "":
		return empty(p.c, w, "The source of the line that stopped will be here.", p.c.Keys.Key("find")+" finds a file or a symbol.")
	case p.src == nil:
		return empty(p.c, w, "Reading "+p.base()+"…")
	case p.missing():
		return p.viewMissing(w)
	}
	digits := p.digits()
	var out []string
	for line := p.top; line <= p.lines() && len(out) < h; line++ {
		out = append(out, p.row(line, digits, w, focused))
		if p.held && line == p.frame.Line {
			out = append(out, p.below(line, w, focused)...)
		}
		if p.held && line == p.frame.Line && len(p.here) > 0 && len(out) < h {
			head := strings.Repeat(" ", p.valuesIndent(line)) + p.c.Theme.Faint.Render("└ ")
			for _, l := range p.c.valueLines(p.here, p.valuesRoom(line)) {
				out = append(out, head+l)
				head = strings.Repeat(" ", p.valuesIndent(line)+2)
			}
		}
	}
	return out[:min(len(out), h)]
}

// viewMissing says what is known where the file cannot be read.
func (p *Source) viewMissing(w int) []string {
	if p.held && p.frame.Line <= 0 {
		return empty(p.c, w, "No source belongs to this place: the program may not have begun.", ": b main.main sets a breakpoint, "+p.c.Keys.Key("continue")+" continues.")
	}
	lines := []string{"The source cannot be shown: " + text.Line(p.src.Err) + "."}
	if p.held {
		lines = append(lines, fmt.Sprintf("The program was built from it; %s is at line %d.", text.Line(text.Function(p.frame.Function)), p.frame.Line))
		if !p.split {
			lines = append(lines, p.c.Keys.Key("disassembly")+" shows the instructions of the function.")
		}
	}
	return empty(p.c, w, append(lines, "The other panes work without it.")...)
}

func (p *Source) row(line, digits, w int, focused bool) string {
	t := p.c.Theme
	current := p.held && line == p.frame.Line
	mark, number := " ", t.Faint
	switch {
	case current && p.crashed:
		mark, number = t.StopStrong.Render("▶"), t.StopStrong
	case current:
		mark, number = t.WarnStrong.Render("▶"), t.WarnStrong
	}
	head := mark + p.breakpointSign(line) + number.Render(fmt.Sprintf("%*d", digits, line)) + p.changeSign(line) + " "
	row := head + p.body(line, w-digits-4, focused)
	switch {
	case focused && line == p.cursor && !current:
		return t.Selected.Over(row)
	case p.peeks() && line == p.cursor:
		return t.CurrentLine.Over(row)
	case current && p.crashed:
		return t.StopLine.Over(row)
	case current:
		return t.CurrentLine.Over(row)
	}
	return row
}

// body is the code of a line in w cells, with values next to it. Where the line
// goes on at a side there is "…".
func (p *Source) body(line, w int, focused bool) string {
	code, faint := p.src.Lines[line-1], p.c.Theme.Faint
	all, from, lead, tail := syntax.Width(code), p.left, "", ""
	if from > 0 && all > 0 {
		lead, from, w = faint.Render("…"), from+1, w-1
	}
	shown := w
	switch rows := p.wraps(line); {
	case len(rows) > 1:
		shown = rows[0].width
	case all > from+w:
		tail, w, shown = faint.Render("…"), w-1, w-1
	}
	out := lead + p.paint(code, from, shown, p.marks(line, focused))
	if room := w - max(all-from, 0) - 3; tail == "" && len(p.notes[line]) > 0 && all <= from+w && room >= 8 {
		if values, _ := p.c.values(p.notes[line], room); values != "" {
			out += "   " + values
		}
	}
	whole := w + text.Width(lead)
	if names := p.others(line); names != "" && whole-text.Width(names) > minBesideNames {
		return text.Sides(text.Cut(out, whole-text.Width(names)-1), names, whole) + tail // the names rather than the line's end
	}
	return text.Fit(out, whole) + tail
}

// minBesideNames is how many cells of a line stay next to the names of others.
const minBesideNames = 12

// others are the names of those in a shared session who look at a line; how many they
// are where their names would hide it.
func (p *Source) others(line int) string {
	var names []string
	for _, o := range p.c.Others {
		if o.Line == line && o.File == p.path {
			names = append(names, p.c.Theme.Person(o.Color).Render("◂ "+text.Line(o.Name)))
		}
	}
	if len(names) > mostNames || len(names) > 1 && text.Width(strings.Join(names, " ")) > p.width/4 {
		return p.c.Theme.FocusTitle.Render("◂ " + text.Count(int64(len(names))))
	}
	return strings.Join(names, " ")
}

// mostNames is how many names stand beside a line.
const mostNames = 3

// mark is a part of a line in a style of its own.
type mark struct {
	cell, width int
	style       theme.Style
}

// marks are the places of the search in a line, and the name that the cursor is
// on.
func (p *Source) marks(line int, focused bool) []mark {
	t := p.c.Theme
	var out []mark
	hits := p.found()
	for i := sort.Search(len(hits), func(i int) bool { return hits[i].Line >= line }); i < len(hits) && hits[i].Line == line; i++ {
		style := t.Found
		if line == p.cursor && hits[i].Cell == p.cell {
			style = t.FoundHere
		}
		out = append(out, mark{hits[i].Cell, hits[i].Width, style})
	}
	if w, ok := p.word(); ok && focused && line == p.cursor && !covered(out, w) {
		out = append(out, mark{w.Cell, w.Width, t.Match})
		sort.Slice(out, func(i, j int) bool { return out[i].cell < out[j].cell })
	}
	return out
}

func covered(marks []mark, w inspect.Word) bool {
	for _, m := range marks {
		if m.cell < w.Cell+w.Width && w.Cell < m.cell+m.width {
			return true
		}
	}
	return false
}

// paint draws the cells from–from+w of a line.
func (p *Source) paint(code []syntax.Span, from, w int, marks []mark) string {
	t := p.c.Theme
	if len(marks) == 0 {
		return t.Code(syntax.Cut(code, from, w))
	}
	var b strings.Builder
	at, end := from, from+w
	for _, m := range marks {
		start, stop := max(m.cell, at), min(m.cell+m.width, end)
		if start >= stop {
			continue
		}
		b.WriteString(t.Code(syntax.Cut(code, at, start-at)))
		b.WriteString(m.style.Render(syntax.Text(syntax.Cut(code, start, stop-start))))
		at = stop
	}
	b.WriteString(t.Code(syntax.Cut(code, at, end-at)))
	return b.String()
}

// breakpointSign tells what stops at a line: ● a breakpoint, ◆ one with a
// condition, ▷ a tracepoint, ○ one that is switched off, ◌ one without its place.
func (p *Source) breakpointSign(line int) string {
	t := p.c.Theme
	sign, rank := " ", 0
	if p.c.Store.Tag().Past() {
		return sign // they are where they are now
	}
	for _, b := range p.c.State.Breakpoints {
		if !b.IsAt(p.path, line) {
			continue
		}
		s, r := signOf(t, b)
		if r > rank {
			sign, rank = s, r
		}
	}
	return sign
}

func signOf(t theme.Theme, b debugger.Breakpoint) (sign string, rank int) {
	switch {
	case b.Disabled:
		return t.Dim.Render("○"), 1
	case !b.Enabled():
		return t.Warn.Render("◌"), 2
	case b.Trace:
		return t.Stop.Render("▷"), 3
	case b.Conditional():
		return t.Stop.Render("◆"), 4
	}
	return t.Stop.Render("●"), 5
}

// changeSign tells how a line differs from the last commit: + ~ and - for
// added, changed and removed ones, * for those that a fix has written.
func (p *Source) changeSign(line int) string {
	t := p.c.Theme
	switch p.c.Store.About(p.path).Marks[line] {
	case navigate.Added:
		return t.Good.Render("+")
	case navigate.Changed:
		return t.Warn.Render("~")
	case navigate.Removed:
		return t.Stop.Render("-")
	case navigate.Applied:
		return t.FocusTitle.Render("*")
	}
	return " "
}

func indentOf(src *inspect.Source, line int) int {
	s := src.Plain(line)
	return len(s) - len(strings.TrimLeft(s, " "))
}
