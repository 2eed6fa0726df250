package pane

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/text"
)

// Source shows the file of the selected frame, with values beside the lines.
type Source struct {
	c             *Context
	width, height int
	top, cursor   int // lines, counted from 1
	path          string
	src           *inspect.Source
	frame         debugger.Frame
	held          bool // there is a frame to show
	crashed       bool // the frame's line is where the target crashed
	notes         map[int][]value
	here          []value
	shown         shown
	look          look
	filter        string
}

// shown is what the window was last placed for.
type shown struct {
	stop uint64
	at   debugger.FrameRef
	path string
	line int
	read bool
}

// look is a line that was asked for while another frame is selected.
type look struct {
	path string
	line int
	stop uint64
	at   debugger.FrameRef
	done bool // the window stands there
}

// Look shows a line of a file until another frame is selected.
func (p *Source) Look(c *Context, path string, line int) {
	p.look = look{path: path, line: line, stop: c.Store.Tag().Stop, at: c.At}
}

// looking turns to the line that was asked for; false when there is none, or
// it is of an earlier frame.
func (p *Source) looking(c *Context) bool {
	if p.look.path == "" || p.look.stop != c.Store.Tag().Stop || p.look.at != c.At {
		p.look = look{}
		return false
	}
	p.path, p.src = p.look.path, c.Store.Source(p.look.path)
	p.held = p.held && p.frame.File == p.path
	p.annotate()
	if !p.look.done && p.src != nil && p.height > 0 {
		p.look.done = true
		p.goTo(p.look.line)
	}
	return true
}

// NewSource returns the pane.
func NewSource() *Source { return &Source{top: 1, cursor: 1} }

// Title names the pane and its file.
func (p *Source) Title() (string, string) {
	if p.path == "" || p.c == nil {
		return "Source", ""
	}
	return "Source", text.Line(p.c.State.Started.Workspace.Rel(p.path))
}

// Sync takes in what has happened.
func (p *Source) Sync(c *Context) {
	p.c = c
	p.frame, p.held = c.Store.Frame(c.At)
	stop, ok := c.CurrentStop()
	p.crashed = ok && stop.Stop.Panic != nil && c.At.Goroutine == stop.Stop.Goroutine && stop.Stop.Panic.Culprit == c.At.Frame
	if p.looking(c) {
		p.shown = shown{} // the frame's own line comes back into view with it
		return
	}
	if p.held {
		p.path = p.frame.File
	}
	p.src = c.Store.Source(p.path)
	p.annotate()
	now := shown{c.Store.Tag().Stop, c.At, p.path, p.frame.Line, p.src != nil}
	if p.held && now != p.shown {
		p.shown = now
		p.goTo(p.frame.Line)
	}
}

func (p *Source) annotate() {
	p.notes, p.here = nil, nil
	if p.src == nil || !p.held || p.src.Err != "" {
		return
	}
	p.notes = annotations(p.src, p.frame)
	p.here = current(p.src, p.frame, p.diagnosis())
}

// goTo puts the cursor on a line and the line somewhat above the middle.
func (p *Source) goTo(line int) {
	p.cursor = line
	p.top = line - p.height*2/5
	p.clamp()
}

func (p *Source) clamp() {
	n := p.lines()
	p.cursor = max(min(p.cursor, n), 1)
	room := max(p.height-1, 1) // one row may hold values
	if p.cursor < p.top {
		p.top = p.cursor
	}
	if p.height > 0 && p.cursor >= p.top+room {
		p.top = p.cursor - room + 1
	}
	p.top = max(min(p.top, n-room+1), 1)
}

func (p *Source) lines() int {
	if p.src == nil {
		return 0
	}
	return len(p.src.Lines)
}

// Resize says how much room there is.
func (p *Source) Resize(w, h int) {
	if h != p.height && p.held && p.cursor == p.frame.Line {
		p.width, p.height = w, h
		p.goTo(p.cursor)
		return
	}
	p.width, p.height = w, h
	p.clamp()
}

// Line is the file and line that the cursor stands on; false when there is none.
func (p *Source) Line() (file string, line int, ok bool) {
	return p.path, p.cursor, p.src != nil && p.src.Err == "" && p.lines() > 0
}

// Key moves the cursor.
func (p *Source) Key(a keymap.Action) (Effect, bool) {
	page := max(p.height-2, 1)
	switch a {
	case keymap.Up:
		p.cursor--
	case keymap.Down:
		p.cursor++
	case keymap.PageUp:
		p.cursor -= page
	case keymap.PageDown:
		p.cursor += page
	case keymap.Top:
		p.cursor = 1
	case keymap.Bottom:
		p.cursor = p.lines()
	case keymap.Open:
		p.look = look{}
		if p.held {
			p.goTo(p.frame.Line)
		}
	default:
		return nil, false
	}
	p.clamp()
	return nil, true
}

