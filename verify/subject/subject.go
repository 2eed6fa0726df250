// Package subject is what candidates are proved against: the stopped program, how it was
// run, and whether a crash is the stop's again.
package subject

import (
	"context"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/repro"
	"github.com/pausetui/pausetui/verify/sandbox"
)

// Run is how the target was run, so that it can be run the same way again.
type Run struct {
	Args  []string
	Env   []string // whole environment
	Given []string // the part of it that a person gave for this program
	Dir   string   // working directory
	Stdin string   // path of the file given as standard input; empty for a terminal
	Input []Keys   // what was typed into the target, with its pauses; only without Stdin
	// Size is that of the terminal, once the target drew on it; zero where it did not.
	Size sandbox.Size
	// Repro is what is run next to the target on every start; without a command
	// nothing is.
	Repro repro.Plan
	// Settle is how long after the end of that command the target stopped; 0 when
	// it stopped before.
	Settle time.Duration
	// ForeignArgs: an agent or a guest has chosen Args. The files that they name are not
	// shown.
	ForeignArgs bool
}

// Keys is one burst of typed input.
type Keys struct {
	After time.Duration `json:"after"` // since the process began
	Text  string        `json:"text"`  // raw bytes, "\x04" for ^D
	Size  sandbox.Size  `json:"size"`  // of the terminal; zero: not known
}

// Subject is what candidates are proved against: one stop of one target.
// Candidates of the same stop share it, and with it the control run.
type Subject struct {
	Workspace workspace.Workspace
	Build     build.Spec // how the stopped binary was built; Overlay and Output are set for each candidate
	Binary    string     // the stopped binary, unpatched
	// Control makes the binary that candidates are compared with where the
	// stopped one does not serve: it was built elsewhere, and names its source
	// otherwise. Nil: Binary.
	Control func(context.Context) (string, error)
	// Unrunnable says why the program cannot be run again at all; empty when it can.
	Unrunnable string
	Run        Run
	Stop       debugger.Stop
	Ran        time.Duration // from launch to the stop, to choose time limits by
	Ports      []int         // TCP ports that the stopped target holds
	// Repeat is how many runs it took until the target stopped; 0 counts as 1.
	Repeat int
	// Reported is how many failures of the test the line had reported before that has
	// reported this one.
	Reported int
	// Earlier is how often the program had stopped at the same line before, since it was
	// started, and went on. Counted: it stops wherever something panics, so there were no others.
	Earlier int
	Counted bool
	// Tests waits for the regression tests made of the stop's values, the one
	// that calls the innermost function first; an error says why there is none.
	// Nil: there are none.
	Tests func(context.Context) ([]patch.RegressionTest, error)
	// Code waits for the user's code as it was at the stop, for tests of recorded
	// calls. Nil: there is none.
	Code func(context.Context) (*workspace.Code, error)
}

// Target is the stopped program: where it stopped, and whether what a run
// printed is the same stop.
type Target struct {
	Subject Subject
}
