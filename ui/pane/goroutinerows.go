package pane

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/waits"
	"github.com/pausetui/pausetui/ui/goroutines"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/text"
)

// pin is the row of the selected goroutine, which is always there.
func (p *Goroutines) pin() string {
	t, g := p.c.Theme, p.c.Store.Goroutines()
	i := g.Index(p.at)
	k := g.Kinds[g.All[i].Kind]
	left := t.Focus.Render("● ") + t.Strong.Render(text.Fit(fmt.Sprint(p.at), p.labels)) + " "
	f := p.innermost(k)
	left += p.state(waiting(k.Doing())+waitedWords(g.All[i].Waited), f, p.width-text.Width(left))
	return text.Sides(text.Cut(left, p.width), t.Dim.Render(p.where(f, p.width-text.Width(left)-1)), p.width)
}

// innermost is where the selected goroutine's user code is: its own stack
// is there before that of its kind.
func (p *Goroutines) innermost(k *inspect.Kind) debugger.Frame {
	if st := p.c.Store.Stack(p.at); st != nil && len(st.Frames) > 0 {
		return debugger.Landing(st.Frames)
	}
	return k.Place()
}

// where names a frame in at most w cells: the file goes first where there is no room,
// then the receiver, then the end of the function.
func (p *Goroutines) where(f debugger.Frame, w int) string {
	place := text.Place(f.File, f.Line)
	if f.Function == "" {
		return text.CutPlace(place, max(w, 1))
	}
	names := spellings(f.Function)
	if shortNames(p.width) {
		names = names[min(1, len(names)-1):]
	}
	line := place[strings.LastIndexByte(place, ':')+1:]
	for _, name := range names {
		for _, at := range []string{place, ":" + line} {
			if text.Width(name)+1+text.Width(at) <= w {
				return name + " " + at
			}
		}
	}
	if room := w - text.Width(line) - 2; room >= minName {
		return text.Cut(names[len(names)-1], room) + " :" + line
	}
	return text.CutPlace(place, max(w, 1))
}

// state cuts what a goroutine does so that the function that it is in, and the line, fit
// into the rest of w cells.
func (p *Goroutines) state(words string, f debugger.Frame, w int) string {
	return text.Cut(words, max(w-p.leastPlace(f)-1, minState))
}

// leastPlace is the room for a function, in its shortest spelling, and the line, in cells.
func (p *Goroutines) leastPlace(f debugger.Frame) int {
	place := text.Place(f.File, f.Line)
	names := spellings(f.Function)
	return text.Width(names[len(names)-1]) + 2 + text.Width(place[strings.LastIndexByte(place, ':')+1:])
}

// minState is the least of what a goroutine does that says something, in cells.
const minState = 8

// leastWait is the least of what a goroutine waits for that says something, in cells.
const leastWait = 12

// minName is the least of a function's name that says something, in cells.
const minName = 4

// waitedWords is how long a goroutine waits, from seconds on.
func waitedWords(d time.Duration) string {
	if d < time.Second {
		return ""
	}
	return " " + coarse(d)
}

// coarse is a duration in its largest unit.
func coarse(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return strconv.Itoa(int(d.Hours())/24) + "d"
	case d >= 2*time.Hour:
		return strconv.Itoa(int(d.Hours())) + "h"
	case d >= 2*time.Minute:
		return strconv.Itoa(int(d.Minutes())) + "m"
	}
	return strconv.Itoa(int(d.Seconds())) + "s"
}

// line draws a row of the list.
func (p *Goroutines) line(r goroutines.Row) string {
	t := p.c.Theme
	switch {
	case r.Group == nil:
		words := "  ⋯ " + text.Count(int64(p.view.Hidden)) + " of the runtime"
		if p.view.IsOpen(nil) {
			words += " ▾"
		}
		return t.Faint.Render(words)
	case r.Group.Kind == nil:
		return p.heading(r.Group.Line)
	case r.Inside:
		return p.member(r)
	case p.view.Mode == goroutines.ByWaits:
		return p.link(r.Group)
	}
	return p.group(r)
}

