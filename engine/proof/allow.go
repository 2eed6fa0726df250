package proof

import (
	"fmt"
	"slices"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Allow lets the proofs of this session do what the sandbox blocks, and proves the
// candidates again that it hindered.
func (pr *Proofs) Allow(what string) {
	switch {
	case !verdict.Allowable(what):
		pr.Refuse(fmt.Errorf("the proofs can be allowed %q, %q, %q, %q with a path or %q with a name, not %q", verdict.AllowNetwork, verdict.AllowFiles, verdict.AllowDirectives,
			verdict.AllowFile, verdict.AllowEnv, what))
		return
	case slices.Contains(pr.State().Allowed, what):
		pr.Notice("info", "the proofs are allowed the "+what+" already", "")
		return
	}
	pr.Append(pr.By(), &session.Allowed{What: what})
	c := pr.Open
	if c == nil || c.Verifier == nil {
		return
	}
	opened, err := verify.New(c.subject, pr.options())
	if err != nil {
		pr.Notice("error", fmt.Sprintf("candidates cannot be proved again: %v", err), advice.Of(err))
		return
	}
	c.Verifier = opened
	pr.verifiers = append(pr.verifiers, opened)
	for _, r := range pr.State().Stops[pr.State().CaseIndex()].Candidates {
		if r.Verdict != nil && r.Decision == "" && hindered(*r.Verdict, pr.State().Allowed) {
			pr.prove(c, r.Candidate)
		}
	}
}

// hindered reports whether a check could not decide because of something that is
// allowed by now.
func hindered(v verdict.Verdict, allowed []string) bool {
	return slices.ContainsFunc(v.Checks, func(k verdict.Check) bool {
		return slices.ContainsFunc(k.Blocked, func(what string) bool { return slices.Contains(allowed, what) })
	})
}

// AllowFromStart records what was allowed on the command line.
func (pr *Proofs) AllowFromStart() {
	for _, what := range pr.Opts.Proofs.Allow {
		if !slices.Contains(pr.State().Allowed, what) {
			pr.Append(pr.Opts.Actor, &session.Allowed{What: what})
		}
	}
}
