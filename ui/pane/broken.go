package pane

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/text"
)

// Broken shows the messages of a build that failed, and the source around the
// selected one.
type Broken struct {
	list
	c      *Context
	w, h   int
	first  int // message shown
	diags  []build.Diagnostic
	output []string
}

// NewBroken returns the pane.
func NewBroken() *Broken { return &Broken{} }

// Title names the screen.
func (p *Broken) Title() (string, string) {
	if p.c != nil && p.c.State.Build != nil && p.c.State.Build.Built {
		return "Could not be started", ""
	}
	return "Build failed", ""
}

// Sync takes in what has happened.
func (p *Broken) Sync(c *Context) {
	p.c = c
	p.diags, p.output = nil, nil
	if c.State.Build == nil {
		return
	}
	p.diags = c.State.Build.Diagnostics
	if len(p.diags) == 0 {
		p.output = strings.Split(strings.TrimRight(text.Clean(c.State.Build.Output), "\n"), "\n")
	}
	p.setCount(len(p.diags))
}

// Resize says how much room there is; the messages take up to a third.
func (p *Broken) Resize(w, h int) {
	p.w, p.h = w, h
	p.resize(w, max(len(p.diags), 1)) // rows are counted as they are drawn
}

// Selected is the message under the cursor; false when it has no place.
func (p *Broken) Selected() (build.Diagnostic, bool) {
	if p.cursor < len(p.diags) {
		return p.diags[p.cursor], p.diags[p.cursor].File != ""
	}
	return build.Diagnostic{}, false
}

// Key moves among the messages.
func (p *Broken) Key(a keymap.Action) (Effect, bool) { return nil, p.move(a) }

// Click selects a message.
func (p *Broken) Click(y int) Effect {
	from, to := p.shown()
	row := p.head()
	for i := from; i < to; i++ {
		if n := len(p.message(i)); y >= row && y < row+n {
			p.moveTo(i)
			return nil
		} else {
			row += n
		}
	}
	return nil
}

// head is the number of rows above the messages.
func (p *Broken) head() int { return len(p.headLines()) }

// ScrollBy moves among the messages.
func (p *Broken) ScrollBy(n int) { p.moveTo(p.cursor + n) }

// Needs asks for the file of the selected message.
func (p *Broken) Needs() []inspect.Need {
	if p.c == nil {
		return nil
	}
	if d, ok := p.Selected(); ok {
		return p.c.Store.NeedSource(d.File)
	}
	return nil
}

func (p *Broken) headLines() []string {
	b := p.c.State.Build
	if b == nil {
		return nil
	}
	t := p.c.Theme
	var out []string
	for _, l := range text.Wrap(text.Line(b.Message), p.w, 6) {
		out = append(out, t.StopStrong.Render(l))
	}
	if b.Hint != "" {
		out = append(out, wrapDim(p.c, text.Line(b.Hint), p.w)...)
	}
	return append(out, "")
}

// View draws messages, then the source around the selected one.
func (p *Broken) View(bool) []string {
	out := p.headLines()
	if len(p.diags) == 0 {
		for _, l := range p.output {
			out = append(out, text.Cut(l, p.w))
		}
		return out[:min(len(out), p.h)]
	}
	from, to := p.shown()
	for i := from; i < to; i++ {
		for _, l := range p.message(i) {
			out = append(out, p.row(p.c.Theme, l, i, true))
		}
	}
	if len(p.diags) > to-from {
		out = append(out, p.c.Theme.Faint.Render(fmt.Sprintf("  message %d of %d", p.cursor+1, len(p.diags))))
	}
	out = append(out, "")
	out = append(out, p.source(p.h-len(out))...)
	return out[:min(len(out), p.h)]
}

// shown is the range of messages that fit into a third of the room, with the
// selected one.
func (p *Broken) shown() (from, to int) {
	room := p.h / 3
	for from = min(p.first, p.cursor); from < p.cursor && p.rowsOf(from, p.cursor+1) > room; {
		from++
	}
	for to = p.cursor + 1; to < len(p.diags) && p.rowsOf(from, to+1) <= room; {
		to++
	}
	p.first = from
	return from, to
}

// rowsOf is how many rows a range of messages takes.
func (p *Broken) rowsOf(from, to int) (rows int) {
	for i := from; i < to; i++ {
		rows += len(p.message(i))
	}
	return rows
}

// maxMessage is how many rows a message of the compiler has at most.
const maxMessage = 4

// message is a message of the compiler after its place, in as many rows as it needs.
func (p *Broken) message(i int) []string {
	d := p.diags[i]
	t := p.c.Theme
	mark := "  "
	if i == p.cursor {
		mark = t.Focus.Render("▸ ")
	}
	if d.File != "" {
		place := text.Path(text.Line(p.c.State.Started.Workspace.Rel(d.File)), max(p.w/3, 8)) + ":" + strconv.Itoa(d.Line)
		mark += t.Focus.Render(place) + "  "
	}
	return hanging(mark, text.Line(d.Message), p.w, maxMessage)
}

// hanging puts words after a head, in rows of w cells that begin where the words do;
// below the head where there is no room next to it.
func hanging(head, words string, w, most int) []string {
	var out []string
	indent := text.Width(head)
	if w-indent < minHanging {
		out, head, indent, most = append(out, text.Cut(head, w)), "    ", 4, most-1
	}
	for _, l := range text.Wrap(words, max(w-indent, 1), most) {
		out = append(out, head+l)
		head = strings.Repeat(" ", indent)
	}
	return out
}

// minHanging is the least room of words after a head, in cells.
const minHanging = 16

// source draws n rows around the selected message.
func (p *Broken) source(n int) []string {
	d, ok := p.Selected()
	if !ok || n < 3 {
		return nil
	}
	t := p.c.Theme
	src := p.c.Store.Source(d.File)
	switch {
	case src == nil:
		return []string{t.Dim.Render("  Reading " + text.Base(d.File) + "…")}
	case src.Err != "":
		return wrapDim(p.c, "The source cannot be shown: "+text.Line(src.Err), p.w)
	}
	out := []string{"  " + t.Dim.Render(text.Path(text.Line(p.c.State.Started.Workspace.Rel(d.File)), max(p.w-2, 1)))}
	n--
	from := max(min(d.Line-n/2, len(src.Lines)-n+2), 1)
	digits := len(strconv.Itoa(from + n))
	for line := from; line <= len(src.Lines) && len(out) < n; line++ {
		mark, number := "  ", t.Faint
		if line == d.Line {
			mark, number = t.StopStrong.Render("▶ "), t.StopStrong
		}
		row := text.Fit(mark+number.Render(fmt.Sprintf("%*d", digits, line))+"  "+t.Code(src.Lines[line-1]), p.w)
		if line == d.Line {
			row = t.StopLine.Over(row)
		}
		out = append(out, row)
		if line == d.Line && d.Column > 0 {
			out = append(out, p.pointer(src, d, digits)...)
		}
	}
	return out
}

// pointer is the rows below the source that point at the column.
func (p *Broken) pointer(src *inspect.Source, d build.Diagnostic, digits int) []string {
	code := src.Plain(d.Line)
	raw := strings.Split(src.Text, "\n")[d.Line-1]
	before := text.Width(text.Clean(raw[:min(max(d.Column-1, 0), len(raw))]))
	before = min(before, text.Width(code))
	lines := hanging(strings.Repeat(" ", digits+4+before)+"└ ", text.Line(d.Message), p.w, maxMessage)
	for i, l := range lines {
		lines[i] = p.c.Theme.Stop.Render(l)
	}
	return lines
}
