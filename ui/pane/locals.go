package pane

import (
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/text"
)

// Locals shows arguments and locals of the selected frame as a tree.
type Locals struct {
	list
	c      *Context
	rows   []localRow
	open   map[string]bool // by function and path within the frame
	fill   []debugger.Variable
	filter string
	frame  debugger.Frame
	known  bool
	seen   debugger.FrameRef
	stop   uint64
	opened string // the bad value whose way was unfolded
	sought bool   // its row has not been brought into view yet
	// revealed is a value that was asked for, in a frame of a stop.
	revealed   string
	revealAt   debugger.FrameRef
	revealStop uint64
}

// localRow is a value, or the row that stands for elements not loaded yet.
type localRow struct {
	v        debugger.Variable
	owner    debugger.Variable // whose children are loaded by a "more" row
	path     string
	depth    int
	align    int   // width of the names in its group
	more     int64 // > 0: so many elements are not loaded
	err      string
	expanded bool
	leaf     bool
}

// NewLocals returns the pane.
func NewLocals() *Locals { return &Locals{open: map[string]bool{}} }

// Title names the pane, and the function when it is not the stop's own.
func (p *Locals) Title() (string, string) {
	if p.known {
		return "Locals", text.Line(text.Function(p.frame.Function))
	}
	return "Locals", ""
}

