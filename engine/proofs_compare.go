package engine

import (
	"slices"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// comparedAtFirst is how many candidates have their behavior compared when all proofs
// have ended, the best first.
const comparedAtFirst = 3

// compareNext finds out what the best candidates change, one after the other, once nothing
// else is to be proved.
func (pr *proofs) compareNext(c *openCase) {
	if pr.open != c || c.verifier == nil || c.comparing || c.proving+c.slow > 0 || len(c.unproved) > 0 {
		return
	}
	ranked := session.Rank(pr.State().Stops[pr.State().CaseIndex()].Candidates)
	ranked = ranked[:min(len(ranked), comparedAtFirst)]
	i := slices.IndexFunc(ranked, func(r session.CandidateRecord) bool { return r.Passes() && !c.compared[r.ID] })
	if i < 0 {
		return
	}
	candidate, verifier := ranked[i].Candidate, c.verifier
	c.comparing = true
	c.compared[candidate.ID] = true
	pr.job(func() {
		var behavior verdict.Behavior
		err := contained(func() (err error) {
			behavior, err = verifier.Behavior(c.ctx, candidate)
			return err
		})
		pr.post(func() {
			c.comparing = false
			if pr.open != c {
				return
			}
			if err != nil {
				behavior.Status, behavior.Detail = verdict.Skip, session.Clean(err.Error())
			}
			pr.append(actorEngine, &session.Compared{Candidate: candidate.ID, Behavior: behavior})
			pr.compareNext(c)
		})
	})
}
