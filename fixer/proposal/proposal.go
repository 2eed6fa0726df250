// Package proposal collects what is said and offered about one stop: the diagnosis, and the
// candidates, each checked before it is taken.
package proposal

import (
	"sort"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/evidence"
)

// Proposal is what is said and offered about one stop.
type Proposal struct {
	*exits.Finder
	found     []weighed
	seen      map[string]bool
	Dry       bool // only the diagnosis is wanted
	Diagnosis evidence.Diagnosis
	added     string // the end of the diagnosis that gives a reason
	Silence   string // why nothing is proposed, where a rule knows that
}

// New begins a proposal for a stop.
func New(a *analysis.Analysis) *Proposal {
	return &Proposal{Finder: &exits.Finder{Analysis: a}, seen: map[string]bool{}}
}

// Idea is a candidate before it is checked.
type Idea struct {
	Rule   string // what offers it: a kind and a name, which stay, such as "bound/for-bound"
	Title  string
	Why    string // what the edit does, one or two sentences; the diagnosis goes before it
	Weight exits.Weight
	Change *code.Change
	// Grounds is what in the code speaks for the edit, as a clause with its
	// place: "Mean does the same (stats.go:9)". Empty when nothing does.
	Grounds string
}

type weighed struct {
	patch.Candidate
	weight  exits.Weight
	grounds string // as in idea
}

// Offered reports whether there is a candidate.
func (f *Proposal) Offered() bool { return len(f.found) > 0 }

// Ranked returns the candidates in order of preference, the best few.
func (f *Proposal) Ranked() []patch.Candidate {
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
func (f *Proposal) explained(w weighed) patch.Candidate {
	c := w.Candidate
	if f.Diagnosis.Sentence != "" {
		c.Explanation = sentence(f.Diagnosis.Sentence) + " " + c.Explanation
	}
	if w.grounds != "" {
		c.Explanation += " " + sentence(capital(w.grounds))
	}
	return c
}

// maxCandidates bounds how many candidates Propose returns, maxHiding how many
// of them may do nothing but leave.
const (
	maxCandidates = 6
	maxHiding     = 2
)

// Offer adds a candidate if its edits fit, type-check and are new.
func (f *Proposal) Offer(i Idea) bool {
	if f.Dry || i.Change == nil || f.Ctx.Err() != nil {
		return false
	}
	edits, ok := i.Change.Edits()
	if !ok {
		return false
	}
	key := ""
	for _, e := range edits {
		key += e.File + "\x00" + e.After + "\x00"
	}
	if f.seen[key] || !f.typechecks(edits) {
		return false
	}
	f.seen[key] = true
	f.found = append(f.found, weighed{weight: i.Weight, grounds: i.Grounds, Candidate: patch.Candidate{
		Source: patch.Source{Provider: patch.BuiltinProvider, Model: patch.BuiltinModel}, Rule: i.Rule,
		Title: i.Title, Explanation: i.Why, Edits: edits, Confidence: i.Weight.Confidence(),
	}})
	return true
}