// Sync takes in what has happened.
func (p *Locals) Sync(c *Context) {
	p.c = c
	p.frame, p.known = c.Store.Frame(c.At)
	if tag := c.Store.Tag(); p.seen != c.At || p.stop != tag.Stop {
		p.seen, p.stop = c.At, tag.Stop
		p.cursor, p.top, p.opened = 0, 0, ""
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
	p.rows = p.rows[:0]
	if p.known {
		var vars []debugger.Variable
		for _, v := range p.frame.Variables() {
			if matches(v.Name+" "+v.Type+" "+v.Value, p.filter) {
				vars = append(vars, v)
			}
		}
		p.add(vars, p.frame.Function, 0)
	}
	p.setCount(len(p.rows))
	p.seek()
}

// seek brings the bad value's row into view, once, as soon as it is there.
func (p *Locals) seek() {
	if !p.sought || p.height == 0 {
		return
	}
	for i, r := range p.rows {
		if p.isBad(r, p.opened) {
			p.sought = false
			p.moveTo(i)
			return
		}
	}
}

// isBad tells whether a row holds the value that the diagnosis names.
func (p *Locals) isBad(r localRow, bad string) bool {
	return bad != "" && (r.v.Expr == bad || strings.TrimPrefix(r.path, p.frame.Function+"/") == strings.ReplaceAll(bad, ".", "/"))
}

func (p *Locals) add(vars []debugger.Variable, path string, depth int) {
	align := 0
	for _, v := range vars {
		align = max(align, text.Width(text.Line(v.Name)))
	}
	align = min(align, 18)
	for _, v := range vars {
		r := localRow{v: v, path: path + "/" + v.Name, depth: depth, align: align, leaf: !v.Expandable()}
		r.expanded = !r.leaf && p.open[r.path]
		p.rows = append(p.rows, r)
		if r.expanded && depth < 60 {
			p.expand(v, r.path, depth+1)
		}
	}
}

// expand adds the children of a value. What a pointer or an interface holds
// takes the place of a child of its own.
func (p *Locals) expand(v debugger.Variable, path string, depth int) {
	for {
		list, more, err := p.c.Store.Children(p.c.At, v)
		if len(list) == 1 && list[0].Name == "" && more == 0 && list[0].Expandable() {
			v = list[0]
			continue
		}
		p.add(list, path, depth)
		if more > 0 || err != "" {
			p.rows = append(p.rows, localRow{owner: v, path: path, depth: depth, more: more, err: err})
			if len(list) == 0 && err == "" {
				p.want(v)
			}
		}
		return
	}
}

// want notes that the next children of a value are to be read.
func (p *Locals) want(v debugger.Variable) {
	if len(p.fill) < 16 {
		p.fill = append(p.fill, v)
	}
}

// Resize says how much room there is.
func (p *Locals) Resize(w, h int) {
	p.resize(w, h)
	p.seek()
}

// SetFilter keeps the variables whose name, type or value holds the text.
func (p *Locals) SetFilter(s string) { p.filter = s; p.rebuild() }

// Filter returns the filter.
func (p *Locals) Filter() string { return p.filter }

// Key moves through the tree.
func (p *Locals) Key(a keymap.Action) (Effect, bool) {
	if len(p.rows) > 0 {
		r := p.rows[p.cursor]
		switch a {
		case keymap.Open, keymap.Hunk:
			p.toggle(r, !r.expanded)
			return nil, true
		case keymap.Right:
			p.toggle(r, true)
			return nil, true
		case keymap.Left:
			p.fold(r)
			return nil, true
		}
	}
	return nil, p.move(a)
}

func (p *Locals) toggle(r localRow, open bool) {
	if r.more > 0 {
		p.want(r.owner)
		return
	}
	if !r.leaf {
		p.open[r.path] = open
		p.rebuild()
	}
}

// fold closes the row, or goes to its parent when it is closed.
func (p *Locals) fold(r localRow) {
	if r.expanded {
		p.toggle(r, false)
		return
	}
	for i := p.cursor; i >= 0; i-- {
		if p.rows[i].depth < r.depth {
			p.moveTo(i)
			return
		}
	}
}

// Click puts the cursor on a row; a second click opens it.
func (p *Locals) Click(y int) Effect {
	if i := p.top + y; i < len(p.rows) {
		again := p.cursor == i
		p.moveTo(i)
		if again || p.rows[i].more > 0 {
			p.toggle(p.rows[i], !p.rows[i].expanded)
		}
	}
	return nil
}

// ScrollBy scrolls.
func (p *Locals) ScrollBy(n int) { p.scrollBy(n) }

// Needs asks for the frame's variables and for what was opened.
func (p *Locals) Needs() []inspect.Need {
	if p.c == nil {
		return nil
	}
	needs := p.c.Store.NeedFrame(p.c.At)
	for _, v := range p.fill {
		needs = append(needs, p.c.Store.NeedChildren(p.c.At, v)...)
	}
	p.fill = p.fill[:0]
	return needs
}

// View draws the tree.
func (p *Locals) View(focused bool) []string {
	if len(p.rows) == 0 {
		return p.nothing()
	}
	var out []string
	bad := p.bad()
	from, to := p.window()
	for i := from; i < to; i++ {
		out = append(out, p.row(p.c.Theme, p.line(p.rows[i], bad), i, focused))
	}
	return out
}

func (p *Locals) nothing() []string {
	switch {
	case p.known && p.frame.Err != "":
		return empty(p.c, p.width, "The variables could not be read: "+text.Line(p.frame.Err))
	case p.known && !p.frame.Loaded:
		return empty(p.c, p.width, "Reading the variables…")
	case p.known && p.filter != "":
		return empty(p.c, p.width, "No variable matches "+p.filter+".")
	case p.known:
		return empty(p.c, p.width, "This function has no arguments and no locals here.")
	}
	return empty(p.c, p.width, "Arguments and locals of the selected frame will be here.")
}

func (p *Locals) line(r localRow, bad string) string {
	t := p.c.Theme
	indent := strings.Repeat("  ", r.depth)
	if r.err != "" && r.more == 0 {
		return indent + "  " + t.Stop.Render(text.Line(r.err))
	}
	if r.more > 0 {
		return indent + "  " + p.moreText(r)
	}
	sign := "  "
	if r.expanded {
		sign = t.Dim.Render("▾ ")
	} else if !r.leaf {
		sign = t.Dim.Render("▸ ")
	}
	name := text.Fit(text.Line(r.v.Name), max(r.align, min(text.Width(text.Line(r.v.Name)), 18)))
	room := max(p.width-2*r.depth-text.Width(name)-4, 4)
	shown := brief(r.v)
	if r.expanded && r.v.Len == 0 {
		shown = "" // its fields follow
	}
	typ := shortType(r.v.Type)
	line := indent + sign + name + "  "
	if p.isBad(r, bad) {
		return text.Sides(line+t.Bad.Render(text.Cut(shown, room))+"  "+t.Faint.Render(typ), t.Bad.Render("◂ bad"), p.width)
	}
	style := t.Value
	if r.v.Unreadable != "" {
		style = t.Warn
	}
	if shown != "" {
		line += style.Render(text.Cut(shown, room)) + "  "
	}
	return line + t.Faint.Render(typ)
}

func (p *Locals) moreText(r localRow) string {
	t := p.c.Theme
	switch {
	case r.err != "":
		return t.Stop.Render(text.Line(r.err)) + t.Dim.Render(" (enter tries again)")
	case p.c.Store.Pending(p.c.At, r.owner):
		return t.Dim.Render("… loading")
	}
	return t.Dim.Render("… " + text.Count(r.more) + " more (enter loads)")
}
