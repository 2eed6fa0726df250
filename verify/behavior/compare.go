package behavior

import (
	"cmp"
	"slices"

	"github.com/pausetui/pausetui/verify/behavior/replay"
)

// The kinds of differences.
const (
	Answers = "answers" // it panicked before, or did not return, and answers now
	Changed = "changed" // it answered before, and answers otherwise now
	Panics  = "panics"  // it answered before, and panics now, or does not return
)

// Difference is an input on which two versions differ.
type Difference struct {
	Kind          string
	Call          replay.Call
	Before, After replay.Outcome
}

// Comparison is what came of the calls of two versions.
type Comparison struct {
	Tried   int // inputs that could be compared
	Same    int
	Varying int            // inputs on which two runs of the old version differ
	Lost    map[string]int // how many inputs could not be compared, by reason
	// Differences come in the order in which they tell most: of the run before others, small
	// ones before large ones.
	Differences []Difference
}

// Compare compares the new version with two runs of the old one.
func Compare(calls []replay.Call, before, again, now map[int]replay.Outcome) Comparison {
	c := Comparison{Lost: map[string]int{}}
	for i, call := range calls {
		a, ok := before[i]
		b, twice := again[i]
		n, made := now[i]
		switch {
		case !ok || !twice || !made:
			c.Lost["was not run"]++
		case a.Lost != "" || b.Lost != "" || n.Lost != "":
			c.Lost[cmp.Or(a.Lost, b.Lost, n.Lost)]++
		case !same(a, b):
			c.Varying++
		case same(a, n):
			c.Tried++
			c.Same++
		default:
			c.Tried++
			c.Differences = append(c.Differences, Difference{Kind: kind(a, n), Call: call, Before: a, After: n})
		}
	}
	slices.SortStableFunc(c.Differences, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(a.Call.Away, b.Call.Away), cmp.Compare(a.Call.Size(), b.Call.Size()))
	})
	return c
}

// Failed reports whether a call gave no answer.
func Failed(o replay.Outcome) bool { return o.Panic != "" || o.Ended != "" }

func kind(before, after replay.Outcome) string {
	switch {
	case Failed(before) && !Failed(after):
		return Answers
	case !Failed(before) && Failed(after):
		return Panics
	}
	return Changed
}

// same reports whether two outcomes tell no difference. Two failures are the same: where and
// with which words a function breaks is no answer.
func same(a, b replay.Outcome) bool {
	if Failed(a) && Failed(b) {
		return true
	}
	m := matcher{ids: map[int]int{}}
	return Failed(a) == Failed(b) && a.Output == b.Output && m.all(a.Results, b.Results) && m.all(a.After, b.After)
}

// matcher compares values in which pointers have numbers.
type matcher struct{ ids map[int]int }

func (m matcher) all(a, b []replay.Node) bool {
	return slices.EqualFunc(a, b, m.node)
}

func (m matcher) node(a, b replay.Node) bool {
	if a.Kind != b.Kind || a.Type != b.Type || a.Kind != replay.Func && a.Text != b.Text || (a.ID == 0) != (b.ID == 0) {
		return false
	}
	if a.ID != 0 {
		if was, known := m.ids[a.ID]; known && was != b.ID {
			return false
		}
		m.ids[a.ID] = b.ID
	}
	if a.Kind == replay.Struct && !slices.Equal(a.Names, b.Names) {
		return m.common(a, b)
	}
	return m.all(a.Nodes, b.Nodes)
}

// common compares the fields that both versions of a struct have.
func (m matcher) common(a, b replay.Node) bool {
	for i, name := range a.Names {
		if j := slices.Index(b.Names, name); j >= 0 && !m.node(a.Nodes[i], b.Nodes[j]) {
			return false
		}
	}
	return true
}