func (p *Goroutines) group(r goroutines.Row) string {
	t, g := p.c.Theme, r.Group
	style, dim := t.Text, t.Dim
	if g.System {
		style, dim = t.Faint, t.Faint
	}
	left := p.mark(g) + style.Render(text.Fit(p.label(g), p.labels)) + " "
	used := text.Width(left)
	waited := waitedWords(g.Longest)
	if p.view.Mode == goroutines.ByFunction {
		name := cutFunction(g.Kind.Place().Function, max(p.width-used-1, 4))
		rest := p.width - used - text.Width(name) - 2
		return text.Sides(left+style.Render(name), dim.Render(text.Cut(p.doing(g)+waited, max(rest, 0))), p.width)
	}
	state := waiting(g.Kind.Doing()) + waited
	if g.Mixed {
		state = text.Cut(state, max(p.width-used-8, 4))
	} else {
		state = p.state(state, g.Kind.Place(), p.width-used)
	}
	left += style.Render(state)
	room := p.width - text.Width(left) - 1
	if g.Mixed {
		return text.Sides(left, dim.Render(text.Cut("several places", max(room, 0))), p.width)
	}
	return text.Sides(left, dim.Render(p.calls(g.Kind, room)), p.width)
}

// calls names where goroutines of a kind are in at most w cells: with the
// user's calls that lead there if there is room. Where another kind does the
// same in the same place, the call that sets them apart goes first.
func (p *Goroutines) calls(k *inspect.Kind, w int) string {
	var names []string
	outermost := ""
	for _, f := range slices.Backward(k.Frames) {
		if f.User && debugger.WrittenFunction(f.Function) == f.Function { // no glue of the compiler's
			names = append(names, text.Line(text.Function(f.Function)))
			outermost = cmp.Or(outermost, f.Function)
		}
	}
	f := k.Place()
	place := text.Place(f.File, f.Line)
	room := w - text.Width(place) - 1
	if all := strings.Join(names, " → "); len(names) > 1 && text.Width(all) <= room {
		return all + " " + place
	}
	room = w - text.Width(place) - 5
	if len(names) < 2 || room < 6 || p.twins()[placeOf(k)] < 2 {
		return p.where(f, w)
	}
	return cutFunction(outermost, room) + " →… " + place
}

// placeOf is what two kinds may have in common that a row cannot tell apart.
func placeOf(k *inspect.Kind) string {
	f := k.Place()
	return k.Doing() + " " + f.File + " " + strconv.Itoa(f.Line)
}

// maxTwins bounds the kinds that are compared.
const maxTwins = 2000

// twins counts the kinds in each place.
func (p *Goroutines) twins() map[string]int {
	g := p.c.Store.Goroutines()
	if now := [2]int{len(g.Kinds), g.Stacks}; p.places == nil || now != p.counted {
		p.places, p.counted = map[string]int{}, now
		for _, k := range g.Kinds[:min(len(g.Kinds), maxTwins)] {
			p.places[placeOf(k)]++
		}
	}
	return p.places
}

// doing is what the goroutines of a group do, where it is the same.
func (p *Goroutines) doing(g *goroutines.Group) string {
	if g.Mixed {
		return ""
	}
	return waiting(g.Kind.Doing())
}

// mark tells the group of the selected goroutine, and which are open.
func (p *Goroutines) mark(g *goroutines.Group) string {
	t, all := p.c.Theme, p.c.Store.Goroutines()
	i := all.Index(p.at)
	here := false
	if i >= 0 {
		_, here = slices.BinarySearch(g.Members, int32(i))
	}
	switch {
	case here:
		return t.Focus.Render("● ")
	case len(g.Members) > 1 && p.view.IsOpen(g):
		return t.Dim.Render("▾ ")
	case len(g.Members) > 1:
		return t.Dim.Render("▸ ")
	}
	return "  "
}

// label is the number of a goroutine, or how many there are.
func (p *Goroutines) label(g *goroutines.Group) string {
	if g.Size() == 1 {
		return fmt.Sprint(p.c.Store.Goroutines().All[g.Members[0]].ID)
	}
	return "×" + text.Count(int64(g.Size()))
}

// leastLabel is the least room for the numbers in front of the rows, in cells, and
// leastNarrow where names are short.
const (
	leastLabel  = 4
	leastNarrow = 2
)

