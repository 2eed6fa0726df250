package pane

import (
	"fmt"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/text"
)

// Stack shows the calls of the selected goroutine, innermost first. Runs of
// the runtime's frames are folded into one row, and so are the calls that a
// frame has deferred, and who started the goroutine.
type Stack struct {
	list
	c        *Context
	rows     []stackRow
	around   *inspect.Around
	unfolded map[fold]bool
	filter   string
	bare     bool // the package and the star of a receiver are left out
	at       debugger.FrameRef
	wantMore bool
	stop     inspect.Tag
}

// NewStack returns the pane.
func NewStack() *Stack { return &Stack{unfolded: map[fold]bool{}} }

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
		if r.kind <= runRow && r.frame.Index <= frame && frame < r.frame.Index+max(r.count, 1) {
			p.moveTo(i)
		}
	}
}

// Resize says how much room there is.
func (p *Stack) Resize(w, h int) {
	if p.resize(w, h); p.c != nil { // notes are as wide as the pane
		p.rebuild()
	}
}

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

// toggle folds and unfolds, or opens what the cursor is on.
func (p *Stack) toggle(a keymap.Action) Effect {
	r := p.rows[p.cursor]
	if f, folds := r.fold(); folds && (a != keymap.Open || r.kind != originRow) {
		p.unfolded[f] = !r.open
		p.rebuild()
		return nil
	}
	switch {
	case r.kind == moreRow:
		p.wantMore = true
	case a != keymap.Open:
	case r.kind == frameRow:
		return Focus{1}
	case r.kind == startedBy:
		return SelectFrame{debugger.FrameRef{Goroutine: r.goroutine, Frame: -1}}
	case r.place.File != "":
		return Visit{r.place.File, r.place.Line}
	}
	return nil
}

func (p *Stack) selected() Effect {
	r := p.rows[p.cursor]
	switch r.kind {
	case moreRow:
		p.wantMore = true
	case frameRow:
		p.at = debugger.FrameRef{Goroutine: p.c.At.Goroutine, Frame: r.frame.Index}
		return SelectFrame{p.at}
	}
	return nil
}

// Click selects a row; a fold it unfolds, and other code it opens.
func (p *Stack) Click(y int) Effect {
	i := p.top + y
	if i >= len(p.rows) {
		return nil
	}
	p.moveTo(i)
	switch p.rows[i].kind {
	case frameRow:
		return p.selected()
	case deferRow, calledRow, startedBy:
		return p.toggle(keymap.Open)
	}
	return p.toggle(keymap.Hunk)
}

// ScrollBy scrolls.
func (p *Stack) ScrollBy(n int) { p.scrollBy(n) }

// Needs asks for the stack, and for more of it once the end was looked at.
func (p *Stack) Needs() []inspect.Need {
	if p.c == nil {
		return nil
	}
	needs := append(p.c.Store.NeedStack(p.c.At.Goroutine), p.c.Store.NeedAround(p.c.At.Goroutine)...)
	if p.unfolded[fold{kind: originRow}] {
		needs = append(needs, p.c.Store.NeedAncestors(p.c.At.Goroutine)...)
	}
	_, to := p.window()
	if p.wantMore || (to == len(p.rows) && to > 0 && p.rows[to-1].kind == moreRow) {
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
	p.bare = p.crowded()
	var out []string
	from, to := p.window()
	for i := from; i < to; i++ {
		out = append(out, p.row(p.c.Theme, p.line(p.rows[i]), i, focused))
	}
	return out
}

// crowded reports whether a function of the user's does not fit whole next to its
// place, or would not among the goroutines: then all are written shorter, in the same way.
func (p *Stack) crowded() bool {
	if shortNames(p.width) {
		return true
	}
	for _, r := range p.rows[:min(len(p.rows), 100)] {
		if r.kind == frameRow && r.frame.User && text.Width(text.Function(r.frame.Function))+1+text.Width(text.Place(r.frame.File, r.frame.Line)) > p.width-2 {
			return true
		}
	}
	return false
}

func (p *Stack) nothing() []string {
	st := p.c.Store.Stack(p.c.At.Goroutine)
	_, held := p.c.CurrentStop()
	switch {
	case st != nil && st.Err != "":
		return empty(p.c, p.width, "The stack could not be read: "+text.Line(st.Err))
	case p.filter != "":
		return empty(p.c, p.width, "No frame matches "+p.filter+".")
	case held && p.c.At.Goroutine != 0:
		return empty(p.c, p.width, "Reading the stack…")
	}
	return empty(p.c, p.width, "The calls of the goroutine that stopped will be here. "+p.c.Keys.Key(keymap.Interrupt)+" halts a running target.")
}
