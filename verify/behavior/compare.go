package behavior

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/verify/behavior/replay"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Difference is an input on which two versions differ.
type Difference struct {
	Kind          string // of a row of verdict.Behavior
	Call          replay.Call
	Before, After replay.Outcome
	Deltas        []Delta // where two answers differ, some of the places
}

// AtStop reports whether it is the call that the program stopped in.
func (d Difference) AtStop() bool { return d.Call.Panicked && d.Call.Away == 0 }

// order is where a difference is listed: that of the stop, then what worked before.
func (d Difference) order() int {
	switch {
	case d.AtStop():
		return 0
	case d.Kind == verdict.RowChanged, d.Kind == verdict.RowError, d.Kind == verdict.RowPanics:
		return 1
	}
	return 2
}

// sort is a key that differences of one sort have in common.
func (d Difference) sort() string {
	key := fmt.Sprint(d.Call.Func, d.Kind, d.Before.Ended, d.Before.Panic)
	for _, at := range d.Deltas {
		key += at.Path
	}
	return key
}

// Foremost are the differences that a reader should see first: at most so many, and few of
// one sort.
func Foremost(all []Difference, most int) []Difference {
	const ofOneSort = 2
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b Difference) int { return a.order() - b.order() })
	seen := map[string]int{}
	var list []Difference
	for _, d := range all {
		if seen[d.sort()]++; seen[d.sort()] <= ofOneSort && len(list) < most {
			list = append(list, d)
		}
	}
	return list
}

// Comparison is what came of the calls of two versions.
type Comparison struct {
	Tried   int // inputs that could be compared
	Same    int
	Worked  int            // inputs beside those of the run that were answered before
	Varying int            // inputs on which two runs of the old version differ
	Failing int            // inputs on which both versions fail: where and how is no answer
	Lost    map[string]int // how many inputs could not be compared, by reason
	// Differences on inputs of the run come before others, and small ones before large ones.
	Differences []Difference
}

// Compare compares the new version with two runs of the old one.
func Compare(calls []replay.Call, before, again, now map[int]replay.Outcome) Comparison {
	return compare(calls, before, again, now, func(int) bool { return false })
}

// compare takes two errors for the same answer on the inputs of which anyError is true.
func compare(calls []replay.Call, before, again, now map[int]replay.Outcome, anyError func(input int) bool) Comparison {
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
		case varies(a, b):
			c.Varying++
		case Failed(a) && Failed(n):
			c.Failing++
		default:
			c.Tried++
			if call.Away > 0 && !Failed(a) {
				c.Worked++
			}
			if d := difference(a, n, anyError(i) || errorVaries(a, b)); d.Kind != "" {
				d.Call = call
				c.Differences = append(c.Differences, d)
			} else {
				c.Same++
			}
		}
	}
	slices.SortStableFunc(c.Differences, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(a.Call.Away, b.Call.Away), cmp.Compare(a.Call.Size(), b.Call.Size()))
	})
	return c
}

// Breaks reports whether answers change that were probably right. If none of the run's
// calls of a function failed, the fault may be in it: one of its answers led to the stop,
// and a fix has to change it. And a few of the inputs that only resemble those of the run
// may be ones that it could never get. With kinds, only differences of these count.
func (c Comparison) Breaks(recorded []replay.Call, kinds ...string) bool {
	const few = 20 // of which one may differ
	fails := map[int]bool{}
	for _, call := range recorded {
		fails[call.Func] = fails[call.Func] || call.Panicked
	}
	made := 0
	for _, d := range c.Differences {
		switch {
		case len(kinds) > 0 && !slices.Contains(kinds, d.Kind):
		case d.Kind == verdict.RowAnswers || d.Kind == verdict.RowSupplied:
		case d.Kind != verdict.RowPanics && !fails[d.Call.Func]:
		case d.Call.Away == 0:
			return true
		default:
			made++
		}
	}
	return made*few > c.Worked
}

// unreachable reports whether a call failed for want of a network: the sandbox has none.
func unreachable(o replay.Outcome) bool {
	return slices.ContainsFunc(o.Results, func(n replay.Node) bool {
		return n.Kind == replay.Interface && noNetwork.MatchString(n.Text)
	})
}

var noNetwork = lazyregexp.New(`\bdial (tcp|udp|unix)|lookup \S+( on \S+)?: |network is unreachable`)

// Failed reports whether a call gave no answer.
func Failed(o replay.Outcome) bool { return o.Panic != "" || o.Ended != "" }

// errorVaries reports whether two runs of one version differ in what errors say, and in
// nothing else.
func errorVaries(a, b replay.Outcome) bool { return difference(a, b, false).Kind == verdict.RowError }

// varies reports whether they differ in more than that.
func varies(a, b replay.Outcome) bool { return difference(a, b, true).Kind != "" }

// difference tells two outcomes apart; it has no kind where they are the same. Two failures
// are: where and with which words a function breaks is no answer. So are two errors where
// anyError is set.
func difference(before, after replay.Outcome, anyError bool) Difference {
	d := Difference{Before: before, After: after}
	switch was, is := Failed(before), Failed(after); {
	case was && is:
	case was:
		d.Kind = verdict.RowAnswers
	case is:
		d.Kind = verdict.RowPanics
	default:
		d.Deltas = deltas(before, after, anyError)
		switch same := before.Output == after.Output; {
		case same && len(d.Deltas) == 0:
		case same && supplied(d.Deltas):
			d.Kind = verdict.RowSupplied
		case same && onlyErrors(d.Deltas):
			d.Kind = verdict.RowError
		default:
			d.Kind = verdict.RowChanged
		}
	}
	return d
}

// supplied reports whether all places had nil before, and have something now: no error.
func supplied(places []Delta) bool {
	return len(places) > 0 && !slices.ContainsFunc(places, func(at Delta) bool {
		return at.Before.Kind != replay.Nil || at.After.Kind == replay.Nil || isError(at.After)
	})
}
