package trace

// Distinct is a crash that a log holds once or several times.
type Distinct struct {
	Trace         // the newest of them
	Times     int // how often it is there
	FirstLine int // in the log, of the oldest
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
