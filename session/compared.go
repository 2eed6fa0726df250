package session

import (
	"slices"

	"github.com/pausetui/pausetui/verify/verdict"
)

// Compared: the functions that a candidate changes were called before and after it.
type Compared struct {
	Candidate string           `json:"candidate"`
	Behavior  verdict.Behavior `json:"behavior"`
}

// ApartFrom tells a candidate from another one: how it answers differently from the first
// input on which the two differ. It is false where that was not found out.
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

// ApartFromFirst tells each candidate of a ranked list from the first one, by its ID: those
// of which that is known.
func ApartFromFirst(ranked []CandidateRecord) map[string]verdict.Apart {
	found := map[string]verdict.Apart{}
	for i, c := range ranked {
		if a, ok := c.ApartFrom(ranked[0]); ok && i > 0 {
			found[c.ID] = a
		}
	}
	return found
}
