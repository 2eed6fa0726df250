package patch

import "strings"

// Weight is the number of lines that an edit adds and removes, not counting
// pairs that differ in white space only: gofmt aligns the lines around a new
// one again, which says nothing about the size of a change. A line that only
// moved counts as none.
func Weight(e Edit) int {
	before, after := splitLines(e.Before), splitLines(e.After)
	for len(before) > 0 && len(after) > 0 && before[0] == after[0] {
		before, after = before[1:], after[1:]
	}
	for len(before) > 0 && len(after) > 0 && before[len(before)-1] == after[len(after)-1] {
		before, after = before[:len(before)-1], after[:len(after)-1]
	}
	changed := map[string]int{}
	for _, line := range after {
		changed[strings.Join(strings.Fields(line), "")]++
	}
	for _, line := range before {
		changed[strings.Join(strings.Fields(line), "")]--
	}
	weight := 0
	for _, n := range changed {
		weight += max(n, -n)
	}
	return weight
}
