package behavior

import (
	"cmp"
	"slices"

	"github.com/pausetui/pausetui/verify/behavior/replay"
)

// Apart is the first input on which two new versions answer differently, before and after
// being the two answers: the call that the program stopped in, then those of the run, then
// the smallest. Without one, it has no kind, and same is on how many inputs they agree. Where
// the old version failed, two errors are the same answer.
func Apart(calls []replay.Call, before, again, one, other map[int]replay.Outcome) (d Difference, same int) {
	c := compare(calls, steady(before, again, one), one, other, func(i int) bool {
		return Failed(before[i]) || errorVaries(before[i], again[i])
	})
	if len(c.Differences) == 0 {
		return Difference{}, c.Same
	}
	return slices.MinFunc(c.Differences, func(a, b Difference) int {
		return cmp.Or(atStopFirst(a)-atStopFirst(b), cmp.Compare(a.Call.Away, b.Call.Away), cmp.Compare(a.Call.Size(), b.Call.Size()))
	}), c.Same
}

func atStopFirst(d Difference) int {
	if d.AtStop() {
		return 0
	}
	return 1
}

// steady are the outcomes on inputs on which two runs of the old version agree.
func steady(before, again, outcomes map[int]replay.Outcome) map[int]replay.Outcome {
	kept := map[int]replay.Outcome{}
	for i, o := range outcomes {
		a, ok := before[i]
		if b, twice := again[i]; ok && twice && !varies(a, b) {
			kept[i] = o
		}
	}
	return kept
}

// Kept lists the calls of the run that are answered as before, by their places: the
// smallest first.
func Kept(calls []replay.Call, before, again, now map[int]replay.Outcome) []int {
	var list []int
	for i, o := range steady(before, again, now) {
		if was := before[i]; i >= 0 && i < len(calls) && calls[i].Away == 0 && was.Lost == "" && o.Lost == "" && !Failed(o) && difference(was, o, errorVaries(was, again[i])).Kind == "" {
			list = append(list, i)
		}
	}
	slices.SortFunc(list, func(a, b int) int { return cmp.Or(cmp.Compare(calls[a].Size(), calls[b].Size()), a-b) })
	return list
}
