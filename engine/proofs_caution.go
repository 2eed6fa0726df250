package engine

import "github.com/pausetui/pausetui/verify/verdict"

// caution is what the record of the proposer says against a candidate that was
// verified; empty when nothing does. That another proposer made the same change outweighs it.
func (pr *proofs) caution(id string, v verdict.Verdict) string {
	stop, ok := pr.State().CurrentStop()
	c, known := pr.State().Candidate(id)
	if !ok || !known || stop.Stop.Panic == nil || pr.opts.Fixes.Models.Caution == nil || !v.Verified || len(c.Also) > 0 {
		return ""
	}
	return pr.opts.Fixes.Models.Caution(string(stop.Stop.Panic.Class), c.Source.Model)
}