// member is a goroutine below its group: what sets it apart.
func (p *Goroutines) member(r goroutines.Row) string {
	t, all := p.c.Theme, p.c.Store.Goroutines()
	one := all.All[r.Member]
	mark := "  "
	if one.ID == p.at {
		mark = t.Focus.Render("● ")
	}
	left := "    " + mark + t.Dim.Render("goroutine ") + fmt.Sprintf("%-6d", one.ID) + t.Dim.Render(waitedWords(one.Waited))
	right := labelWords(all.Labels(r.Member))
	if r.Group.Mixed {
		k := all.Kinds[one.Kind]
		right = p.where(k.Place(), p.width-text.Width(left)-1)
	}
	return text.Sides(left, t.Dim.Render(text.Cut(text.Line(right), max(p.width-text.Width(left)-1, 0))), p.width)
}

// labelWords writes labels as they are filtered by.
func labelWords(labels map[string]string) string {
	list := make([]string, 0, len(labels))
	for name, value := range labels {
		list = append(list, name+"="+value)
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// heading is a line of the graph that is no goroutine.
func (p *Goroutines) heading(l *waits.Line) string {
	t := p.c.Theme
	switch {
	case l.Cycle == 1:
		return t.StopStrong.Render(text.Cut("↻ it waits for itself", p.width))
	case l.Cycle > 1:
		return t.StopStrong.Render(text.Cut(fmt.Sprintf("↻ %d wait for each other", l.Cycle), p.width))
	}
	switch l.Rest {
	case waits.Many:
		return t.Warn.Render(text.Cut("? each for something of its own", p.width))
	case waits.Unknown:
		return t.Warn.Render(text.Cut("? for something else", p.width))
	case waits.Outside:
		return t.Dim.Render(text.Cut("⋯ for time, input or output", p.width))
	case waits.Drawn:
	}
	return t.Warn.Render(text.Cut("? "+l.Lost.Kind.String()+fmt.Sprintf(" %#x", l.Lost.Addr), p.width))
}

// link is a party of the graph: whom it waits for, and for what.
func (p *Goroutines) link(g *goroutines.Group) string {
	t, l := p.c.Theme, g.Line
	indent := strings.Repeat("  ", min(max(l.Depth-1, 0), 8))
	if l.Depth > 1 {
		indent += t.Faint.Render("└ ")
	}
	left := indent + p.mark(g) + text.Fit(p.label(g), p.labels) + " "
	words := waiting(g.Kind.Doing()) + waitedWords(g.Longest)
	if l.Edge != nil {
		words = arrow(p.first(l.Edge.To), l.Edge) + " " + objectWords(p.c.Store.Goroutines().Waits.Graph, l.Edge)
	}
	if l.Also > 0 {
		words += fmt.Sprintf(" +%d", l.Also)
	}
	style := t.Text
	if l.Cycle > 0 {
		style = t.Stop
	}
	if l.Last {
		words += " ↺"
	}
	left += style.Render(text.Cut(words, max(p.width-text.Width(left)-p.leastPlace(g.Kind.Place())-1, leastWait)))
	return text.Sides(left, t.Dim.Render(p.where(g.Kind.Place(), p.width-text.Width(left)-1)), p.width)
}

// arrow leads to the goroutine that is waited for. One that only has the thing in a
// variable gets a question mark.
func arrow(to debugger.GoroutineID, e *waits.Edge) string {
	words := "→ " + strconv.FormatInt(int64(to), 10)
	if !e.Sure() {
		words += "?"
	}
	return words
}

// first is the goroutine that a party is named after.
func (p *Goroutines) first(party int) debugger.GoroutineID {
	return p.c.Store.Goroutines().Waits.Graph.Parties[party].First
}

// objectWords names what is waited for as the one who has it names it, and says who
// that is where others give the name to something else.
func objectWords(g waits.Graph, e *waits.Edge) string {
	if e.Via.Expr == "" {
		return e.On.Kind.String()
	}
	words := e.On.Kind.String() + " " + text.Line(e.Via.Expr)
	for _, list := range g.Edges {
		if slices.ContainsFunc(list, func(o waits.Edge) bool { return o.Via.Expr == e.Via.Expr && o.On != e.On }) {
			return fmt.Sprintf("%s of %d", words, e.Via.Goroutine)
		}
	}
	return words
}

// about says in words what the row under the cursor is.
func (p *Goroutines) about(r goroutines.Row) string {
	all := p.c.Store.Goroutines()
	switch {
	case r.Group == nil:
		return "the runtime's own goroutines; enter shows them"
	case r.Group.Kind == nil && r.Group.Line.Cycle > 0:
		return "each waits for something that the next one has: none of them can go on"
	case r.Group.Kind == nil && r.Group.Line.Rest != waits.Drawn:
		return restWords[r.Group.Line.Rest]
	case r.Group.Kind == nil:
		return "what would end this wait is not known: no goroutine that was read is seen to do it"
	}
	k := r.Group.Kind
	if r.Member >= 0 {
		k = all.Kinds[all.All[r.Member].Kind]
	}
	var words []string
	if l := r.Group.Line; l != nil && l.Edge != nil {
		words = append(words, p.edgeWords(l))
	} else {
		words = append(words, k.Doing()+" in "+text.Function(k.Place().Function)+" "+text.Place(k.Place().File, k.Place().Line))
	}
	if r.Member >= 0 {
		for _, c := range all.Channels(r.Member) {
			words = append(words, fmt.Sprintf("chan:%#x", c))
		}
		if l := labelWords(all.Labels(r.Member)); l != "" {
			words = append(words, l)
		}
		if w := all.All[r.Member].Waited; w > 0 {
			words = append(words, "waits at least "+text.Duration(w))
		}
	}
	if k.Beyond > 0 && r.Member < 0 {
		words = append(words, text.Count(int64(k.Count))+" of them were recorded by their numbers")
	}
	if k.GoAt.File != "" && !k.GoAt.Runtime && !r.Group.Mixed {
		words = append(words, "started by "+text.Function(k.GoAt.Function)+" "+text.Place(k.GoAt.File, k.GoAt.Line))
	}
	return text.Line(strings.Join(words, " · "))
}

// restWords say why no object is named above goroutines that wait.
var restWords = map[waits.Rest]string{
	waits.Many:    "each waits for another thing than the others: too many to look for who has them",
	waits.Unknown: "what ends these waits is not known",
	waits.Outside: "no other goroutine ends these waits, but time, input and output, or the system",
}

// edgeWords says who waits for whom, and how it is known.
func (p *Goroutines) edgeWords(l *waits.Line) string {
	h := l.Edge.Via
	place := text.Function(h.Function)
	switch l.Edge.On.Kind {
	case waits.Mutex, waits.RWMutex:
		if h.Pending {
			return fmt.Sprintf("goroutine %d waits to lock %s, and is let in before those here · %s %#x", h.Goroutine, text.Line(cmp.Or(h.Expr, "it")), l.Edge.On.Kind, l.Edge.On.Addr)
		}
		if h.Line == 0 {
			return fmt.Sprintf("goroutine %d comes to unlock it: %s, as %s · %s %#x", h.Goroutine, place, text.Line(h.Expr), l.Edge.On.Kind, l.Edge.On.Addr)
		}
		return fmt.Sprintf("probably held by goroutine %d: %s locked %s in line %d and has not unlocked it · %s %#x",
			h.Goroutine, place, h.Expr, h.Line, l.Edge.On.Kind, l.Edge.On.Addr)
	case waits.Group:
		return fmt.Sprintf("waits for waitgroup %#x: goroutine %d has it, as %s in %s", l.Edge.On.Addr, h.Goroutine, h.Expr, place)
	}
	return fmt.Sprintf("waits on chan %#x: goroutine %d has it, as %s in %s", l.Edge.On.Addr, h.Goroutine, h.Expr, place)
}

// waitWords shortens the runtime's reasons to wait.
var waitWords = map[string]string{
	"chan receive": "chan ←", "chan send": "chan →", "chan receive (nil chan)": "nil chan ←", "chan send (nil chan)": "nil chan →",
	"select (no cases)": "select{}", "semacquire": "semaphore", "IO wait": "I/O", "GC worker (idle)": "gc worker",
	"force gc (idle)": "force gc", "finalizer wait": "finalizer", "GC sweep wait": "gc sweep", "GC scavenge wait": "gc scavenge",
}

func waiting(state string) string {
	if short, ok := waitWords[state]; ok {
		return short
	}
	return strings.TrimPrefix(text.Line(state), "sync.")
}
