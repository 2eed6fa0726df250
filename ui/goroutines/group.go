package goroutines

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/waits"
	"github.com/pausetui/pausetui/ui/inspect"
)

// Mode is what goroutines are grouped by.
type Mode int

// The modes.
const (
	ByStack Mode = iota
	ByState
	ByFunction
	ByWaits // who waits for whom
	modes
)

// String names the mode.
func (m Mode) String() string { return [...]string{"stack", "state", "function", "waits"}[m] }

// Next is the mode after this one.
func (m Mode) Next() Mode { return (m + 1) % modes }

// Group is goroutines that belong together, or, without any, a heading.
type Group struct {
	Key     string
	Kind    *inspect.Kind // of the first
	Members []int32       // indexes into Goroutines.All
	Longest time.Duration // that one of them has waited, at least
	System  bool
	Mixed   bool // of several kinds
	// Line is the place in the graph of waits; nil in other modes.
	Line *waits.Line

	pos int // in the view's order
}

// Size is how many goroutines there are: of a recorded stop some are counted
// and not named.
func (g *Group) Size() int {
	if g.Kind == nil || g.Mixed || len(g.Members) != g.Kind.Count {
		return len(g.Members)
	}
	return len(g.Members) + g.Kind.Beyond
}

// Row is one row of the view.
type Row struct {
	Group  *Group // nil for the row of the runtime's own
	Member int    // index into Goroutines.All; -1 for a group of several or a heading
	Inside bool   // a member below its group
}

// View is the goroutines that a query wants, grouped and in order. The selected
// one has no row of its own: it is shown above them, always. Its rows are
// counted, not made: a group of a hundred thousand costs what a group of one
// does.
type View struct {
	Mode     Mode
	query    Query
	g        *inspect.Goroutines
	match    *matcher
	groups   map[string]*Group
	byKind   []*Group // where a kind belongs to one group
	order    []*Group
	starts   []int // by place in order: its first row; one more for the end
	system   int   // place in order of the first group of the runtime's own
	open     map[string]bool
	taken    int // goroutines that were looked at
	arranged int // … when the groups were put in order last
	stacks   int // of the goroutines, when the groups were made
	waits    *inspect.Waits
	here     debugger.GoroutineID
	Shown    int // goroutines that match
	Hidden   int // of the runtime's own, folded
}

// systemKey opens the runtime's own.
const systemKey = "\x00system"

// crowded is the number of groups up to which they are put in order at each
// page; more wait until there are some more, and above tooMany they stay in the
// order they came in.
const (
	crowded = 3000
	tooMany = 20_000
)

// NewView returns an empty view.
func NewView() *View {
	v := &View{open: map[string]bool{}}
	v.reset()
	return v
}

// Query returns what is shown.
func (v *View) Query() Query { return v.query }

// SetQuery shows others.
func (v *View) SetQuery(q Query) {
	v.query = q
	v.reset()
}

// SetMode groups by something else.
func (v *View) SetMode(m Mode) {
	v.Mode = m
	v.reset()
}

func (v *View) reset() {
	v.g, v.match, v.groups, v.byKind, v.order, v.starts, v.taken, v.arranged, v.Shown = nil, nil, map[string]*Group{}, nil, nil, []int{0}, 0, 0, 0
}

// Update takes in what came since the last one. here is the selected goroutine,
// whose group is first.
func (v *View) Update(g *inspect.Goroutines, here debugger.GoroutineID) {
	if v.g != g || v.waits != g.Waits || v.stacks != g.Stacks && (v.Mode == ByFunction || v.query.Stacks()) || v.taken > len(g.All) {
		v.reset()
	}
	if v.match == nil {
		v.match = newMatcher(v.query, g)
	}
	v.g, v.waits, v.stacks = g, g.Waits, g.Stacks
	for i := v.taken; i < len(g.All); i++ {
		if v.match.match(i) {
			v.add(i)
		}
	}
	v.taken = len(g.All)
	v.pin(here)
	if v.Mode == ByWaits {
		v.chain()
		v.count()
	} else if v.arrange(here) {
		v.count()
	}
}

