package session

import (
	"slices"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Compared: the functions that a candidate changes were called before and after it.
type Compared struct {
	Candidate string           `json:"candidate"`
	Behavior  verdict.Behavior `json:"behavior"`
}

// Asserted: the regression test of a candidate asserts what functions answer, or Why says
// why it does not.
type Asserted struct {
	Candidate string `json:"candidate"`
	// Test is written with the candidate in place of the one of its verdict; nil: that one.
	Test *patch.RegressionTest `json:"test,omitempty"`
	Why  string                `json:"why,omitempty"`
	// Rows are those of its Behavior, from 0, that a person has put into the test.
	Rows []int `json:"rows,omitempty"`
}

// noteErrors has the verdict warn of errors that were probably right and are others now.
func (c *CandidateRecord) noteErrors() {
	if c.Verdict == nil || c.Behavior == nil {
		return
	}
	v := *c.Verdict
	v.OtherErrors = c.Behavior.ErrorsBreak
	c.Verdict = &v
}

// ConfirmTest notes that a person has confirmed what the candidate's test has as new
// answers.
func (c *CandidateRecord) ConfirmTest() {
	if c.Asserts == nil || c.Asserts.Test == nil {
		return
	}
	a, t := *c.Asserts, c.Asserts.Test.Confirmed()
	a.Test = &t
	c.Asserts = &a
}

// ApartFrom is how a candidate differs from another one: the first input on which the two
// answer differently. It is false where that was not found out.
func (c CandidateRecord) ApartFrom(other CandidateRecord) (verdict.Apart, bool) {
	for _, pair := range []struct{ of, from CandidateRecord }{{c, other}, {other, c}} {
		if pair.of.Behavior == nil {
			continue
		}
		i := slices.IndexFunc(pair.of.Behavior.Apart, func(a verdict.Apart) bool { return a.From == pair.from.ID })
		if i < 0 {
			continue
		}
		a := pair.of.Behavior.Apart[i]
		if pair.of.ID != c.ID {
			a.From, a.There, a.Here = other.ID, a.Here, a.There
		}
		return a, true
	}
	return verdict.Apart{}, false
}

// ApartFromFirst is how the candidates of a ranked list differ from the first one, by their
// IDs, as far as that is known.
func ApartFromFirst(ranked []CandidateRecord) map[string]verdict.Apart {
	found := map[string]verdict.Apart{}
	for i, c := range ranked {
		if a, ok := c.ApartFrom(ranked[0]); ok && i > 0 {
			found[c.ID] = a
		}
	}
	return found
}
