package pane

import (
	"fmt"
	"strconv"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/text"
)

// Source shows a source file: that of the selected frame, with values next to the
// lines, or one that was asked for. The cursor is a line and a name in it.
type Source struct {
	*sheet
	*textSearch
	*disassembly
	crashed bool // the frame's line is where the target crashed
	notes   map[int][]value
	shown   shown
	back    []visit
}

// shown is what the window was last placed for.
type shown struct {
	stop uint64
	at   debugger.FrameRef
	path string
	line int
	read bool
	bad  int // column of what is wrong in the line
}

// look is a place that was asked for while another frame is selected.
type look struct {
	path   string
	line   int
	column int // byte in the line, from 1; 0 for none
	stop   uint64
	at     debugger.FrameRef
	done   bool // the window is there
}

// visit is where one was before going elsewhere.
type visit struct {
	look              look
	cursor, top, left int
	cell              int
	peek              bool // what has been shown since was only peeked at
}

// maxVisits bounds how far one can go back.
const maxVisits = 200

// NewSource returns the pane.
func NewSource() *Source {
	s := &sheet{top: 1, cursor: 1}
	return &Source{sheet: s, textSearch: &textSearch{sheet: s}, disassembly: &disassembly{sheet: s}}
}

// Look shows a line of a file until another frame is selected.
func (p *Source) Look(c *Context, path string, line int) { p.Visit(c, path, line, 0) }

// Visit shows a place until another frame is selected; Return goes back to where
// one was. A column is a byte of the line, from 1; 0 is none.
func (p *Source) Visit(c *Context, path string, line, column int) {
	if p.peeks() && p.look.path == path && p.look.line == line {
		p.back[len(p.back)-1].peek = false
		return
	}
	if p.path != "" {
		p.back = append(p.back, visit{p.look, p.cursor, p.top, p.left, p.cell, false})
		p.back = p.back[max(len(p.back)-maxVisits, 0):]
	}
	p.look = look{path: path, line: line, column: column, stop: c.Store.Tag().Stop, at: c.At}
	p.forget()
}

// Peek shows a place, in place of the last one that was shown so.
func (p *Source) Peek(c *Context, path string, line int) {
	if p.peeks() {
		p.Return()
	}
	if p.Visit(c, path, line, 0); p.path != "" {
		p.back[len(p.back)-1].peek = true
	}
}

// Unpeek goes back to where one was before the first peek.
func (p *Source) Unpeek() {
	if p.peeks() {
		p.Return()
	}
}

func (p *Source) peeks() bool { return len(p.back) > 0 && p.back[len(p.back)-1].peek }

// Return goes back to where one was before the last visit; false when there is
// nowhere to go back to.
func (p *Source) Return() bool {
	if len(p.back) == 0 {
		return false
	}
	v := p.back[len(p.back)-1]
	p.back = p.back[:len(p.back)-1]
	p.look, p.cursor, p.top, p.left, p.cell = v.look, v.cursor, v.top, v.left, v.cell
	p.look.done, p.placed = true, -1
	if p.held {
		p.shown = shown{p.c.Store.Tag().Stop, p.c.At, p.frame.File, p.frame.Line, p.c.Store.Source(p.frame.File) != nil, 0}
	}
	return true
}

// Visits is how many places there are to go back to.
func (p *Source) Visits() int { return len(p.back) }

// titleRoom is what the border and the pane's name take of its title, in cells.
const titleRoom = 16

// Title names the pane, its file and what is to be known of it.
func (p *Source) Title() (string, string) {
	if p.path == "" || p.c == nil {
		return "Source", ""
	}
	note := text.Path(text.Line(p.c.State.Started.Workspace.Rel(p.path)), max(p.width-titleRoom, 8))
	if stop, ok := p.c.CurrentStop(); ok && p.held && p.c.At.Goroutine != stop.Stop.Goroutine {
		note += " · goroutine " + strconv.FormatInt(int64(p.c.At.Goroutine), 10)
	}
	if at, all := p.Count(); p.Filter() != "" {
		note += " · " + strconv.Itoa(at) + "/" + strconv.Itoa(all)
	}
	switch {
	case !p.c.Store.Tag().Past():
	case p.src != nil && p.src.Now:
		note += " · as it is now, not as it was"
	default:
		note += " · as it was"
	}
	about := p.c.Store.About(p.path)
	if about.Generated {
		note += " · generated"
	}
	if about.Untracked {
		note += " · not committed"
	}
	if about.Stale != "" {
		stale := " · ⚠ " + text.Line(about.Stale)
		if text.Width(note)+text.Width(stale) > p.width-titleRoom { // next to the pane's name
			stale = " · ⚠ edited since build"
		}
		note += stale
	}
	return "Source", note
}