func (v *View) add(i int) {
	r := v.g.All[i]
	v.Shown++
	for len(v.byKind) <= int(r.Kind) {
		v.byKind = append(v.byKind, nil)
	}
	group := v.byKind[r.Kind]
	k := v.g.Kinds[r.Kind]
	if group == nil || v.Mode == ByWaits {
		if group = v.groupOf(i, k); group == nil {
			return
		}
		v.byKind[r.Kind] = group
	}
	if group.pos < 0 { // new, or pinned so far
		group.pos = 0
		v.order = append(v.order, group)
	}
	group.Members = append(group.Members, int32(i))
	group.Mixed = group.Mixed || group.Kind != k
	group.Longest = max(group.Longest, r.Waited)
}

// groupOf finds or makes the group of a goroutine; nil where it has none.
func (v *View) groupOf(i int, k *inspect.Kind) *Group {
	key := ""
	switch v.Mode {
	case ByStack:
		key = strconv.Itoa(int(v.g.All[i].Kind))
	case ByState:
		key = k.Doing()
	case ByFunction:
		key = k.Place().Function
	case ByWaits:
		if v.waits == nil || v.waits.Of[i] < 0 {
			return nil
		}
		key = strconv.Itoa(int(v.waits.Of[i]))
	}
	if k.System {
		key += systemKey
	}
	if v.groups[key] == nil {
		v.groups[key] = &Group{Key: key, Kind: k, System: k.System, pos: -1}
	}
	return v.groups[key]
}

// arrange puts the groups in order: the selected goroutine's first, those of
// the runtime last. It reports whether it did.
func (v *View) arrange(here debugger.GoroutineID) bool {
	if len(v.order) > crowded && v.g.More && v.taken-v.arranged < v.taken/8 {
		return false // so many groups are not put in order at each page
	}
	v.arranged = v.taken
	if len(v.order) > tooMany {
		v.split()
		return true
	}
	first := ""
	if at := v.g.Index(here); at >= 0 {
		for key, g := range v.groups {
			if _, found := slices.BinarySearch(g.Members, int32(at)); found {
				first = key
				break
			}
		}
	}
	rank := func(g *Group) int {
		switch {
		case g.Key == first:
			return 0
		case g.System:
			return 2
		}
		return 1
	}
	slices.SortStableFunc(v.order, func(a, b *Group) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), v.compare(a, b))
	})
	v.split()
	return true
}

func (v *View) compare(a, b *Group) int {
	switch v.query.Sort {
	case "wait":
		return cmp.Compare(b.Longest, a.Longest)
	case "id":
		return cmp.Compare(v.g.All[a.Members[0]].ID, v.g.All[b.Members[0]].ID)
	case "place":
		p, q := a.Kind.Place(), b.Kind.Place()
		return cmp.Or(strings.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line))
	}
	return cmp.Or(cmp.Compare(len(b.Members), len(a.Members)), cmp.Compare(a.Members[0], b.Members[0]))
}

// split finds where the runtime's own begin.
func (v *View) split() {
	v.order = slices.DeleteFunc(v.order, func(g *Group) bool { g.pos = -1; return v.pinned(g) })
	v.system = len(v.order)
	if i := slices.IndexFunc(v.order, func(g *Group) bool { return g.System }); i >= 0 && !v.asked() {
		user, system := v.order[:0:0], []*Group(nil)
		for _, g := range v.order {
			if g.System {
				system = append(system, g)
			} else {
				user = append(user, g)
			}
		}
		v.system = len(user)
		v.order = append(user, system...)
	}
}

// pin notes which goroutine is selected; the one that was has a row again.
func (v *View) pin(here debugger.GoroutineID) {
	if v.here == here {
		return
	}
	v.here = here
	for _, g := range v.groups {
		if g.pos < 0 && !v.pinned(g) {
			g.pos = 0
			v.order = append(v.order, g)
		}
	}
}

