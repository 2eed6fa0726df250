package patch

import "strings"

// Weight is the number of lines that an edit adds and removes, not counting
// pairs that differ in white space only: gofmt aligns the lines around a new
// one again, which says nothing about the size of a change.
func Weight(e Edit) int {
	changed := map[string]int{}
	for _, l := range lines(e.Before, e.After) {
		text := strings.Join(strings.Fields(l.Text), "")
		switch l.Op {
		case Add:
			changed[text]++
		case Del:
			changed[text]--
		}
	}
	weight := 0
	for _, n := range changed {
		weight += max(n, -n)
	}
	return weight
}
