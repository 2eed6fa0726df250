package debugger

import "errors"

// Abilities are what can be done with a target, which depends on how it was obtained:
// a core dump cannot run, and a process that was started elsewhere cannot
// be started again.
type Abilities struct {
	Run     bool `json:"run,omitempty"`     // continue, step, halt; breakpoints
	Write   bool `json:"write,omitempty"`   // set variables
	Call    bool `json:"call,omitempty"`    // call its functions
	Reverse bool `json:"reverse,omitempty"` // run backwards, take checkpoints
	Restart bool `json:"restart,omitempty"` // start it again from its beginning
	Rebuild bool `json:"rebuild,omitempty"` // build it again from its source
	Input   bool `json:"input,omitempty"`   // type into it, see what it prints
	// Of is what it is, as the subject of a sentence: "a core dump". Empty for
	// a program that was built and started here.
	Of string `json:"of,omitempty"`
}

// Built are the abilities of a program that was built and started here.
var Built = Abilities{Run: true, Write: true, Call: true, Restart: true, Rebuild: true, Input: true}

// Cannot is the sentence that refuses something: "a core dump cannot run".
func (a Abilities) Cannot(what string) string {
	of := a.Of
	if of == "" {
		of = "this program"
	}
	return of + " cannot " + what
}

// ErrUnable is wrapped by the errors of operations that the abilities of a target
// do not allow.
var ErrUnable = errors.New("this kind of program is not able to")

// Refuse is the error of an operation that the abilities do not allow.
func (a Abilities) Refuse(what string) error { return unable(a.Cannot(what)) }

type unable string

func (u unable) Error() string { return string(u) }

// Unwrap makes it ErrUnable.
func (u unable) Unwrap() error { return ErrUnable }