// pinned reports whether a group is the selected goroutine alone.
func (v *View) pinned(g *Group) bool {
	return len(g.Members) == 1 && v.g.All[g.Members[0]].ID == v.here
}

// asked reports whether the query is about the runtime's own: then they are not
// folded.
func (v *View) asked() bool { return strings.Contains(v.query.Text, "system") }

// chain arranges the groups as the graph of waits has them, with its headings.
func (v *View) chain() {
	v.order, v.system = nil, 0
	if v.waits == nil {
		return
	}
	for _, line := range v.waits.Graph.Lines() {
		if line.Party < 0 {
			v.heading(&Group{Key: fmt.Sprintf("heading %d", len(v.order)), Line: &line})
			continue
		}
		if g := v.groups[strconv.Itoa(line.Party)]; g != nil {
			g.Line = &line
			v.order = append(v.order, g)
		}
	}
	v.heading(nil)
	v.system = len(v.order)
}

// heading adds one, or nothing, in place of one that nothing followed.
func (v *View) heading(g *Group) {
	if n := len(v.order) - 1; n >= 0 && v.order[n].Kind == nil {
		v.order = v.order[:n]
	}
	if g != nil {
		v.order = append(v.order, g)
	}
}

// count finds the first row of each group.
func (v *View) count() {
	v.starts = append(v.starts[:0], 0)
	v.Hidden = 0
	row := 0
	for i, g := range v.order {
		if i == v.system {
			row++ // the runtime's own
			v.starts[i] = row
		}
		g.pos = i
		if i >= v.system {
			v.Hidden += len(g.Members)
		}
		if i < v.system || v.open[systemKey] {
			row++
			if v.open[g.Key] && len(g.Members) > 1 {
				row += len(g.Members)
			}
		}
		v.starts = append(v.starts, row)
	}
}

// Rows is how many rows there are.
func (v *View) Rows() int { return v.starts[len(v.starts)-1] }

// At is a row.
func (v *View) At(row int) Row {
	if v.system < len(v.order) && row == v.starts[v.system]-1 {
		return Row{Member: -1}
	}
	i := sort.Search(len(v.order), func(i int) bool { return v.starts[i+1] > row })
	g := v.order[i]
	switch at := row - v.starts[i]; {
	case at > 0:
		return Row{Group: g, Member: int(g.Members[at-1]), Inside: true}
	case len(g.Members) == 1:
		return Row{Group: g, Member: int(g.Members[0])}
	}
	return Row{Group: g, Member: -1}
}

// IsOpen reports whether a group's members are shown; nil is the runtime's
// own.
func (v *View) IsOpen(g *Group) bool { return v.open[key(g)] }

// Toggle opens or closes a group.
func (v *View) Toggle(g *Group, open bool) {
	v.open[key(g)] = open
	v.count()
}

func key(g *Group) string {
	if g == nil {
		return systemKey
	}
	return g.Key
}

// Find is where a row is now that was at some place before others came;
// false when it is not there any more.
func (v *View) Find(r Row) (int, bool) {
	if r.Group == nil {
		return v.starts[v.system] - 1, v.system < len(v.order)
	}
	g := v.groups[r.Group.Key]
	if g == nil || g.pos < 0 || g.pos >= len(v.order) || v.order[g.pos] != g || g.pos >= v.system && !v.open[systemKey] {
		return 0, false
	}
	row := v.starts[g.pos]
	if r.Inside && v.open[g.Key] {
		if at, found := slices.BinarySearch(g.Members, int32(r.Member)); found {
			row += at + 1
		}
	}
	return row, true
}

// Goroutine finds the row that shows a goroutine: its own, or that of its group.
func (v *View) Goroutine(id debugger.GoroutineID) (int, bool) {
	if v.g == nil {
		return 0, false
	}
	at := v.g.Index(id)
	for _, g := range v.order {
		if _, found := slices.BinarySearch(g.Members, int32(at)); found && at >= 0 {
			return v.Find(Row{Group: g, Member: at, Inside: true})
		}
	}
	return 0, false
}
