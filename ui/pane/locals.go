package pane

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/text"
)

// Locals shows arguments and locals of the selected frame as a tree, below
// expressions that were asked to stay in sight. Collections in it are as long as
// they are: only what can be seen of them is read.
type Locals struct {
	list
	c      *Context
	tree   tree
	open   map[string]bool // by function and path within the frame
	views  map[string]view // how values are shown otherwise, likewise
	inside map[string]map[int64]bool
	roots  []Root
	filter string // of the variables
	scope  string // the collection that is searched, by its path
	query  string // what is looked for in it
	begun  bool   // something is being typed, for target
	target string // a collection, by its path; empty: the variables
	land   bool   // the cursor goes to the first hit
	frame  debugger.Frame
	known  bool
	seen   debugger.FrameRef
	ran    string // the function whose variables were shown last
	stop   uint64
	none   bool   // the frame that was read last has no variables
	opened string // the bad value whose way was unfolded
	sought bool   // its row has not been brought into view yet
	// revealed is a value that was asked for, in a frame of a stop.
	revealed   string
	revealAt   debugger.FrameRef
	revealStop uint64
}

// NewLocals returns the pane.
func NewLocals() *Locals {
	return &Locals{open: map[string]bool{}, views: map[string]view{}, inside: map[string]map[int64]bool{}}
}

// Title names the pane, the function, and the collection that fills the pane.
func (p *Locals) Title() (string, string) {
	if !p.known {
		return "Locals", ""
	}
	note := text.Line(text.Function(p.frame.Function))
	if n := p.collectionHere(); n != nil {
		if _, row := p.tree.find(n.path); row < p.top {
			note += " · in " + text.Line(n.v.Name)
		}
	}
	return "Locals", note
}

// Sync takes in what has happened.
func (p *Locals) Sync(c *Context) {
	p.c = c
	p.frame, p.known = c.Store.Frame(c.At)
	if tag := c.Store.Tag(); p.seen != c.At || p.stop != tag.Stop {
		ran := strconv.Itoa(int(c.At.Goroutine)) + p.frame.Function
		if p.ran != ran { // a step within the function keeps the place
			p.cursor, p.top = 0, 0
		}
		p.seen, p.stop, p.ran, p.opened = c.At, tag.Stop, ran, ""
		p.leaveSearch()
		if p.stop != p.revealStop {
			p.revealed = ""
		}
	}
	if p.revealed != "" && p.revealAt != c.At {
		p.revealed = ""
	}
	p.openBad()
	p.rebuild()
}

// Reveal unfolds the way to a value of the selected frame and goes there.
func (p *Locals) Reveal(c *Context, expr string) {
	p.leaveSearch()
	p.revealed, p.revealAt, p.revealStop, p.opened, p.filter = expr, c.At, c.Store.Tag().Stop, "", ""
}

// openBad unfolds the way to the value that the diagnosis names.
func (p *Locals) openBad() {
	expr := p.bad()
	if p.revealed != "" {
		expr = p.revealed
	}
	if expr == p.opened || !p.known {
		return // what was folded by hand stays folded
	}
	p.opened, p.sought = expr, expr != ""
	for i, r := range expr {
		if r == '.' {
			p.open[p.frame.Function+"/"+strings.ReplaceAll(expr[:i], ".", "/")] = true
		}
	}
}

// bad is the expression that the diagnosis names, in the culprit's frame only.
func (p *Locals) bad() string {
	stop, ok := p.c.CurrentStop()
	if !ok || stop.Diagnosis == nil || stop.Stop.Panic == nil ||
		p.c.At != (debugger.FrameRef{Goroutine: stop.Stop.Goroutine, Frame: stop.Stop.Panic.Culprit}) {
		return ""
	}
	return stop.Diagnosis.Expr
}

func (p *Locals) rebuild() {
	p.tree = p.build()
	p.setCount(p.tree.size)
	if p.known && p.frame.Loaded {
		p.none = p.tree.size == 0 && p.filter == "" && noneWords(p.c, p.frame) == ""
	}
	p.seek()
	p.landOnHit()
}

// seek brings the bad value's row into view, once, as soon as it is there.
func (p *Locals) seek() {
	if !p.sought || p.height == 0 {
		return
	}
	for i, r := range p.tree.rows(0, min(p.tree.size, 2000)) {
		if p.isBad(r, p.opened) {
			p.sought = false
			p.moveTo(i)
			return
		}
	}
}

// isBad reports whether a row holds the value that the diagnosis names.
func (p *Locals) isBad(n *node, bad string) bool {
	return bad != "" && (n.v.Expr == bad || strings.TrimPrefix(n.path, p.frame.Function+"/") == strings.ReplaceAll(bad, ".", "/"))
}

