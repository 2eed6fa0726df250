package waits

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// maxCircle bounds the goroutines among which a circle is looked for.
const maxCircle = 500

// Link is a goroutine in a circle: it holds a lock that the one before it wants.
type Link struct {
	debugger.Goroutine
	Holds Holder
}

// Circle finds goroutines of a stopped program each of which waits for a lock that the
// next one holds; nil where there are none, or the inspector cannot tell.
func Circle(ctx context.Context, in debugger.Inspector) ([]Link, error) {
	lister, ok := in.(debugger.WaitLister)
	if !ok {
		return nil, nil
	}
	list, err := lister.Waits(ctx)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	all, _, err := in.Goroutines(ctx, debugger.Page{Count: maxCircle})
	if err != nil {
		return nil, err
	}
	known := map[debugger.GoroutineID]debugger.Goroutine{}
	for _, g := range all {
		known[g.ID] = g
	}
	index := map[debugger.GoroutineID]int{}
	var parties []Party
	var kindreds []Kindred
	for _, w := range list {
		g, ok := known[w.Goroutine]
		on := OfSemaphore(g.WaitReason, w.Semaphore)
		if !ok || on.Kind != Mutex && on.Kind != RWMutex {
			continue
		}
		index[g.ID] = len(parties)
		parties = append(parties, Party{First: g.ID, Count: 1, On: []Object{on}, Reason: g.WaitReason})
		kindreds = append(kindreds, Kindred{g.ID})
	}
	partyOf := func(id debugger.GoroutineID) int {
		if i, ok := index[id]; ok {
			return i
		}
		return -1
	}
	facts, err := Read(ctx, in, kindreds, nil)
	if err != nil || len(NewGraph(parties, facts, partyOf).Cycles) == 0 {
		return nil, err
	}
	// Those that wait for no lock may unlock one for another goroutine.
	facts, err = Read(ctx, in, append(kindreds, others(all, index)...), nil)
	if err != nil {
		return nil, err
	}
	graph := NewGraph(parties, facts, partyOf)
	if len(graph.Cycles) == 0 {
		return nil, nil
	}
	return complete(ctx, in, graph.links(graph.shortest(graph.Cycles[0]), known))
}

// others are the user's goroutines without those of an index, by their stacks.
func others(all []debugger.Goroutine, index map[debugger.GoroutineID]int) (list []Kindred) {
	of := map[uint64]int{}
	for _, g := range all {
		if _, waits := index[g.ID]; waits || g.System {
			continue
		}
		i, known := of[g.Signature]
		if !known || g.Signature == 0 {
			i = len(list)
			of[g.Signature] = i
			list = append(list, nil)
		}
		list[i] = append(list[i], g.ID)
	}
	return list
}

// complete says of those that hold nothing yet where they wait.
func complete(ctx context.Context, in debugger.Inspector, circle []Link) ([]Link, error) {
	for i, l := range circle {
		if !l.Holds.Pending {
			continue
		}
		frames, _, err := in.Frames(ctx, l.ID, debugger.Page{Count: maxFrames})
		if err != nil {
			return nil, err
		}
		if at := slices.IndexFunc(frames, func(f debugger.Frame) bool { return f.User }); at >= 0 {
			circle[i].User = frames[at]
		}
	}
	return circle, nil
}

// shortest is the shortest way from the first of some parties, each of which leads to
// all others, back to it.
func (g Graph) shortest(members []int) []int {
	first := members[0]
	from := map[int]int{first: -1}
	for queue := []int{first}; len(queue) > 0; queue = queue[1:] {
		for _, e := range g.Edges[queue[0]] {
			if e.To == first {
				var way []int
				for at := queue[0]; at >= 0; at = from[at] {
					way = append(way, at)
				}
				slices.Reverse(way)
				return way
			}
			if _, seen := from[e.To]; !seen {
				from[e.To] = queue[0]
				queue = append(queue, e.To)
			}
		}
	}
	return members
}

// links are the members of a circle, with what each holds.
func (g Graph) links(members []int, known map[debugger.GoroutineID]debugger.Goroutine) []Link {
	list := make([]Link, len(members))
	for i, m := range members {
		list[i].Goroutine = known[g.Parties[m].First]
		next := (i + 1) % len(members)
		for _, e := range g.Edges[m] {
			if e.To == members[next] {
				list[next].Holds = e.Via
			}
		}
	}
	return list
}

// Place is where the first of a circle that holds a lock has locked it.
func Place(circle []Link) (file string, line int) {
	for _, l := range circle {
		if !l.Holds.Pending {
			return l.Holds.File, l.Holds.Line
		}
	}
	return circle[0].User.File, circle[0].User.Line
}

// Sentence says who holds what the next one wants: "goroutines 7 and 8 wait for each
// other's locks: transfer has locked from.mu (main.go:22), …".
func Sentence(circle []Link) string {
	if len(circle) == 1 {
		l := circle[0]
		return fmt.Sprintf("goroutine %d waits for a lock that it holds itself: %s", l.ID, l.place())
	}
	numbers := make([]string, len(circle))
	var places []string
	for i, l := range circle {
		numbers[i] = fmt.Sprint(l.ID)
		if place := l.place(); !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	last := len(numbers) - 1
	who := strings.Join(numbers[:last], ", ") + " and " + numbers[last]
	how := "wait for each other's locks"
	if last > 1 {
		how = "wait in a circle, each for a lock that the next one holds"
	}
	if len(places) == 1 && !circle[0].Holds.Pending {
		h := circle[0].Holds
		return fmt.Sprintf("goroutines %s %s: each has locked %s in %s (%s:%d)", who, how, h.Expr, debugger.ShortFunction(h.Function), filepath.Base(h.File), h.Line)
	}
	return fmt.Sprintf("goroutines %s %s: %s", who, how, strings.Join(places, ", "))
}

// place is what is locked, and where.
func (l Link) place() string {
	if l.Holds.Pending {
		return fmt.Sprintf("%s waits to lock %s (%s:%d), before those that read", debugger.ShortFunction(l.User.Function), cmp.Or(l.Holds.Expr, "it"), filepath.Base(l.User.File), l.User.Line)
	}
	return fmt.Sprintf("%s has locked %s (%s:%d)", debugger.ShortFunction(l.Holds.Function), l.Holds.Expr, filepath.Base(l.Holds.File), l.Holds.Line)
}
