// Package evidence combines what a proposer of fixes may look at: the paused state of the
// target and the user's source code.
package evidence

import (
	"cmp"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/workspace"
)

// Case is one stop to be explained and fixed.
type Case struct {
	Stop      debugger.Stop
	FromTrace bool               // all that is known is in the trace of a panic: nothing runs
	Inspect   debugger.Inspector // reads the paused target; may be nil (a pasted trace, a recorded stop)
	Workspace workspace.Workspace
	Code      *workspace.Code // syntax and types of the user's packages that the stop can touch
	// Diagnosis is what is known of the cause; its zero value says nothing is.
	Diagnosis Diagnosis
	// Intent is what the person said was expected; may be empty.
	Intent string
	// Attempts are earlier tries at this stop that failed, oldest first.
	Attempts []Attempt
}

// Attempt is an earlier try and why it was not good enough.
type Attempt struct {
	Title   string
	Diff    string
	Failure string // the output of the failed check, or the person's reason
	// Elsewhere is what of Failure may be sent to a model on another machine before
	// a person has seen it; the same where all of it may.
	Elsewhere string
	// Remembered is a fix that helped before, maybe in another repository: what is
	// in it may not be sent to a model on another machine unseen.
	Remembered bool
}

// Diagnosis says in one sentence why the target stopped.
type Diagnosis struct {
	Sentence string `json:"sentence"`         // "x.terms is nil: NewIndex (index.go:18) builds Index without it"
	Expr     string `json:"expr,omitempty"`   // the bad value, as an expression in the culprit's frame: "x.terms"
	Value    string `json:"value,omitempty"`  // what it is: "nil map"
	Origin   string `json:"origin,omitempty"` // "index.go:18", where the bad value came from; relative to the module root
	// Guess: Sentence names code that may not have run, and a run that shows what did is
	// under way.
	Guess bool `json:"guess,omitempty"`
	// Observed is what a run in the sandbox has shown of where Value came from, as a
	// sentence; Sentence is what the source suggests. Empty where it has shown nothing.
	Observed string   `json:"observed,omitempty"`
	History  *History `json:"history,omitempty"` // what Observed rests on
	// Unfixable says why nothing is proposed: the code that failed is not the
	// user's to change. Empty where something is, or may be.
	Unfixable string `json:"unfixable,omitempty"`
}

// Words are what is known of why the target stopped: what a run has shown, if one has. Who
// locked a lock does not say why it was kept: of that the source tells more.
func (d Diagnosis) Words() string {
	if d.Observed != "" && d.Sentence != "" && d.History != nil && d.History.ofLock() {
		return d.Sentence + "; " + d.Observed
	}
	return cmp.Or(d.Observed, d.Sentence)
}
