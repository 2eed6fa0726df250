package pane

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/goroutines"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/text"
)

// Goroutines shows all goroutines, those that are alike as one row, and above
// them the one that is selected.
type Goroutines struct {
	list
	c       *Context
	view    *goroutines.View
	stop    uint64
	at      debugger.GoroutineID
	total   int
	full    int // height with the pinned row and the words about the cursor's row
	moved   bool
	gone    debugger.GoroutineID // that was gone to last, until the cursor moves
	chosen  bool                 // the person chose the grouping at this stop
	visible bool
	labels  int            // cells of the numbers in front of the rows
	places  map[string]int // kinds by their place
	counted [2]int         // what places was made of
}

// NewGoroutines returns the pane.
func NewGoroutines() *Goroutines { return &Goroutines{view: goroutines.NewView()} }

// Title names the pane and says how many there are, and how they are grouped.
func (p *Goroutines) Title() (string, string) {
	if p.total == 0 {
		return "Goroutines", ""
	}
	all := p.c.Store.Goroutines()
	words := text.Count(int64(p.total))
	switch {
	case all.More && all.Err == "" && len(all.All) > 0:
		words = text.Count(int64(len(all.All))) + " of " + words
	case !p.view.Query().Empty():
		words = text.Count(int64(p.view.Shown)) + " of " + words
	}
	if shortNames(p.width) && p.view.Mode == goroutines.ByStack {
		return "Goroutines", words
	}
	return "Goroutines", words + " by " + p.view.Mode.String()
}

// Viewed says how many goroutines are shown, and how they are grouped.
func (p *Goroutines) Viewed() string {
	_, words := p.Title()
	return words
}

// Sync takes in what has happened.
func (p *Goroutines) Sync(c *Context) {
	p.c = c
	g := c.Store.Goroutines()
	stop, held := c.CurrentStop()
	p.total = max(len(g.All), g.Counted)
	if held && p.total > 0 {
		p.total = g.Living(stop.Stop.Goroutines)
	}
	if tag := c.Store.Tag(); tag.Stop != p.stop {
		p.stop = tag.Stop
		p.begin(held && stop.Stop.Panic != nil && stop.Stop.Panic.Class == debugger.Deadlock)
	}
	p.at = c.At.Goroutine
	p.update()
}

// begin shows another stop: at a deadlock, who waits for whom.
func (p *Goroutines) begin(deadlock bool) {
	mode, query := p.view.Mode, p.view.Query()
	if !p.chosen && mode == goroutines.ByWaits {
		mode = goroutines.ByStack
	}
	if deadlock {
		mode = goroutines.ByWaits
	}
	p.view = goroutines.NewView()
	p.view.SetQuery(query)
	p.view.SetMode(mode)
	p.cursor, p.top, p.moved, p.chosen, p.labels = 0, 0, false, false, 0
}

// update takes in goroutines that came; the cursor stays on what it was on.
func (p *Goroutines) update() {
	var on goroutines.Row
	held := p.moved && p.cursor < p.view.Rows()
	if held {
		on = p.view.At(p.cursor)
	}
	p.view.Update(p.c.Store.Goroutines(), p.at)
	p.setCount(p.view.Rows())
	if !held {
		return
	}
	if row, ok := p.view.Find(on); ok && row != p.cursor {
		p.top += row - p.cursor
		p.moveTo(row)
	}
}

// Resize says how much room there is.
func (p *Goroutines) Resize(w, h int) {
	p.visible, p.full = w > 0 && h > 0, h
	p.resize(w, max(h-p.pinned()-p.aboutRows(), min(h, 1)))
}

// Wanted is how many lines show everything there is to see.
func (p *Goroutines) Wanted() int {
	rows := max(p.count, 2)
	if p.c != nil && p.at != 0 && p.c.Store.Goroutines().Index(p.at) >= 0 {
		rows++
	}
	if rows >= 7 { // then there is room for a word on the cursor's row
		rows += 2
	}
	return rows
}

// pinned is the number of rows above the list: the selected goroutine's.
func (p *Goroutines) pinned() int {
	if p.c == nil || p.at == 0 || p.full < 3 || p.c.Store.Goroutines().Index(p.at) < 0 {
		return 0
	}
	return 1
}

