package session

import (
	"cmp"
	"slices"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/verdict"
)

type breakpoint = debugger.Breakpoint

// Record is what was measured of a proposer on a class of stop.
type Record struct {
	Asked int     `json:"asked"` // stops
	Right float64 `json:"right"` // of these; what was verified and never judged counts half
}

// Rank orders candidates, the one that is most likely right first. The features
// decide in this order, the first that differs:
//
//  1. standing: what passes its checks, then what is being proved, then what
//     failed, then what a person rejected;
//  2. effect: verified repairs, unless the record of their proposer is poor; what
//     declines or skips, in one class, since an error for legal input is no better than a
//     guard, and there by the proposer as below, then a repair of the same proposer's, then what
//     is verified or confirmed; what hides;
//  3. tests: more that failed pass, then all pass, then there are none;
//  4. the end of the rerun: a good one, then any other;
//  5. the proposer: a fix that helped at this fault before comes first; between a
//     model and the built-in fixer the better record on the class decides, and
//     without a record the model;
//  6. origin: the statement that failed is unchanged and now runs;
//  7. record, then the proposer's own order;
//  8. size: smaller and in fewer files.
//
// The rest stays in the order it came. The input stays as it is.
func Rank(list []CandidateRecord) []CandidateRecord {
	ranked := slices.Clone(list)
	var fixer *Record
	if i := slices.IndexFunc(ranked, builtIn); i >= 0 {
		fixer = list[i].Record
	}
	weights := map[string]int{} // by id; which takes longer than all the rest
	for _, c := range list {
		weights[c.ID] = weight(c)
	}
	slices.SortStableFunc(ranked, func(a, b CandidateRecord) int {
		return cmp.Or(compareCandidates(a, b, fixer), cmp.Compare(weights[a.ID], weights[b.ID]))
	})
	return ranked
}

func compareCandidates(a, b CandidateRecord, fixer *Record) int {
	return cmp.Or(
		cmp.Compare(standing(a), standing(b)),
		cmp.Compare(effectOrder(a), effectOrder(b)),
		undecidedOrder(a, b, fixer),
		cmp.Compare(testOrder(a), testOrder(b)),
		cmp.Compare(passingNow(b), passingNow(a)),
		cmp.Compare(endOrder(a), endOrder(b)),
		cmp.Compare(proposerOrder(a, fixer), proposerOrder(b, fixer)),
		yesFirst(has(a, verdict.AtOrigin), has(b, verdict.AtOrigin)),
		cmp.Compare(rate(b), rate(a)),
		cmp.Compare(b.Confidence, a.Confidence),
	)
}

// standing is the coarse order, smaller is better.
func standing(c CandidateRecord) int {
	switch {
	case c.Decision == Rejected:
		return 3
	case c.Verdict == nil:
		return 1
	case c.Passes():
		return 0
	}
	return 2
}

func effectOrder(c CandidateRecord) int {
	switch {
	case c.Verdict == nil, c.Verified() && c.Effect() == verdict.Repairs && c.Verdict.Caution == "":
		return 0
	case c.Effect() == verdict.Hides:
		return 2
	}
	return 1
}

// undecidedOrder orders two candidates that decline or skip: what is right there, the
// proposer knows better than a run does, and then what was checked.
func undecidedOrder(a, b CandidateRecord, fixer *Record) int {
	if effectOrder(a) != 1 || effectOrder(b) != 1 {
		return 0
	}
	return cmp.Or(cmp.Compare(proposerOrder(a, fixer), proposerOrder(b, fixer)), yesFirst(repaired(a), repaired(b)), yesFirst(settled(a), settled(b)))
}

// repaired reports whether a candidate is a verified repair; here, of a proposer whose
// fixes were often wrong.
func repaired(c CandidateRecord) bool { return c.Verified() && c.Effect() == verdict.Repairs }

// settled reports whether there is nothing left for a person to decide about what the
// candidate does.
func settled(c CandidateRecord) bool {
	return c.Verified() || c.Verdict != nil && c.Verdict.Confirmed
}

func testOrder(c CandidateRecord) int {
	if c.Verdict == nil {
		return 0
	}
	tests, _ := verdict.Find(c.Verdict.Checks, verdict.Tests)
	switch {
	case c.Verdict.Has(verdict.ByTests):
		return 0
	case tests.Count > 0:
		return 1
	}
	return 2
}

// passingNow is how many tests failed without the candidate and pass with it.
func passingNow(c CandidateRecord) int {
	if c.Verdict == nil {
		return 0
	}
	tests, _ := verdict.Find(c.Verdict.Checks, verdict.Tests)
	return tests.Fixed
}

func endOrder(c CandidateRecord) int {
	if c.Verdict == nil || c.Verdict.EndedWell() {
		return 0
	}
	return 1
}

// proposerOrder puts a model, or a person, before or after the built-in fixer,
// whose fixes fit the form of the code rather than what it is for. All are
// measured against the one record of the fixer, so that of three candidates the
// first does not stand below the last.
func proposerOrder(c CandidateRecord, fixer *Record) int {
	if c.Source.Remembered() {
		return -1
	}
	b := CandidateRecord{Record: fixer}
	b.Source.Provider = patch.BuiltinProvider
	switch {
	case builtIn(c):
		return 1
	case (measured(c) || measured(b)) && rate(c) < rate(b):
		return 2
	}
	return 0
}

func builtIn(c CandidateRecord) bool { return c.Source.Provider == patch.BuiltinProvider }

// enough stops make a record that outweighs the kind of the proposer.
const enough = 5

func measured(c CandidateRecord) bool { return c.Record != nil && c.Record.Asked >= enough }

// rate is the share of stops at which the proposer was right, drawn to what is
// known without a record: one lucky answer is no record.
func rate(c CandidateRecord) float64 {
	prior := 0.6
	if builtIn(c) {
		prior = 0.4
	}
	const weight = 4
	if c.Record == nil {
		return prior
	}
	return (c.Record.Right + weight*prior) / (float64(c.Record.Asked) + weight)
}

func has(c CandidateRecord, kind verdict.EvidenceKind) bool {
	return c.Verdict != nil && c.Verdict.Has(kind)
}

func yesFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// weight is the size of the edit in lines, not counting those that only moved
// or were aligned again; another file weighs as much as ten.
func weight(c CandidateRecord) int {
	lines := 10 * (len(c.Edits) - 1)
	for _, e := range c.Edits {
		lines += patch.Weight(e)
	}
	return lines
}
