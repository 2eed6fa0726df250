package trace

import "cmp"

// Distinct is a crash that a log holds once or several times.
type Distinct struct {
	Trace         // the newest of them
	Times     int // how often it is there
	FirstLine int // in the log, of the oldest
}

// Ending is the index of the newest crash that ended its program, else of the
// newest crash, else of the newest trace. The list is not empty.
func Ending(list []Distinct) int {
	rank := func(d Distinct) int {
		switch {
		case d.Ends():
			return 2
		case d.Died():
			return 1
		}
		return 0
	}
	best := 0
	for i, d := range list {
		if order := cmp.Compare(rank(d), rank(list[best])); order > 0 || order == 0 && d.Line > list[best].Line {
			best = i
		}
	}
	return best
}

// Distinct lists the different crashes of a log in the order in which they
// first happened. Traces that are not kept do not count.
func (l Log) Distinct() []Distinct {
	var list []Distinct
	at := map[string]int{}
	for _, t := range l.Traces {
		id := t.Identity()
		n, known := at[id]
		if !known {
			n = len(list)
			at[id] = n
			list = append(list, Distinct{FirstLine: t.Line})
		}
		d := &list[n]
		d.Trace, d.Times = t, d.Times+1
	}
	return list
}
