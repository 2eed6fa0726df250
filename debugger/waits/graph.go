package waits

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// Party is goroutines with the same stack that wait for the same things; one
// that waits for nothing known may be a party, too.
type Party struct {
	First  debugger.GoroutineID // represents the others
	Count  int
	On     []Object
	Reason string // the runtime's words: "chan receive"; empty for one that waits for nothing
	Many   bool   // each goroutine waits for a thing of its own, which On leaves out
}

// Edge says that a party waits for another one.
type Edge struct {
	To  int // index of the party
	On  Object
	Via Holder
}

// Graph is who waits for whom.
type Graph struct {
	Parties []Party
	Edges   [][]Edge // by party: whom it waits for, the likeliest first
	Cycles  [][]int  // parties that wait for each other, each in its order
}

// Sure reports whether the other party would end the wait: only it can hold the lock, or its
// function comes to a statement that does. Else it only has the thing in a variable.
func (e Edge) Sure() bool {
	return !e.Via.Doubtful && (e.On.Kind != Channel && e.On.Kind != Group || e.Via.Does != 0)
}

// NewGraph joins parties by what is known of who has what. partyOf is the index
// of the party that a goroutine belongs to; negative when there is none.
func NewGraph(parties []Party, facts Facts, partyOf func(debugger.GoroutineID) int) Graph {
	g := Graph{Parties: parties, Edges: make([][]Edge, len(parties))}
	for i, p := range parties {
		for _, on := range p.On {
			waiting := func(h Holder) bool {
				to := partyOf(h.Goroutine)
				return to >= 0 && slices.ContainsFunc(parties[to].On, func(o Object) bool { return o.Addr == on.Addr })
			}
			for _, h := range append(holders(facts, p, on, waiting), pending(facts, parties, p, on)...) {
				to := partyOf(h.Goroutine)
				if to < 0 || slices.ContainsFunc(g.Edges[i], func(e Edge) bool { return e.To == to && e.On == on }) {
					continue
				}
				if to == i && p.Count > 1 {
					continue // one of many alike
				}
				if (on.Kind == Channel || on.Kind == Group) && slices.Contains(parties[to].On, on) {
					continue // it waits for the same: a sender and a receiver would have met
				}
				g.Edges[i] = append(g.Edges[i], Edge{To: to, On: on, Via: h})
			}
		}
	}
	g.Cycles = cycles(sureOf(g.Edges))
	return g
}

// Next is the wait of a party that leads around its circle, else the likeliest of its waits;
// false where it has none.
func (g Graph) Next(party int) (Edge, bool) {
	edges := g.Edges[party]
	if len(edges) == 0 {
		return Edge{}, false
	}
	for _, c := range g.Cycles {
		if i := slices.Index(c, party); i >= 0 {
			next := c[(i+1)%len(c)]
			return edges[max(slices.IndexFunc(edges, func(e Edge) bool { return e.To == next }), 0)], true
		}
	}
	return edges[0], true
}

// sureOf leaves out the edges that are only possible.
func sureOf(edges [][]Edge) [][]Edge {
	sure := make([][]Edge, len(edges))
	for i, list := range edges {
		for _, e := range list {
			if e.Sure() {
				sure[i] = append(sure[i], e)
			}
		}
	}
	return sure
}

// holders are those who may have to do something for the party to go on; some wait for
// the same.
func holders(facts Facts, p Party, on Object, waits func(Holder) bool) []Holder {
	switch on.Kind {
	case Mutex, RWMutex:
		return keepers(facts, p, on.Addr, waits)
	case Channel, Group:
		var may, will []Holder
		for _, h := range facts.Known[on.Addr] {
			switch {
			case h.Does == 0 && useful(p.Reason, h.Type):
				may = append(may, h)
			case h.Does.ends(p.Reason) && h.Does != 0:
				will = append(will, h)
			}
		}
		if len(will) > 0 {
			return will
		}
		if on.Kind == Channel && strings.HasPrefix(p.Reason, "chan ") && slices.ContainsFunc(facts.Unread, func(h Holder) bool { return h.Goroutine != p.First && h.Does.ends(p.Reason) }) {
			return nil // it may be that one
		}
		return may
	}
	return nil
}

