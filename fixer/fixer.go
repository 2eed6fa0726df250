// Package fixer is the offline fixer: it reads the paused state and the
// syntax and types of the user's code, says which value is bad and where it
// came from, and proposes edits, at the origin before guards at the symptom.
//
// It is rules over general facts (definitions, values, bounds, callers), one
// file a class of crash. It knows nothing of models, checks or screens, and it
// never writes: candidates are values.
package fixer

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/evidence"
)

// Propose explains the stop and returns candidate fixes, the preferred first.
// A class without rules has no candidates and is no error; the error is that
// of the context. Candidates have no ID.
func Propose(ctx context.Context, c evidence.Case) (evidence.Diagnosis, []patch.Candidate, error) {
	if first, ok := raisedFirst(c); ok {
		d, list, err := Propose(ctx, first)
		fr := first.Stop.Frames[first.Stop.Panic.Culprit]
		d.Expr, d.Value = "", "" // of a frame that is gone
		d.Sentence = strings.TrimSpace(fmt.Sprintf("%s (raised first%s, then caught and raised again)", d.Sentence, whereIn(fr, filepath.Base(fr.File))))
		return d, list, err
	}
	f, ok := newFixer(ctx, c)
	if !ok {
		return describeOnly(c), nil, ctx.Err()
	}
	f.run()
	if err := ctx.Err(); err != nil {
		return f.diagnosis, nil, err
	}
	list := f.ranked()
	if len(list) == 0 {
		f.diagnosis.Unfixable = f.unfixable()
	}
	return f.diagnosis, list, nil
}

// fixer explains one stop, and ranks what the rules offer.
type fixer struct{ *proposal }

// proposal is what is said and offered about one stop.
type proposal struct {
	*exits.Finder
	found     []weighed
	seen      map[string]bool
	dry       bool // only the diagnosis is wanted
	diagnosis evidence.Diagnosis
	added     string // the end of the diagnosis that gives a reason
	silence   string // why nothing is proposed, where a rule knows that
}

// raisedFirst is the case at the place where a panic was raised that was caught
// and raised again since. Nothing is known of its values: its functions have
// returned.
func raisedFirst(c evidence.Case) (evidence.Case, bool) {
	if c.Stop.Panic == nil || len(c.Stop.Panic.Raised) == 0 {
		return c, false
	}
	p := *c.Stop.Panic
	c.Stop.Frames, p.Raised, p.Chain = p.Raised, nil, nil
	if p.Culprit = debugger.Culprit(c.Stop.Frames, []debugger.Panic{p}, func(f debugger.Frame) bool { return f.User }); p.Culprit < 0 {
		return c, false
	}
	c.Stop.Panic, c.Inspect = &p, nil
	return c, true
}

func newFixer(ctx context.Context, c evidence.Case) (fixer, bool) {
	if c.Stop.Panic == nil || c.Code == nil {
		return fixer{}, false
	}
	blamed := debugger.Blamed(c.Stop.Frames, *c.Stop.Panic)
	a := analysis.New(ctx, c, blamed, map[string]string{})
	f := fixer{&proposal{Finder: &exits.Finder{Analysis: a}, seen: map[string]bool{}}}
	if f.At < 0 || f.At >= len(c.Stop.Frames) {
		return fixer{}, false
	}
	f.Frame = c.Stop.Frames[f.At]
	home, ok := f.FunctionAt(f.Frame)
	if !ok {
		return fixer{}, false
	}
	f.Home = home
	return f, true
}

func (f fixer) run() {
	f.applyRules()
	if f.diagnosis.Sentence == "" && !f.explainOutside() {
		f.diagnosis = describeOnly(f.Case)
	}
	f.settle()
}

// rules say and offer something about the stops of their class.
var rules = map[debugger.Class]func(*proposal){
	debugger.NilMapWrite:       nilMapWrite,
	debugger.NilDereference:    nilDereference,
	debugger.IndexOutOfRange:   indexOutOfRange,
	debugger.SliceBounds:       sliceBounds,
	debugger.DivideByZero:      divideByZero,
	debugger.TypeAssertion:     typeAssertion,
	debugger.ClosedChannel:     closedChannel,
	debugger.NegativeWaitGroup: negativeWaitGroup,
	debugger.NegativeSize:      negativeSize,
	debugger.UnlockUnlocked:    unlockUnlocked,

	debugger.Deadlock:      deadlocked,
	debugger.ConcurrentMap: concurrentMap,
	debugger.StackOverflow: stackOverflow,
	debugger.Reflect:       reflectMisuse,

	debugger.UnhashableKey:     givenUp,
	debugger.Uncomparable:      givenUp,
	debugger.IteratorContinued: givenUp,

	debugger.Custom:      givenUp,
	debugger.CustomError: givenUp,
}

// applyRules runs the rules of the stop's class.
func (f fixer) applyRules() {
	if rule, ok := rules[f.Panic.Class]; ok {
		rule(f.proposal)
		f.checkedLate()
	}
}

// idea is a candidate before it is checked.
type idea struct {
	rule   string // what offers it: a kind and a name, which stay, such as "bound/for-bound"
	title  string
	why    string // what the edit does, one or two sentences; the diagnosis goes before it
	weight exits.Weight
	change *code.Change
	// grounds is what in the code speaks for the edit, as a clause with its
	// place: "Mean does the same (stats.go:9)". Empty when nothing does.
	grounds string
}

// offer adds a candidate if its edits fit, type-check and are new.
func (f *proposal) offer(i idea) bool {
	if f.dry || i.change == nil || f.Ctx.Err() != nil {
		return false
	}
	edits, ok := i.change.Edits()
	if !ok {
		return false
	}
	key := ""
	for _, e := range edits {
		key += e.File + "\x00" + e.After + "\x00"
	}
	if f.seen[key] || !f.typechecks(i.change, edits) {
		return false
	}
	f.seen[key] = true
	f.found = append(f.found, weighed{weight: i.weight, grounds: i.grounds, Candidate: patch.Candidate{
		Source: patch.Source{Provider: patch.BuiltinProvider, Model: patch.BuiltinModel}, Rule: i.rule,
		Title: i.title, Explanation: i.why, Edits: edits, Confidence: i.weight.Confidence(),
	}})
	return true
}