// aboutRows is the room below the list for words about the cursor's row.
func (p *Goroutines) aboutRows() int {
	switch {
	case p.full >= 16:
		return 3
	case p.full >= 9:
		return 2
	}
	return 0
}

// SetFilter keeps the goroutines that a query is for, see package goroutines.
func (p *Goroutines) SetFilter(s string) {
	p.view.SetQuery(goroutines.Parse(s))
	p.moved = false
	p.cursor, p.top = 0, 0
	if p.c != nil {
		p.update()
	}
}

// Filter returns the filter.
func (p *Goroutines) Filter() string { return p.view.Query().Text }

// Scope says what can be typed, or what was not understood.
func (p *Goroutines) Scope() string {
	q := p.view.Query()
	switch {
	case q.Note != "":
		return q.Note
	case q.Empty():
		return goroutines.Words
	}
	return text.Plural(int64(p.view.Shown), "goroutine")
}

// Key moves; enter opens a group or selects a goroutine, v groups by something
// else.
func (p *Goroutines) Key(a keymap.Action) (Effect, bool) {
	if a == keymap.View {
		p.view.SetMode(p.view.Mode.Next())
		p.chosen, p.moved, p.cursor, p.top = true, false, 0, 0
		p.update()
		return Say{"goroutines by " + p.view.Mode.String()}, true
	}
	if p.count > 0 {
		switch a {
		case keymap.Open, keymap.Hunk, keymap.Right, keymap.Left:
			return p.choose(a), true
		}
	}
	p.moved, p.gone = true, 0
	return nil, p.move(a)
}

func (p *Goroutines) choose(a keymap.Action) Effect {
	r := p.view.At(p.cursor)
	p.moved = true
	switch {
	case r.Group != nil && r.Group.Kind == nil: // a heading
		return nil
	case r.Member >= 0 && a == keymap.Left && r.Inside:
		p.toggle(r.Group, false)
		if row, ok := p.view.Find(goroutines.Row{Group: r.Group, Member: -1}); ok {
			p.moveTo(row)
		}
		return nil
	case r.Member >= 0 && a == keymap.Left:
		return nil
	case r.Member >= 0:
		return SelectFrame{debugger.FrameRef{Goroutine: p.c.Store.Goroutines().All[r.Member].ID, Frame: -1}}
	}
	p.toggle(r.Group, a == keymap.Right || a != keymap.Left && !p.view.IsOpen(r.Group))
	return nil
}

func (p *Goroutines) toggle(g *goroutines.Group, open bool) {
	p.view.Toggle(g, open)
	p.setCount(p.view.Rows())
}

// Under is the goroutine that the cursor is on, of several alike the first; 0
// for none, where nobody has moved it, or while Sync has not seen the current stop yet.
func (p *Goroutines) Under() debugger.GoroutineID {
	if p.c == nil || p.count == 0 || p.stop != p.c.Store.Tag().Stop {
		return 0
	}
	if p.gone != 0 && p.gone == p.at { // it is above the list
		return p.gone
	}
	if !p.moved {
		return 0
	}
	all := p.c.Store.Goroutines().All
	switch r := p.view.At(p.cursor); {
	case r.Member >= 0:
		return all[r.Member].ID
	case r.Group != nil && len(r.Group.Members) > 0:
		return all[r.Group.Members[0]].ID
	}
	return 0
}

// Reveal brings a goroutine's row into view.
func (p *Goroutines) Reveal(id debugger.GoroutineID) {
	p.gone = id
	if row, ok := p.view.Goroutine(id); ok {
		p.moved = true
		p.moveTo(row)
	}
}

// Click selects a row and opens it.
func (p *Goroutines) Click(y int) Effect {
	y -= p.pinned()
	if y < 0 {
		return SelectFrame{debugger.FrameRef{Goroutine: p.at, Frame: -1}}
	}
	p.gone = 0
	if i := p.top + y; i < p.count && y < p.height {
		p.moveTo(i)
		return p.choose(keymap.Open)
	}
	return nil
}

