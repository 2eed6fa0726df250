package runner

import (
	"testing"

	"github.com/pausetui/pausetui/bench/matrix"
)

func check(name, status string) matrix.Check { return matrix.Check{Name: name, Status: status} }

// An answer that cannot be used, one that does not build, and one that is wrong
// are three different things; a fix that took a failure's output is not one at
// once; what another proposer did is not the model's.
func TestScoresAreCountedApart(t *testing.T) {
	column := matrix.Column{Model: "p/m"}
	passed := []matrix.Check{check("scope", "pass"), check("build", "pass"), check("rerun", "pass"), check("tests", "skip")}
	own := func(change func(*matrix.Candidate)) matrix.Candidate {
		k := matrix.Candidate{By: []string{"p/m"}, Own: true, Round: 1, Checks: passed, Verified: true}
		change(&k)
		return k
	}
	const usable = matrix.OwnUsable | matrix.OwnScope | matrix.OwnBuilds | matrix.OwnReruns | matrix.OwnTests | matrix.OwnVerified
	for what, c := range map[string]struct {
		list []matrix.Candidate
		want matrix.Flags
	}{
		"no answer could be used":   {nil, matrix.NothingProposed | matrix.Calm},
		"only the built-in fixer's": {[]matrix.Candidate{{By: []string{"builtin/rules"}, Right: true, Verified: true, Checks: passed}}, matrix.Right | matrix.RightFirst | matrix.Verified | matrix.ByBuiltin},
		"it does not build": {[]matrix.Candidate{own(func(k *matrix.Candidate) {
			k.Checks, k.Verified = []matrix.Check{check("scope", "pass"), check("build", "fail")}, false
		})}, matrix.OwnUsable | matrix.OwnScope | matrix.Calm},
		"wrong":                     {[]matrix.Candidate{own(func(*matrix.Candidate) {})}, usable | matrix.Verified | matrix.Misleads},
		"right at once":             {[]matrix.Candidate{own(func(k *matrix.Candidate) { k.Right = true })}, usable | matrix.Right | matrix.RightFirst | matrix.OwnFirst | matrix.OwnRight | matrix.OwnRightAtOnce | matrix.Verified},
		"right in the second round": {[]matrix.Candidate{own(func(k *matrix.Candidate) { k.Right, k.Round = true, 2 })}, usable | matrix.Right | matrix.RightFirst | matrix.OwnFirst | matrix.OwnRight | matrix.Verified},
		"it masks":                  {[]matrix.Candidate{own(func(k *matrix.Candidate) { k.Effect = "hides" })}, usable | matrix.OwnMasks | matrix.Verified | matrix.Calm},
	} {
		s := &score{column: column, list: c.list}
		if got := s.result().Flags; got != c.want {
			t.Errorf("%s: %v, want %v", what, got.Names(), c.want.Names())
		}
	}
}