// Resize says how much room there is.
func (p *Locals) Resize(w, h int) {
	p.resize(w, h)
	p.seek()
}

// current is the row with the cursor; nil without one.
func (p *Locals) current() *node {
	if p.c == nil {
		return nil
	}
	rows := p.tree.rows(p.cursor, p.cursor+1)
	if len(rows) == 0 {
		return nil
	}
	return rows[0]
}

// Selected is the value that the cursor is on; false where it is none.
func (p *Locals) Selected() (debugger.Variable, bool) {
	n := p.current()
	if n == nil || n.kind != isValue {
		return debugger.Variable{}, false
	}
	return n.v, true
}

// Key moves through the tree.
func (p *Locals) Key(a keymap.Action) (Effect, bool) {
	p.land, p.begun = false, false
	if n := p.current(); n != nil {
		switch a {
		case keymap.Open, keymap.Hunk:
			p.toggle(n, !n.open)
			return nil, true
		case keymap.Right:
			p.toggle(n, true)
			return nil, true
		case keymap.Left:
			p.fold(n)
			return nil, true
		case keymap.View:
			return p.nextView(n), true
		}
	}
	return nil, p.move(a)
}

func (p *Locals) toggle(n *node, open bool) {
	if n.err != "" {
		p.c.Store.Retry(n.frame, n.owner)
		return
	}
	if n.leaf || n.kind != isValue {
		return
	}
	p.open[n.path] = open
	if n.index >= 0 { // of a collection: it knows which of its elements take more rows than one
		of := p.inside[n.parent]
		if of == nil {
			of = map[int64]bool{}
			p.inside[n.parent] = of
		}
		if of[n.index] = open; !open {
			delete(of, n.index)
		}
	}
	p.rebuild()
}

// fold closes the row, or goes to its parent when it is closed.
func (p *Locals) fold(n *node) {
	if n.open {
		p.toggle(n, false)
		return
	}
	if i := p.tree.parentRow(p.cursor); i >= 0 {
		p.moveTo(i)
	}
}

// Click puts the cursor on a row; a second click opens it.
func (p *Locals) Click(y int) Effect {
	if i := p.top + y; i < p.count {
		again := p.cursor == i
		p.moveTo(i)
		if n := p.current(); n != nil && (again || n.err != "") {
			p.toggle(n, !n.open)
		}
	}
	return nil
}

// ScrollBy scrolls.
func (p *Locals) ScrollBy(n int) { p.scrollBy(n) }

// Needs asks for the frame's variables, for what can be seen of collections,
// and for the next portion of a search.
func (p *Locals) Needs() []inspect.Need {
	if p.c == nil {
		return nil
	}
	needs := p.c.Store.NeedFrame(p.c.At)
	needs = append(needs, p.rootNeeds()...)
	from, to := p.window()
	for _, n := range p.tree.rows(max(from-p.height/2, 0), min(to+p.height/2, p.count)) {
		if n.need != nil {
			needs = append(needs, n.need()...)
		}
	}
	return append(needs, p.c.Store.NeedSearch()...)
}

// None reports whether the frame has no variables, and there is nothing else to show or
// to say about it. While another frame is read, it is as it was.
func (p *Locals) None() bool { return p.none }

// View draws the tree.
func (p *Locals) View(focused bool) []string {
	if p.tree.size == 0 {
		return p.nothing()
	}
	var out []string
	bad := p.bad()
	from, to := p.window()
	for i, n := range p.tree.rows(from, to) {
		out = append(out, p.row(p.c.Theme, p.line(n, bad), from+i, focused))
	}
	return out
}

func (p *Locals) nothing() []string {
	switch {
	case !p.known:
		return empty(p.c, p.width, "Arguments and locals of the selected frame will be here.")
	case p.frame.Err == "" && !p.frame.Loaded:
		return empty(p.c, p.width, "Reading the variables…")
	case p.frame.Err == "" && p.filter != "":
		return empty(p.c, p.width, "No variable matches "+p.filter+".")
	}
	return empty(p.c, p.width, cmp.Or(noneWords(p.c, p.frame), "This function has no arguments and no locals here."))
}

// noneWords says why nothing is known of the variables of a frame; empty where there are
// none.
func noneWords(c *Context, f debugger.Frame) string {
	switch {
	case f.Err != "":
		return "The variables could not be read: " + text.Line(f.Err)
	case c.State.Started.Mode.Kind == session.ModeTrace:
		return "A trace holds the arguments of calls as far as they were printed, and no other values."
	case f.Optimized:
		return "This function was optimized: the compiler keeps no receiver, arguments or locals here."
	}
	return ""
}
