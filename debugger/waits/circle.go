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

// maxCircle bounds the goroutines among which a deadlock is looked for.
const maxCircle = 500

// link is a goroutine in a circle: it holds a lock that the one before it wants.
type link struct {
	debugger.Goroutine
	Holds Holder
}

// Deadlock is goroutines of a stopped program that wait for locks which nobody will unlock.
type Deadlock struct {
	Goroutines []debugger.GoroutineID
	What       string // "goroutines 7 and 8 wait for each other's locks"
	Sentence   string // What, and why
	File       string // where a lock of it was locked; where it is waited for, if Lost
	Line       int
	Lost       bool // no goroutine holds the lock
}

// Find finds goroutines of a stopped program each of which waits for a lock that the next one
// holds, or that wait for one that nobody holds any more; the zero Deadlock where there are none,
// or the inspector cannot tell.
func Find(ctx context.Context, in debugger.Inspector) (Deadlock, error) {
	lister, ok := in.(debugger.WaitLister)
	if !ok {
		return Deadlock{}, nil
	}
	list, err := lister.Waits(ctx)
	if err != nil || len(list) == 0 {
		return Deadlock{}, err
	}
	all, more, err := in.Goroutines(ctx, debugger.Page{Count: maxCircle})
	if err != nil {
		return Deadlock{}, err
	}
	w := waitersFor(list, all)
	links, err := circle(ctx, in, all, w)
	switch {
	case err != nil:
		return Deadlock{}, err
	case len(links) > 0:
		return inCircle(links), nil
	case more:
		return Deadlock{}, nil
	}
	return lost(ctx, in, all, w)
}

// waiters are the goroutines that wait for locks.
type waiters struct {
	parties  []Party
	kindreds []Kindred
	index    map[debugger.GoroutineID]int
	known    map[debugger.GoroutineID]debugger.Goroutine
}

func waitersFor(list []debugger.Wait, all []debugger.Goroutine) waiters {
	w := waiters{index: map[debugger.GoroutineID]int{}, known: map[debugger.GoroutineID]debugger.Goroutine{}}
	for _, g := range all {
		w.known[g.ID] = g
	}
	for _, wait := range list {
		g, ok := w.known[wait.Goroutine]
		on := OfSemaphore(g.WaitReason, wait.Semaphore)
		if !ok || on.Kind != Mutex && on.Kind != RWMutex {
			continue
		}
		w.index[g.ID] = len(w.parties)
		w.parties = append(w.parties, Party{First: g.ID, Count: 1, On: []Object{on}, Reason: g.WaitReason})
		w.kindreds = append(w.kindreds, Kindred{g.ID})
	}
	return w
}

// circle finds goroutines each of which waits for a lock that the next one holds.
func circle(ctx context.Context, in debugger.Inspector, all []debugger.Goroutine, w waiters) ([]link, error) {
	partyOf := func(id debugger.GoroutineID) int {
		if i, ok := w.index[id]; ok {
			return i
		}
		return -1
	}
	facts, err := Read(ctx, in, w.kindreds, nil)
	if err != nil || len(NewGraph(w.parties, facts, partyOf).Cycles) == 0 {
		return nil, err
	}
	// Those that wait for no lock may unlock one for another goroutine.
	facts, err = Read(ctx, in, append(w.kindreds, others(all, w.index)...), nil)
	if err != nil {
		return nil, err
	}
	graph := NewGraph(w.parties, facts, partyOf)
	if len(graph.Cycles) == 0 {
		return nil, nil
	}
	return complete(ctx, in, graph.links(graph.shortest(graph.Cycles[0]), w.known))
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
func complete(ctx context.Context, in debugger.Inspector, circle []link) ([]link, error) {
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
func (g Graph) links(members []int, known map[debugger.GoroutineID]debugger.Goroutine) []link {
	list := make([]link, len(members))
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

// inCircle is what is said of a circle. Its place is where the first one that holds a lock has
// locked it.
func inCircle(circle []link) Deadlock {
	d := Deadlock{Sentence: sentence(circle), File: circle[0].User.File, Line: circle[0].User.Line}
	d.What, _, _ = strings.Cut(d.Sentence, ": ")
	for _, l := range circle {
		d.Goroutines = append(d.Goroutines, l.ID)
	}
	if i := slices.IndexFunc(circle, func(l link) bool { return !l.Holds.Pending }); i >= 0 {
		d.File, d.Line = circle[i].Holds.File, circle[i].Holds.Line
	}
	return d
}

// sentence says who holds what the next one wants: "goroutines 7 and 8 wait for each
// other's locks: transfer has locked from.mu (main.go:22), …".
func sentence(circle []link) string {
	if len(circle) == 1 {
		l := circle[0]
		return fmt.Sprintf("goroutine %d waits for a lock that it holds itself: %s", l.ID, l.place())
	}
	ids := make([]debugger.GoroutineID, len(circle))
	var places []string
	for i, l := range circle {
		ids[i] = l.ID
		if place := l.place(); !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	who := numbers(ids)
	how := "wait for each other's locks"
	if len(ids) > 2 {
		how = "wait in a circle, each for a lock that the next one holds"
	}
	if len(places) == 1 && !circle[0].Holds.Pending {
		h := circle[0].Holds
		return fmt.Sprintf("goroutines %s %s: each has locked %s in %s (%s:%d)", who, how, h.Expr, debugger.ShortFunction(h.Function), filepath.Base(h.File), h.Line)
	}
	return fmt.Sprintf("goroutines %s %s: %s", who, how, strings.Join(places, ", "))
}

// numbers lists several goroutines: "7, 8 and 9".
func numbers(ids []debugger.GoroutineID) string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = fmt.Sprint(id)
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " and " + list[last]
}

// place is what is locked, and where.
func (l link) place() string {
	if l.Holds.Pending {
		return fmt.Sprintf("%s waits to lock %s (%s:%d), before those that read", debugger.ShortFunction(l.User.Function), cmp.Or(l.Holds.Expr, "it"), filepath.Base(l.User.File), l.User.Line)
	}
	return fmt.Sprintf("%s has locked %s (%s:%d)", debugger.ShortFunction(l.Holds.Function), l.Holds.Expr, filepath.Base(l.Holds.File), l.Holds.Line)
}
