package waits

import (
	"cmp"
	"slices"
	"strings"
)

// Line is one line of a graph written as trees: whom others wait for is
// above those who wait.
type Line struct {
	Depth int
	Party int // index; -1 for a heading
	// Edge is why the party is here: whom it waits for. Nil at a root.
	Edge *Edge
	// Cycle counts the parties of a circle: set on its heading, and on its members
	// (then Party is not -1).
	Cycle int
	Last  bool   // of a circle: it closes it
	Lost  Object // of a heading: who has this is not known
	Rest  Rest   // of a heading, above those that no object is drawn for
	Also  int    // how many others the party waits for as well
}

// Rest is why no object is drawn for what goroutines wait for.
type Rest int

// The reasons.
const (
	Drawn   Rest = iota
	Many         // each goroutine has one of its own, and they are too many
	Unknown      // what they wait for is not known, as of a sync.Cond
	Outside      // no goroutine ends the wait: time, input and output, the system
)

// rest is under which heading a party belongs that waits and is drawn nowhere else.
func (p Party) rest() Rest {
	switch {
	case p.Reason == "":
		return Drawn
	case p.Many:
		return Many
	case byOthers(p.Reason):
		return Unknown
	}
	return Outside
}

// Lines writes the graph: circles first, then those who keep most others
// waiting, then what no goroutine is known to have.
func (g Graph) Lines() []Line {
	t := tree{g: g, waiters: make([][]int, len(g.Parties)), drawn: make([]bool, len(g.Parties))}
	for i, edges := range g.Edges {
		if len(edges) > 0 {
			t.waiters[edges[0].To] = append(t.waiters[edges[0].To], i)
		}
	}
	for _, c := range g.Cycles {
		t.cycle(c)
	}
	var roots []int
	for i := range g.Parties {
		if len(g.Edges[i]) == 0 && len(t.waiters[i]) > 0 && !t.drawn[i] {
			roots = append(roots, i)
		}
	}
	slices.SortStableFunc(roots, func(a, b int) int { return cmp.Compare(t.waiting(b, 0), t.waiting(a, 0)) })
	for _, r := range roots {
		t.draw(r, 0, nil)
	}
	t.lost()
	for i := range g.Parties { // what hangs on a party that was drawn elsewhere
		if len(g.Edges[i]) > 0 {
			t.draw(i, 0, &g.Edges[i][0])
		}
	}
	t.unknown()
	return t.lines
}

type tree struct {
	g       Graph
	waiters [][]int // by party: who waits for it first of all
	drawn   []bool
	lines   []Line
}

// waiting counts the goroutines that wait for a party, also for those who do.
func (t *tree) waiting(i, depth int) int {
	n := 0
	if depth > len(t.g.Parties) {
		return 0 // a circle
	}
	for _, b := range t.waiters[i] {
		n += t.g.Parties[b].Count + t.waiting(b, depth+1)
	}
	return n
}

func (t *tree) cycle(members []int) {
	t.lines = append(t.lines, Line{Party: -1, Cycle: len(members)})
	for _, m := range members {
		t.drawn[m] = true
	}
	for i, m := range members {
		edge, _ := t.g.Next(m)
		t.lines = append(t.lines, Line{Depth: 1, Party: m, Edge: &edge, Cycle: len(members), Last: i == len(members)-1, Also: len(t.g.Edges[m]) - 1})
		for _, b := range t.waiters[m] {
			t.draw(b, 2, &t.g.Edges[b][0])
		}
	}
}

func (t *tree) draw(i, depth int, edge *Edge) {
	if t.drawn[i] {
		return
	}
	t.drawn[i] = true
	t.lines = append(t.lines, Line{Depth: depth, Party: i, Edge: edge, Also: max(len(t.g.Edges[i])-1, 0)})
	for _, b := range t.waiters[i] {
		t.draw(b, depth+1, &t.g.Edges[b][0])
	}
}

// unknown draws all others that wait.
func (t *tree) unknown() {
	for _, rest := range []Rest{Many, Unknown, Outside} {
		head := false
		for i, p := range t.g.Parties {
			if t.drawn[i] || p.rest() != rest {
				continue
			}
			if !head {
				head = true
				t.lines = append(t.lines, Line{Party: -1, Rest: rest})
			}
			t.draw(i, 1, nil)
		}
	}
}

// byOthers reports whether a wait ends only by what another goroutine does.
func byOthers(reason string) bool {
	for _, prefix := range []string{"sync.", "chan ", "select", "semacquire", "coroutine", "synctest.", "waiting"} {
		if strings.HasPrefix(reason, prefix) {
			return true
		}
	}
	return false
}

// lost draws what no goroutine is known to have, the most wanted first.
func (t *tree) lost() {
	wanted := map[Object]int{}
	by := map[Object][]int{}
	var order []Object
	for i, p := range t.g.Parties {
		if len(t.g.Edges[i]) > 0 || len(p.On) == 0 || t.drawn[i] {
			continue
		}
		on := p.On[0]
		if by[on] == nil {
			order = append(order, on)
		}
		by[on] = append(by[on], i)
		wanted[on] += p.Count
	}
	slices.SortStableFunc(order, func(a, b Object) int { return cmp.Compare(wanted[b], wanted[a]) })
	for _, on := range order {
		t.lines = append(t.lines, Line{Party: -1, Lost: on})
		for _, i := range by[on] {
			t.draw(i, 1, nil)
		}
	}
}
