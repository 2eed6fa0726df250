package proof

import (
	"cmp"
	"slices"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/verdict"
)

// caution is what the record of the proposer says against a candidate that was
// verified; empty when nothing does. That a model or a person made the same change
// outweighs it. Memory does not: a remembered fix has the record of its first proposer.
func (pr *Proofs) caution(id string, v verdict.Verdict) string {
	stop, ok := pr.State().CurrentStop()
	c, known := pr.State().Candidate(id)
	if !ok || !known || stop.Stop.Panic == nil || pr.Opts.Fixes.Models.Caution == nil || !v.Verified || slices.ContainsFunc(c.Also, patch.Source.Agrees) {
		return ""
	}
	return pr.Opts.Fixes.Models.Caution(string(stop.Stop.Panic.Class), cmp.Or(c.Source.First, c.Source.Model))
}
