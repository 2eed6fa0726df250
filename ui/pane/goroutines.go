package pane

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/text"
)

// shownMembers bounds the rows that an opened group takes.
const shownMembers = 500

// Goroutines shows all goroutines, those that wait alike as one row.
type Goroutines struct {
	list
	c       *Context
	rows    []goroutineRow
	open    map[string]bool
	filter  string
	built   int // version of the store's goroutines that rows were made from
	stop    uint64
	at      debugger.GoroutineID
	total   int
	visible bool
}

type goroutineRow struct {
	group  *inspect.Group
	member debugger.GoroutineID // 0 for the row of a group of several
	inside bool                 // a member below its group's row
	note   string               // instead of a group
}

// NewGoroutines returns the pane.
func NewGoroutines() *Goroutines { return &Goroutines{open: map[string]bool{}, built: -1} }

// Title names the pane and says how many there are.
func (p *Goroutines) Title() (string, string) {
	if p.total > 0 {
		return "Goroutines", text.Count(int64(p.total))
	}
	return "Goroutines", ""
}

// Sync takes in what has happened.
func (p *Goroutines) Sync(c *Context) {
	p.c = c
	g := c.Store.Goroutines()
	stop, held := c.CurrentStop()
	p.total = g.Known
	if held && g.More {
		p.total = max(p.total, stop.Stop.Goroutines)
	}
	tag := c.Store.Tag()
	if tag.Stop == p.stop && g.Version == p.built && c.At.Goroutine == p.at {
		return
	}
	if tag.Stop != p.stop {
		clear(p.open)
		p.cursor, p.top = 0, 0
	}
	p.stop, p.built, p.at = tag.Stop, g.Version, c.At.Goroutine
	p.rebuild()
}

func groupName(g *inspect.Group) string {
	return fmt.Sprintf("%s %s:%d", g.State, g.Function, g.Line)
}

// rebuild orders the groups: the selected goroutine's first, then the user's,
// then the runtime's own.
func (p *Goroutines) rebuild() {
	p.rows = p.rows[:0]
	groups := slices.Clone(p.c.Store.Goroutines().Groups)
	rank := func(g *inspect.Group) int {
		switch {
		case slices.Contains(g.Members[:min(len(g.Members), 1000)], p.at):
			return 0
		case g.System:
			return 2
		}
		return 1
	}
	slices.SortStableFunc(groups, func(a, b *inspect.Group) int { return rank(a) - rank(b) })
	for _, g := range groups {
		if !matches(groupName(g), p.filter) {
			continue
		}
		if len(g.Members) == 1 {
			p.rows = append(p.rows, goroutineRow{group: g, member: g.Members[0]})
			continue
		}
		p.rows = append(p.rows, goroutineRow{group: g})
		if p.open[groupName(g)] {
			p.members(g)
		}
	}
	p.setCount(len(p.rows))
}

func (p *Goroutines) members(g *inspect.Group) {
	for i, id := range g.Members {
		if i == shownMembers {
			p.rows = append(p.rows, goroutineRow{note: "… " + text.Count(int64(len(g.Members)-i)) + " more alike"})
			return
		}
		p.rows = append(p.rows, goroutineRow{group: g, member: id, inside: true})
	}
}

// Resize says how much room there is.
func (p *Goroutines) Resize(w, h int) { p.visible = w > 0 && h > 0; p.resize(w, h) }

// SetFilter keeps the goroutines whose state or place holds the text.
func (p *Goroutines) SetFilter(s string) { p.filter = s; p.rebuild() }

// Filter returns the filter.
func (p *Goroutines) Filter() string { return p.filter }

// Key moves; enter opens a group or selects a goroutine.
func (p *Goroutines) Key(a keymap.Action) (Effect, bool) {
	if len(p.rows) > 0 {
		switch a {
		case keymap.Open, keymap.Hunk, keymap.Right, keymap.Left:
			return p.choose(a), true
		}
	}
	return nil, p.move(a)
}

func (p *Goroutines) choose(a keymap.Action) Effect {
	r := p.rows[p.cursor]
	switch {
	case r.group == nil:
		return nil
	case r.member != 0 && a == keymap.Left && r.inside:
		p.open[groupName(r.group)] = false
		p.rebuild()
		return nil
	case r.member != 0:
		return SelectFrame{debugger.FrameRef{Goroutine: r.member, Frame: -1}}
	}
	p.open[groupName(r.group)] = !p.open[groupName(r.group)]
	p.rebuild()
	return nil
}

// Click selects a row and opens it.
func (p *Goroutines) Click(y int) Effect {
	if i := p.top + y; i < len(p.rows) {
		p.moveTo(i)
		return p.choose(keymap.Open)
	}
	return nil
}

// ScrollBy scrolls.
func (p *Goroutines) ScrollBy(n int) { p.scrollBy(n) }

// Needs asks for page after page while the pane can be seen.
func (p *Goroutines) Needs() []inspect.Need {
	if p.c == nil || !p.visible {
		return nil
	}
	return p.c.Store.NeedGoroutines()
}

// View draws the groups.
func (p *Goroutines) View(focused bool) []string {
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

func (p *Goroutines) nothing() []string {
	g := p.c.Store.Goroutines()
	switch {
	case g.Err != "":
		return empty(p.c, p.width, "The goroutines could not be read: "+text.Line(g.Err))
	case p.filter != "":
		return empty(p.c, p.width, "No goroutine matches "+p.filter+".")
	case p.stop != 0 && g.More:
		return empty(p.c, p.width, "Reading the goroutines…")
	}
	return empty(p.c, p.width, "All goroutines will be here while the target is stopped.")
}

func (p *Goroutines) line(r goroutineRow) string {
	t := p.c.Theme
	if r.group == nil {
		return "    " + t.Faint.Render(r.note)
	}
	g := r.group
	mark := "  "
	if slices.Contains(g.Members[:min(len(g.Members), 1000)], p.at) && (r.member == 0 || r.member == p.at) {
		mark = t.Focus.Render("● ")
	}
	id := fmt.Sprintf("%-4d", r.member)
	if r.member == 0 {
		id = fmt.Sprintf("%-4s", "×"+text.Count(int64(len(g.Members))))
	}
	if r.inside {
		return "    " + mark + id
	}
	where := text.Place(g.File, g.Line)
	state := waiting(g.State)
	style := t.Text
	if g.System {
		style = t.Faint
	}
	room := max(p.width-2-text.Width(id)-1-text.Width(where)-1, 4)
	return text.Sides(mark+style.Render(id+" "+text.Cut(state, room)), t.Dim.Render(where), p.width)
}

// waits shortens the runtime's reasons to wait.
var waits = map[string]string{
	"chan receive": "chan ←", "chan send": "chan →", "chan receive (nil chan)": "nil chan ←", "chan send (nil chan)": "nil chan →",
	"select (no cases)": "select{}", "semacquire": "semaphore", "IO wait": "I/O", "GC worker (idle)": "gc worker",
	"force gc (idle)": "force gc", "finalizer wait": "finalizer", "GC sweep wait": "gc sweep", "GC scavenge wait": "gc scavenge",
}

func waiting(state string) string {
	if short, ok := waits[state]; ok {
		return short
	}
	return strings.TrimPrefix(text.Line(state), "sync.")
}
