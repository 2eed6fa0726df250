package session

// BestCandidate is the candidate that was applied last, or else the first verified
// one of the latest stop that has one; empty without one.
func (s State) BestCandidate() string {
	if n := len(s.Applied); n > 0 {
		return s.Applied[n-1].Candidate
	}
	for i := len(s.Stops) - 1; i >= 0; i-- {
		for _, c := range Rank(s.Stops[i].Candidates) {
			if c.Verified() {
				return c.ID
			}
		}
	}
	return ""
}