// keepers are those who may hold a lock, the likeliest first. Where another one comes to
// unlock it, or several would hold what only one can, nobody is known to hold it.
func keepers(facts Facts, p Party, addr uint64, waits func(Holder) bool) []Holder {
	held, unlocking := slices.Clone(facts.Held[addr]), slices.Clone(facts.Unlocking[addr])
	unlocking = slices.DeleteFunc(unlocking, func(u Holder) bool {
		return waits(u) || slices.ContainsFunc(held, func(h Holder) bool { return h.Goroutine == u.Goroutine })
	})
	writers := map[debugger.GoroutineID]bool{}
	for _, h := range held {
		if !h.Read {
			writers[h.Goroutine] = true
		}
	}
	var likely, doubtful []Holder
	for _, h := range held {
		known := !h.Doubtful
		h.Doubtful = h.Doubtful || len(unlocking) > 0 || len(writers) > 1 && !h.Read
		switch {
		case h.Doubtful && h.Goroutine == p.First: // it waits for another one, then
		case known:
			likely = append(likely, h)
		default:
			doubtful = append(doubtful, h)
		}
	}
	list := slices.Concat(likely, unlocking, doubtful)
	if p.Reason == "sync.RWMutex.RLock" { // readers do not keep each other out
		list = slices.DeleteFunc(list, func(h Holder) bool { return h.Read })
	}
	return list
}

// pending are the writers that are let in before the party: sync.RWMutex lets no
// reader in once a writer waits, and other writers wait for the mutex that it is
// made of, which that one has.
func pending(facts Facts, parties []Party, p Party, on Object) (list []Holder) {
	if p.Reason != "sync.RWMutex.RLock" && p.Reason != "sync.Mutex.Lock" {
		return nil
	}
	expr := ""
	for _, h := range facts.Held[on.Addr] {
		expr = h.Expr
	}
	for _, w := range parties {
		if w.Reason == "sync.RWMutex.Lock" && slices.Contains(w.On, Object{RWMutex, on.Addr}) {
			list = append(list, Holder{Goroutine: w.First, Frame: -1, Expr: expr, Pending: true})
		}
	}
	return list
}

// useful reports whether a channel of that type can end the wait.
func useful(reason, typ string) bool {
	switch {
	case strings.HasPrefix(reason, "chan receive"):
		return !strings.HasPrefix(typ, "<-chan")
	case strings.HasPrefix(reason, "chan send"):
		return !strings.HasPrefix(typ, "chan<-")
	}
	return true
}

// cycles finds the parties that wait for each other (Tarjan's strongly connected
// components), each set ordered as they wait.
func cycles(edges [][]Edge) [][]int {
	t := tarjan{edges: edges, index: make([]int, len(edges)), low: make([]int, len(edges)), on: make([]bool, len(edges))}
	for v := range edges {
		if t.index[v] == 0 {
			t.visit(v)
		}
	}
	for i, c := range t.found {
		t.found[i] = inOrder(c, edges)
	}
	slices.SortFunc(t.found, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	return t.found
}

type tarjan struct {
	edges      [][]Edge
	index, low []int
	on         []bool
	stack      []int
	next       int
	found      [][]int
}

func (t *tarjan) visit(v int) {
	t.next++
	t.index[v], t.low[v] = t.next, t.next
	t.stack, t.on[v] = append(t.stack, v), true
	loop := false
	for _, e := range t.edges[v] {
		switch {
		case e.To == v:
			loop = true
		case t.index[e.To] == 0:
			t.visit(e.To)
			t.low[v] = min(t.low[v], t.low[e.To])
		case t.on[e.To]:
			t.low[v] = min(t.low[v], t.index[e.To])
		}
	}
	if t.low[v] != t.index[v] {
		return
	}
	at := slices.Index(t.stack, v)
	set := slices.Clone(t.stack[at:])
	t.stack = t.stack[:at]
	for _, w := range set {
		t.on[w] = false
	}
	if len(set) > 1 || loop {
		t.found = append(t.found, set)
	}
}

// inOrder begins with the smallest and goes along who waits for whom, as far as
// that is a path through the set.
func inOrder(set []int, edges [][]Edge) []int {
	slices.Sort(set)
	order := []int{set[0]}
	for v := set[0]; ; {
		next := -1
		for _, e := range edges[v] {
			if slices.Contains(set, e.To) && !slices.Contains(order, e.To) {
				next = e.To
				break
			}
		}
		if next < 0 {
			break
		}
		order = append(order, next)
		v = next
	}
	for _, v := range set { // what the path has left out
		if !slices.Contains(order, v) {
			order = append(order, v)
		}
	}
	return order
}