// Sync takes in what has happened.
func (p *Source) Sync(c *Context) {
	p.c = c
	p.frame, p.held = c.Store.Frame(c.At)
	stop, ok := c.CurrentStop()
	p.crashed = ok && stop.Stop.Panic != nil && c.At.Goroutine == stop.Stop.Goroutine && stop.Stop.Panic.Culprit == c.At.Frame
	defer p.syncCode()
	if p.looking(c) {
		p.shown = shown{} // the frame's own line comes back into view with it
		return
	}
	if p.held {
		p.path = p.frame.File
	}
	p.src = c.Store.Source(p.path)
	p.annotate()
	if p.held {
		p.show(shown{c.Store.Tag().Stop, c.At, p.path, p.frame.Line, p.src != nil, p.bad()})
	}
}

// show brings the frame's line into view. What is wrong in it may become known
// later: the cursor then moves there, unless the person has moved it.
func (p *Source) show(now shown) {
	was := p.shown
	p.shown = now
	if now == was {
		return
	}
	bad := now.bad
	now.bad = was.bad
	if now == was && (p.cursor != p.frame.Line || p.cell != p.placed) {
		return
	}
	p.goTo(p.frame.Line, bad)
}

// looking turns to the place that was asked for; false when there is none, or
// it is of an earlier frame.
func (p *Source) looking(c *Context) bool {
	stop := c.Store.Tag().Stop
	if len(p.back) > 0 && p.look.path != "" && (p.look.stop != stop || p.look.at != c.At) {
		p.back = nil
	}
	if p.look.path == "" || p.look.stop != stop || p.look.at != c.At {
		p.look = look{}
		return false
	}
	p.path, p.src = p.look.path, c.Store.Source(p.look.path)
	p.held = p.held && p.frame.File == p.path
	p.annotate()
	if !p.look.done && p.src != nil && p.height > 0 {
		p.look.done = true
		p.goTo(p.look.line, p.look.column)
	}
	return true
}

func (p *Source) annotate() {
	p.notes, p.here = nil, nil
	if p.src == nil || !p.held || p.src.Err != "" {
		return
	}
	a := newAnnotator(p.c, p.src, p.frame)
	p.notes, p.here = a.above(), a.current(p.diagnosis())
}

// Resize says how much room there is.
func (p *Source) Resize(w, h int) {
	if h != p.height && p.held && p.cursor == p.frame.Line {
		p.width, p.height = w, h
		p.goTo(p.cursor, p.shown.bad)
		return
	}
	p.width, p.height = w, h
	p.clamp()
}

// Key moves the cursor, or asks what its name means.
func (p *Source) Key(a keymap.Action) (Effect, bool) {
	switch a {
	case keymap.Define:
		return Define{p.At()}, true
	case keymap.Callers:
		return FindCallers{p.At()}, true
	case keymap.Disassembly:
		p.toggleCode()
		return nil, true
	case keymap.NextMatch:
		return p.nextMatch(1), true
	case keymap.PreviousMatch:
		return p.nextMatch(-1), true
	}
	return nil, p.move(a)
}

// Click puts the cursor on a line.
func (p *Source) Click(y int) Effect {
	if line, _, ok := p.lineAt(y - p.head()); ok {
		p.cursor = line
	}
	p.clamp()
	return nil
}

// ClickAt puts the cursor on the name below the pointer; in the gutter it sets
// or clears a breakpoint. Only selects the line, and says what can be done with it.
func (p *Source) ClickAt(x, y int, only bool) Effect {
	if p.clickCode(x, y-p.head()) {
		return nil
	}
	line, row, ok := p.lineAt(y - p.head())
	if !ok {
		return nil
	}
	cell := p.cellAt(line, row, x)
	p.cursor = line
	p.clamp()
	switch {
	case only:
		if x >= p.gutter() {
			p.cell = cell
		}
		key := p.c.Keys.Key
		return Say{fmt.Sprintf("line %d: %s runs to it, %s sets or clears a breakpoint", line, key(keymap.RunTo), key(keymap.Breakpoint))}
	case x < p.gutter():
		return ToggleBreakpoint{p.path, line}
	}
	p.cell = cell
	return nil
}

// Needs asks for the file, for the variables of the frame and its neighbors,
// and for the frame's code where that is shown.
func (p *Source) Needs() []inspect.Need {
	if p.c == nil {
		return nil
	}
	needs := append(p.Files(), p.c.Store.NeedFrame(p.c.At)...)
	if p.split {
		needs = append(needs, p.c.Store.NeedCode(p.c.At)...)
	}
	return needs
}

// Files asks for the file alone, which can be had while the target runs.
func (p *Source) Files() []inspect.Need {
	if p.c == nil {
		return nil
	}
	return append(p.c.Store.NeedSource(p.path), p.c.Store.NeedAbout(p.path, p.c.Sources)...)
}
