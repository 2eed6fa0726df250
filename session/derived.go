package session

import "slices"

// Candidates that a person makes of another, by editing it or by leaving hunks out,
// are versions of one change. The one they were made from stays as it is, and may be
// decided on, but only one version can be in the source.

// AppliedInstead returns the applied candidate of which a candidate is another version;
// empty without one.
func (s State) AppliedInstead(candidate string) string {
	if len(s.Applied) == 0 {
		return ""
	}
	at := s.StopOf(candidate)
	if at < 0 {
		return ""
	}
	list := s.Stops[at].Candidates
	for _, a := range s.Applied {
		if !a.Undone && a.Candidate != candidate && first(list, a.Candidate) == first(list, candidate) {
			return a.Candidate
		}
	}
	return ""
}

// first is the candidate that the versions of one were made from.
func first(list []CandidateRecord, id string) string {
	for range list { // a journal may say that they come from each other
		i := slices.IndexFunc(list, func(c CandidateRecord) bool { return c.ID == id })
		if i < 0 || list[i].Parent == "" {
			break
		}
		id = list[i].Parent
	}
	return id
}