// SetFilter moves to the next line that holds the text.
func (p *Source) SetFilter(s string) {
	p.filter = s
	if p.src == nil || s == "" {
		return
	}
	for i := range p.lines() {
		line := (p.cursor-1+i)%p.lines() + 1
		if matches(plain(p.src, line), s) {
			p.cursor = line
			p.clamp()
			return
		}
	}
}

// Filter returns what is searched for.
func (p *Source) Filter() string { return p.filter }

// Click puts the cursor on a line.
func (p *Source) Click(y int) Effect {
	row := 0
	for line := p.top; line <= p.lines(); line++ {
		rows := 1
		if p.held && line == p.frame.Line && len(p.here) > 0 {
			rows = 2
		}
		if y < row+rows {
			p.cursor = line
			break
		}
		row += rows
	}
	p.clamp()
	return nil
}

// ScrollBy scrolls and takes the cursor along.
func (p *Source) ScrollBy(n int) {
	room := max(p.height-1, 1)
	p.top = max(min(p.top+n, p.lines()-room+1), 1)
	p.cursor = max(min(p.cursor, p.top+room-1), p.top)
	p.clamp()
}

// Needs asks for the file, and for the variables of the frame and its neighbours.
func (p *Source) Needs() []inspect.Need {
	if p.c == nil {
		return nil
	}
	needs := p.c.Store.NeedSource(p.path)
	return append(needs, p.c.Store.NeedAround(p.c.At)...)
}

// View draws the lines around the cursor.
func (p *Source) View(focused bool) []string {
	switch {
	case p.path == "":
		return empty(p.c, p.width, "The source of the line that stopped will be here.")
	case p.src == nil:
		return empty(p.c, p.width, "Reading "+text.Base(p.path)+"…")
	case p.src.Err != "":
		return empty(p.c, p.width, "The source cannot be shown: "+text.Line(p.src.Err)+".",
			"The other panes work without it.")
	}
	digits := len(strconv.Itoa(min(p.top+p.height, p.lines())))
	var out []string
	for line := p.top; line <= p.lines() && len(out) < p.height; line++ {
		out = append(out, p.row(line, digits, focused))
		if p.held && line == p.frame.Line && len(p.here) > 0 && len(out) < p.height {
			indent := digits + 4 + min(indentOf(p.src, line), p.width/2)
			out = append(out, strings.Repeat(" ", indent)+p.c.Theme.Faint.Render("└ ")+p.c.values(p.here, p.width-indent-3))
		}
	}
	return out
}

func (p *Source) row(line, digits int, focused bool) string {
	t := p.c.Theme
	current := p.held && line == p.frame.Line
	mark, point, number := " ", " ", t.Faint
	if p.hasBreakpoint(line) {
		point = t.Stop.Render("●")
	}
	switch {
	case current && p.crashed:
		mark, number = t.StopStrong.Render("▶"), t.StopStrong
	case current:
		mark, number = t.WarnStrong.Render("▶"), t.WarnStrong
	}
	head := mark + point + number.Render(fmt.Sprintf("%*d", digits, line)) + "  "
	body := text.Fit(t.Code(p.src.Lines[line-1]), p.width-digits-4)
	if notes := p.notes[line]; len(notes) > 0 {
		body = p.beside(line, notes, p.width-digits-4)
	}
	row := head + body
	switch {
	case focused && line == p.cursor && !current:
		return t.Selected.Over(row)
	case current && p.crashed:
		return t.StopLine.Over(row)
	case current:
		return t.CurrentLine.Over(row)
	}
	return row
}

// beside writes values after the code, where there is room for them.
func (p *Source) beside(line int, notes []value, w int) string {
	code := p.c.Theme.Code(p.src.Lines[line-1])
	room := w - text.Width(code) - 3
	values := ""
	if room >= 8 {
		values = p.c.values(notes, room)
	}
	if values == "" {
		return text.Fit(code, w)
	}
	return text.Fit(code+"   "+values, w)
}

func (p *Source) hasBreakpoint(line int) bool {
	for _, b := range p.c.State.Breakpoints {
		if b.Line == line && b.File == p.path {
			return true
		}
	}
	return false
}

func plain(src *inspect.Source, line int) string {
	var b strings.Builder
	for _, s := range src.Lines[line-1] {
		b.WriteString(s.Text)
	}
	return b.String()
}

func indentOf(src *inspect.Source, line int) int {
	s := plain(src, line)
	return len(s) - len(strings.TrimLeft(s, " "))
}

// Extent is the part of the rows that is shown.
func (p *Source) Extent() Extent { return Extent{p.top - 1, max(p.height-1, 1), p.lines()} }
