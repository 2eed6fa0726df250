package pane

import (
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/text"
)

// Stack shows the calls of the selected goroutine, innermost first. Runs of
// the runtime's frames are folded into one row.
type Stack struct {
	list
	c        *Context
	rows     []stackRow
	unfolded map[int]bool // by index of the first frame of a run
	filter   string
	at       debugger.FrameRef
	wantMore bool
	stop     inspect.Tag
}

type stackRow struct {
	frame  debugger.Frame
	folded int // > 0: a run of so many frames, frame being its first
	open   bool
	more   bool // the row that stands for frames not read yet
}

// NewStack returns the pane.
func NewStack() *Stack { return &Stack{unfolded: map[int]bool{}} }

// Title names the pane.
func (p *Stack) Title() (string, string) {
	if p.c != nil && p.c.At.Goroutine != 0 {
		if stop, ok := p.c.CurrentStop(); ok && stop.Stop.Goroutine != p.c.At.Goroutine {
			return "Stack", fmt.Sprintf("goroutine %d", p.c.At.Goroutine)
		}
	}
	return "Stack", ""
}

// Sync takes in what has happened.
func (p *Stack) Sync(c *Context) {
	p.c = c
	if tag := c.Store.Tag(); tag.Stop != p.stop.Stop {
		p.stop = tag
		clear(p.unfolded)
		p.cursor, p.top = 0, 0
		p.at = debugger.FrameRef{Frame: -1}
	}
	p.rebuild()
	if p.at != c.At {
		p.at = c.At
		p.cursorTo(c.At.Frame)
	}
}

func (p *Stack) cursorTo(frame int) {
	for i, r := range p.rows {
		if !r.more && r.frame.Index <= frame && frame < r.frame.Index+max(r.folded, 1) {
			p.moveTo(i)
		}
	}
}

func (p *Stack) rebuild() {
	p.rows = p.rows[:0]
	st := p.c.Store.Stack(p.c.At.Goroutine)
	if st == nil {
		p.setCount(0)
		return
	}
	for i := 0; i < len(st.Frames); {
		f := st.Frames[i]
		run := 0
		for i+run < len(st.Frames) && st.Frames[i+run].Runtime {
			run++
		}
		if run > 1 && p.filter == "" {
			p.rows = append(p.rows, stackRow{frame: f, folded: run, open: p.unfolded[f.Index]})
			if !p.unfolded[f.Index] {
				i += run
				continue
			}
			for _, g := range st.Frames[i : i+run] {
				p.rows = append(p.rows, stackRow{frame: g})
			}
			i += run
			continue
		}
		if matches(f.Function+" "+f.File, p.filter) {
			p.rows = append(p.rows, stackRow{frame: f})
		}
		i++
	}
	if st.More {
		p.rows = append(p.rows, stackRow{more: true})
	}
	p.setCount(len(p.rows))
}

// Resize says how much room there is.
func (p *Stack) Resize(w, h int) { p.resize(w, h) }

// SetFilter keeps the frames whose function or file holds the text.
func (p *Stack) SetFilter(s string) { p.filter = s; p.rebuild() }

// Filter returns the filter.
func (p *Stack) Filter() string { return p.filter }

// Key moves through the frames, which selects them at once.
func (p *Stack) Key(a keymap.Action) (Effect, bool) {
	if len(p.rows) == 0 {
		return nil, p.move(a)
	}
	switch a {
	case keymap.Open, keymap.Hunk, keymap.Right, keymap.Left:
		return p.toggle(a), true
	}
	if !p.move(a) {
		return nil, false
	}
	return p.selected(), true
}

func (p *Stack) toggle(a keymap.Action) Effect {
	r := p.rows[p.cursor]
	switch {
	case r.more:
		p.wantMore = true
	case r.folded > 0:
		p.unfolded[r.frame.Index] = !r.open
		p.rebuild()
	case a == keymap.Open:
		return Focus{1}
	}
	return nil
}

func (p *Stack) selected() Effect {
	r := p.rows[p.cursor]
	if r.more {
		p.wantMore = true
		return nil
	}
	if r.folded > 0 {
		return nil
	}
	p.at = debugger.FrameRef{Goroutine: p.c.At.Goroutine, Frame: r.frame.Index}
	return SelectFrame{p.at}
}

// Click selects a row; on a folded run it unfolds.
func (p *Stack) Click(y int) Effect {
	if i := p.top + y; i < len(p.rows) {
		p.moveTo(i)
		if p.rows[i].folded > 0 || p.rows[i].more {
			return p.toggle(keymap.Hunk)
		}
		return p.selected()
	}
	return nil
}

// ScrollBy scrolls.
func (p *Stack) ScrollBy(n int) { p.scrollBy(n) }

// Needs asks for the stack, and for more of it once the end was looked at.
func (p *Stack) Needs() []inspect.Need {
	if p.c == nil {
		return nil
	}
	needs := p.c.Store.NeedStack(p.c.At.Goroutine)
	_, to := p.window()
	if p.wantMore || (to == len(p.rows) && to > 0 && p.rows[to-1].more) {
		p.wantMore = false
		needs = append(needs, p.c.Store.NeedMoreFrames(p.c.At.Goroutine)...)
	}
	return needs
}

// View draws the frames.
func (p *Stack) View(focused bool) []string {
	if len(p.rows) == 0 {
		return p.nothing()
	}
	var out []string
	from, to := p.window()
	for i := from; i < to; i++ {
		out = append(out, p.row(p.c.Theme, p.line(p.rows[i]), i, focused))
	}
	return out
}

func (p *Stack) nothing() []string {
	st := p.c.Store.Stack(p.c.At.Goroutine)
	switch {
	case st != nil && st.Err != "":
		return empty(p.c, p.width, "The stack could not be read: "+text.Line(st.Err))
	case p.filter != "":
		return empty(p.c, p.width, "No frame matches "+p.filter+".")
	case p.c.At.Goroutine != 0:
		return empty(p.c, p.width, "Reading the stack…")
	}
	return empty(p.c, p.width, "The calls of the goroutine that stopped will be here. "+p.c.Keys.Key(keymap.Interrupt)+" halts a running target.")
}

func (p *Stack) line(r stackRow) string {
	t := p.c.Theme
	switch {
	case r.more:
		return t.Faint.Render("  … more frames")
	case r.folded > 0 && r.open:
		return t.Faint.Render(fmt.Sprintf("  ⋯ %d runtime frames ▾", r.folded))
	case r.folded > 0:
		return t.Faint.Render(fmt.Sprintf("  ⋯ %d runtime frames", r.folded))
	}
	mark, name, place := "  ", t.Text, t.Dim
	if r.frame.Index == p.c.At.Frame {
		mark, name = t.Focus.Render("▸ "), t.Strong
	} else if !r.frame.User {
		name, place = t.Dim, t.Faint
	}
	where := text.Place(r.frame.File, r.frame.Line)
	function := text.Line(text.Function(r.frame.Function))
	room := p.width - 2
	where = text.CutLeft(where, max(room/2, 1))
	function = cutFunction(function, max(room-text.Width(where)-1, 1))
	return text.Sides(mark+name.Render(function), place.Render(where), p.width)
}

// cutFunction shortens a function's name to w cells, a method's in its
// receiver: "(*Inv…).remember".
func cutFunction(name string, w int) string {
	receiver, method, ok := strings.Cut(name, ").")
	if room := w - text.Width(method) - 2; ok && text.Width(name) > w && room >= 4 {
		return text.Cut(receiver, room) + ")." + method
	}
	return text.Cut(name, w)
}
