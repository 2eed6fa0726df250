package session

import "strings"

// Printed says, for each candidate of a stop whose checks pass, what its run
// printed that the runs of the others did not: the lines from the first on in
// which any two differ. It is nil where they do not differ, and for a candidate
// alone.
func Printed(candidates []CandidateRecord) map[string]string {
	lines := map[string][]string{}
	var first []string
	for _, c := range candidates {
		if c.Passes() && c.Verdict.Ending != nil {
			first = strings.Split(c.Verdict.Printed, "\n")
			lines[c.ID] = first
		}
	}
	same := len(first)
	differ := false
	for _, l := range lines {
		n := 0
		for n < min(same, len(l)) && l[n] == first[n] {
			n++
		}
		differ = differ || n < len(first) || n < len(l)
		same = n
	}
	if !differ {
		return nil
	}
	printed := map[string]string{}
	for id, l := range lines {
		printed[id] = strings.Join(l[min(same, len(l)):], "\n")
	}
	return printed
}
