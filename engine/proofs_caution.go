package engine

import (
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// caution is what the record of the proposer says against a candidate that was
// proved; empty when nothing does.
func (pr *proofs) caution(id string, v verdict.Verdict) string {
	stop, ok := pr.State().CurrentStop()
	c, known := pr.State().Candidate(id)
	if !ok || !known || stop.Stop.Panic == nil || pr.opts.Models.Caution == nil || !recordCounts(c, v) {
		return ""
	}
	return pr.opts.Models.Caution(string(stop.Stop.Panic.Class), c.Source.Model)
}

// recordCounts reports whether the record of the proposer may speak against a
// candidate: it is verified, no failing test passes with it, and no one else
// proposed the same.
func recordCounts(c session.CandidateRecord, v verdict.Verdict) bool {
	return v.Verified && !v.Has(verdict.ByTests) && len(c.Also) == 0
}