// ScrollBy scrolls.
func (p *Goroutines) ScrollBy(n int) {
	p.moved = true
	p.scrollBy(n)
}

// Needs asks for page after page while the pane can be seen.
func (p *Goroutines) Needs() []inspect.Need {
	if p.c == nil || !p.visible {
		return nil
	}
	if p.view.Mode == goroutines.ByWaits {
		return p.c.Store.NeedWaits()
	}
	return p.c.Store.NeedGoroutines()
}

// View draws the selected goroutine, the groups, and a word on the cursor's row.
func (p *Goroutines) View(focused bool) []string {
	var out []string
	from, to := p.window()
	p.labels = max(p.labels, leastNarrow) // it only grows, so that nothing jumps
	if !shortNames(p.width) {
		p.labels = max(p.labels, leastLabel)
	}
	if p.pinned() > 0 {
		p.labels = max(p.labels, len(fmt.Sprint(p.at)))
	}
	for i := from; i < to; i++ { // in one column
		if r := p.view.At(i); r.Group != nil && r.Group.Kind != nil && !r.Inside {
			p.labels = max(p.labels, text.Width(p.label(r.Group)))
		}
	}
	if p.pinned() > 0 {
		out = append(out, p.pin())
	}
	if p.count == 0 {
		return append(out, p.nothing()...)
	}
	for i := from; i < to; i++ {
		out = append(out, p.row(p.c.Theme, p.line(p.view.At(i)), i, focused))
	}
	rows := p.aboutRows()
	if rows == 0 || !focused {
		return out
	}
	for len(out) < p.full-rows {
		out = append(out, "")
	}
	for _, l := range text.Wrap(p.about(p.view.At(p.cursor)), p.width, rows) {
		out = append(out, p.c.Theme.Dim.Render(l))
	}
	return out
}

func (p *Goroutines) nothing() []string {
	g := p.c.Store.Goroutines()
	_, held := p.c.CurrentStop()
	switch {
	case g.Err != "":
		return empty(p.c, p.width, "The goroutines could not be read: "+text.Line(g.Err))
	case p.stop == 0, !held && !g.Recorded:
		return empty(p.c, p.width, "All goroutines will be here while the program is stopped.")
	case g.Recorded && p.view.Mode == goroutines.ByWaits:
		return empty(p.c, p.width, "Who waited for whom was not recorded.")
	case g.Recorded && len(g.All) == 0:
		return empty(p.c, p.width, "The goroutines were not recorded.")
	case !p.view.Query().Empty() && len(g.All) > 0 && p.view.Shown == 0:
		hint := ""
		if strings.Contains(p.view.Query().Text, "wait") && !slices.ContainsFunc(p.c.Store.Goroutines().All, func(g inspect.Goroutine) bool { return g.Waited > 0 }) {
			hint = "How long they wait is not known: the runtime notes it at garbage collections, and there was none."
		}
		return empty(p.c, p.width, "No goroutine matches "+text.Line(p.view.Query().Text)+".", hint, goroutines.Words)
	case g.More && p.view.Mode == goroutines.ByWaits:
		return empty(p.c, p.width, fmt.Sprintf("Reading all goroutines, to see who waits for whom: %s so far…", text.Count(int64(len(g.All)))))
	case p.view.Mode == goroutines.ByWaits && g.Waits == nil:
		return empty(p.c, p.width, "Finding out who waits for whom…")
	case p.view.Mode == goroutines.ByWaits && p.c.State.Started.Mode.Kind == session.ModeTrace:
		return empty(p.c, p.width, "A trace does not say who waits for whom.")
	case p.view.Mode == goroutines.ByWaits && !p.view.Query().Empty():
		return empty(p.c, p.width, "None of those that match "+text.Line(p.view.Query().Text)+" waits.")
	case p.view.Mode == goroutines.ByWaits:
		return empty(p.c, p.width, "No goroutine waits.")
	case g.More:
		return empty(p.c, p.width, "Reading the goroutines…")
	case p.pinned() > 0:
		return empty(p.c, p.width, "There are no others.")
	}
	return empty(p.c, p.width, "There are no goroutines.")
}
