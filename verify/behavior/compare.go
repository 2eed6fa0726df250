package behavior

import (
	"cmp"
	"fmt"
	"regexp"
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
	Deltas        []Delta // where two answers differ, some of the places
}

// Supplies reports whether the only difference is that the new version gives something
// where the old one gave nil.
func (d Difference) Supplies() bool {
	for _, at := range d.Deltas {
		if at.Before.Kind != replay.Nil || at.After.Kind == replay.Nil {
			return false
		}
	}
	return d.Kind == Changed && len(d.Deltas) > 0 && d.Before.Output == d.After.Output
}

// like tells differences of one sort from others.
func (d Difference) like() string {
	key := fmt.Sprint(d.Call.Func, d.Kind, d.Before.Ended, d.Before.Panic)
	for _, at := range d.Deltas {
		key += at.Path
	}
	return key
}

// Telling are the differences that tell most, at most so many, and few of one sort.
func Telling(all []Difference, most int) []Difference {
	const ofOneSort = 2
	seen := map[string]int{}
	var list []Difference
	for _, d := range all {
		if seen[d.like()]++; seen[d.like()] <= ofOneSort && len(list) < most {
			list = append(list, d)
		}
	}
	return list
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
		case unreachable(a) || unreachable(n):
			c.Lost["calls the network"]++
		case !same(a, b):
			c.Varying++
		case same(a, n):
			c.Tried++
			c.Same++
		default:
			c.Tried++
			d := Difference{Kind: kind(a, n), Call: call, Before: a, After: n}
			if d.Kind == Changed {
				d.Deltas = deltas(a, n)
			}
			c.Differences = append(c.Differences, d)
		}
	}
	slices.SortStableFunc(c.Differences, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(a.Call.Away, b.Call.Away), cmp.Compare(a.Call.Size(), b.Call.Size()))
	})
	return c
}

// unreachable reports whether a call met that there is no network where it was made.
func unreachable(o replay.Outcome) bool {
	return slices.ContainsFunc(o.Results, func(n replay.Node) bool {
		return n.Kind == replay.Interface && noNetwork.MatchString(n.Text)
	})
}

var noNetwork = regexp.MustCompile(`\bdial (tcp|udp|unix)|lookup \S+( on \S+)?: |network is unreachable`)

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
	return Failed(a) == Failed(b) && a.Output == b.Output && len(deltas(a, b)) == 0
}
