package session

import (
	"cmp"
	"slices"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/proof"
)

type breakpoint = debugger.Breakpoint

// Rank orders candidates: verified first, masking below fixes at the origin,
// then what makes more tests pass that failed before, what its proposer is more confident of, then smaller and more local
// edits, then the order they came in. Rejected ones come last. The result is a
// permutation; the input stays as it is.
func Rank(list []CandidateRecord) []CandidateRecord {
	ranked := slices.Clone(list)
	slices.SortStableFunc(ranked, func(a, b CandidateRecord) int {
		if d := cmp.Compare(tier(a), tier(b)); d != 0 {
			return d
		}
		if d := cmp.Compare(mended(b), mended(a)); d != 0 {
			return d
		}
		if d := cmp.Compare(b.Confidence, a.Confidence); d != 0 {
			return d
		}
		return cmp.Compare(weight(a), weight(b))
	})
	return ranked
}

// tier is the coarse order, smaller is better.
func tier(c CandidateRecord) int {
	switch {
	case c.Decision == Rejected:
		return 5
	case c.Verified() && !c.HidesSymptom():
		return 0
	case c.Verified():
		return 1
	case c.Verdict == nil && !c.HidesSymptom():
		return 2
	case c.Verdict == nil:
		return 3
	default:
		return 4
	}
}

// mended is how many failing tests a candidate makes pass.
func mended(c CandidateRecord) int {
	if c.Verdict == nil {
		return 0
	}
	tests, _ := proof.Find(c.Verdict.Checks, proof.Tests)
	return tests.Mended
}

// weight is the size of the edit in lines, not counting those that only moved
// or were aligned anew; another file weighs as much as ten.
func weight(c CandidateRecord) int {
	lines := 10 * (len(c.Edits) - 1)
	for _, e := range c.Edits {
		lines += patch.Weight(e)
	}
	return lines
}
