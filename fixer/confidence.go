package fixer

import (
	"sort"

	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/patch"
)

type weighed struct {
	patch.Candidate
	weight  exits.Weight
	grounds string // as in idea
}

// ranked returns the candidates in order of preference, the best few.
func (f fixer) ranked() []patch.Candidate {
	sort.SliceStable(f.found, func(i, j int) bool { return f.found[i].weight < f.found[j].weight })
	list := make([]patch.Candidate, 0, maxCandidates)
	hides := 0
	for _, w := range f.found {
		if w.weight >= exits.Hiding {
			hides++
		}
		if len(list) == maxCandidates || hides > maxHiding {
			break
		}
		list = append(list, f.explained(w))
	}
	return list
}

// explained puts the diagnosis before what the edit does, and after it what in
// the code speaks for the edit.
func (f fixer) explained(w weighed) patch.Candidate {
	c := w.Candidate
	if f.diagnosis.Sentence != "" {
		c.Explanation = syntax.Sentence(f.diagnosis.Sentence) + " " + c.Explanation
	}
	if w.grounds != "" {
		c.Explanation += " " + syntax.Sentence(syntax.Capital(w.grounds))
	}
	return c
}

// maxCandidates bounds how many candidates Propose returns, maxHiding how many
// of them may do nothing but leave.
const (
	maxCandidates = 6
	maxHiding     = 2
)
