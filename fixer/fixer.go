// Package fixer is the built-in fixer, which needs no model: from the paused state, the
// syntax and the types it says which value is bad and where it came from, and proposes
// edits, at the origin before guards at the symptom.
//
// The packages below it are rules, one package for each kind of failure, over general
// facts (definitions, values, callers). It knows nothing of models, checks or
// screens, and it never writes: candidates are values.
package fixer

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/assertion"
	"github.com/pausetui/pausetui/fixer/bounds"
	"github.com/pausetui/pausetui/fixer/channels"
	"github.com/pausetui/pausetui/fixer/deadlock"
	"github.com/pausetui/pausetui/fixer/nilness"
	"github.com/pausetui/pausetui/fixer/overflow"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/refusals"
	"github.com/pausetui/pausetui/fixer/sharedmap"
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
		return f.Diagnosis, nil, err
	}
	list := f.Ranked()
	if len(list) == 0 {
		f.Diagnosis.Unfixable = f.unfixable()
	}
	return f.Diagnosis, list, nil
}

// fixer explains one stop, and ranks what the rules offer.
type fixer struct{ *proposal.Proposal }

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
	f := fixer{proposal.New(a)}
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
	if f.Diagnosis.Sentence == "" && !f.explainOutside() {
		f.Diagnosis = describeOnly(f.Case)
	}
	f.Settle()
}

// rules say and offer something about the stops of their class.
var rules = map[debugger.Class]func(*proposal.Proposal){
	debugger.NilMapWrite:       nilness.MapWrite,
	debugger.NilDereference:    nilness.Dereference,
	debugger.IndexOutOfRange:   bounds.Index,
	debugger.SliceBounds:       bounds.Slice,
	debugger.DivideByZero:      bounds.Divide,
	debugger.TypeAssertion:     assertion.Failed,
	debugger.ClosedChannel:     channels.Close,
	debugger.NegativeWaitGroup: channels.Done,
	debugger.NegativeSize:      bounds.Size,
	debugger.UnlockUnlocked:    channels.Unlock,

	debugger.Deadlock:      deadlock.Propose,
	debugger.ConcurrentMap: sharedmap.Propose,
	debugger.StackOverflow: overflow.Propose,
	debugger.Reflect:       refusals.Reflect,

	debugger.UnhashableKey:     refusals.GivenUp,
	debugger.Uncomparable:      refusals.GivenUp,
	debugger.IteratorContinued: refusals.GivenUp,

	debugger.Custom:      refusals.GivenUp,
	debugger.CustomError: refusals.GivenUp,
}

// applyRules runs the rules of the stop's class.
func (f fixer) applyRules() {
	if rule, ok := rules[f.Panic.Class]; ok {
		rule(f.Proposal)
		f.checkedLate()
	}
}
