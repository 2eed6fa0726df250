package ask

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/engine/proof"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/verify/verdict"
)

// chain is one line of tries of a profile at a stop: a candidate that fails a
// check goes back to the model with the failing output.
type chain struct {
	profile options.Profile
	why     string        // the profile was chosen
	seed    int           // tells the chains of a profile apart
	round   int           // of the newest try, the first is 1
	base    int           // rounds before a person's rejection began the chain
	tried   []string      // candidates, oldest first
	word    string        // the rejected candidate that began it; empty without one
	draft   *intent.Draft // what a person has looked at and sent; nil without one
}

// goesOn reports whether what fails may go back once more.
func (ch *chain) goesOn(most int) bool { return ch.round-ch.base <= most }

// byHand is the chain that the rejection of a candidate begins: its prompts
// hold what was tried before, and its failures go back as often as those of a
// first try.
func (ch *chain) byHand(rejected string) *chain {
	return &chain{profile: ch.profile, why: ch.why, seed: ch.seed, round: ch.round, base: ch.round, tried: slices.Clone(ch.tried), word: rejected, draft: ch.draft}
}

// try asks the chain's model, for the first time or again.
func (as *Asking) try(c *proof.Case, ch *chain, reason string) {
	if limit, why := as.LimitReached(); limit != "" {
		as.notAsked(ch, limit, why, loop.LimitsHint)
		return
	}
	ch.round++
	as.askModel(c, ch, as.failures(ch, reason))
}

// followUp remembers which chain a candidate came from. Its proof may have
// ended already, where another had proposed the same.
func (as *Asking) followUp(c *proof.Case, ch *chain, id string) {
	if id == "" {
		return
	}
	ch.tried = append(ch.tried, id)
	as.tries[id] = append(as.tries[id], ch)
	as.proposers[id] = append(as.proposers[id], ch)
	if r, ok := as.State().Candidate(id); ok && r.Verdict != nil {
		as.NextRound(c, id)
	}
}

// NextRound sends a candidate that failed a check, or that was rejected before
// it was proposed once more, back to its proposers. One that is only labeled
// has not failed: a person may want it.
func (as *Asking) NextRound(c *proof.Case, id string) {
	as.TellRounds()
	r, ok := as.State().Candidate(id)
	if !ok || Failure(r).Failure == "" {
		return
	}
	chains := as.tries[id]
	delete(as.tries, id)
	for _, ch := range chains {
		if ch.goesOn(as.Opts.Fixes.MaxRounds) {
			as.try(c, ch, "")
		} else if as.Opts.Fixes.MaxRounds > 0 {
			as.notAsked(ch, session.LimitRounds, fmt.Sprintf("%d rounds used", ch.round-ch.base), "--max-rounds allows more")
		}
	}
}

// TryByHand sends a rejected candidate back with the person's reason to each
// profile that proposed it, however many rounds there were.
func (as *Asking) TryByHand(id, reason string) {
	c := as.proofs.Open
	if c == nil || reason == "" || !as.proofs.UnderReview(id) {
		return
	}
	delete(as.tries, id) // should it fail as well, its proposer has heard of it
	asked := map[string]bool{}
	for _, ch := range as.proposers[id] {
		if !asked[ch.profile.Name] {
			asked[ch.profile.Name] = true
			as.try(c, ch.byHand(id), "")
		}
	}
	if len(asked) == 0 && len(as.Opts.Fixes.Profiles) > 0 {
		as.Notice("info", "no model proposed this fix: your reason is sent when a model is asked", "")
	}
}

// failures are the candidates of this stop that failed or were rejected, for
// the next try; those of the chain itself come last, and last of all the
// one that a person rejected: where there are too many, the first are left out.
func (as *Asking) failures(ch *chain, reason string) []evidence.Attempt {
	s := as.State()
	i := s.CaseIndex()
	if i < 0 {
		return nil
	}
	own := map[string]bool{}
	for _, id := range ch.tried {
		own[id] = true
	}
	var others, mine, spoken []evidence.Attempt
	for _, c := range s.Stops[i].Candidates {
		a := Failure(c)
		if a.Failure == "" {
			continue
		}
		switch {
		case c.ID == ch.word:
			spoken = append(spoken, a)
		case own[c.ID]:
			mine = append(mine, a)
		default:
			others = append(others, a)
		}
	}
	list := slices.Concat(others, mine, spoken)
	if reason != "" {
		list = append(list, evidence.Attempt{Title: "the developer's words", Failure: reason, Elsewhere: reason})
	}
	return list
}

// Failure says why a candidate was not good enough; without a Failure when it
// was, or when that is not known yet.
func Failure(c session.CandidateRecord) evidence.Attempt {
	var all, elsewhere []string
	if k := failedCheck(c); k != nil {
		text := fmt.Sprintf("the check %q failed", k.Name)
		all, elsewhere = append(all, text+": "+k.Detail), append(elsewhere, joined(text, k.Elsewhere))
		if k.Output != "" {
			all = append(all, k.Output)
		}
	}
	if c.Decision == session.Rejected && c.Reason != "" {
		text := "rejected by the developer: " + c.Reason
		all, elsewhere = append(all, text), append(elsewhere, text)
	}
	if len(all) == 0 {
		return evidence.Attempt{}
	}
	return evidence.Attempt{Title: c.Title, Diff: c.Diff(), Failure: strings.Join(all, "\n"), Elsewhere: strings.Join(elsewhere, "\n"),
		Remembered: c.Source.Remembered()}
}

func joined(text, more string) string {
	if more == "" {
		return text
	}
	return text + ": " + more
}

// failedCheck is the first check that failed, once all have ended.
func failedCheck(c session.CandidateRecord) *verdict.Check {
	if c.Verdict == nil {
		return nil
	}
	for i := range c.Verdict.Checks {
		if c.Verdict.Checks[i].Status == verdict.Fail {
			return &c.Verdict.Checks[i]
		}
	}
	return nil
}
