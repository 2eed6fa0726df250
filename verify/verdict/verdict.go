// Package verdict holds what was proved of a candidate, as plain values: checks,
// their statuses and the verdict over them. Package verify makes them; the
// session, the screen and the command line show them.
package verdict

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/pausetui/pausetui/patch"
)

// The names of the checks, in the order they run.
const (
	Scope = "scope"
	Parse = "parse"
	Build = "build"
	Vet   = "vet"
	Rerun = "rerun"
	// Regression is the test made from the stop's own values: it has to fail
	// without the candidate and pass with it.
	Regression = "regression"
	Tests      = "tests"
	Masking    = "masking"
)

// Status is the result of one check.
type Status string

// The statuses. Each comes with a reason in Check.Detail, except a plain pass.
const (
	Pass         Status = "pass"
	Fail         Status = "fail"
	Warn         Status = "warn"
	Skip         Status = "skip"
	Inconclusive Status = "inconclusive" // could not be decided here, for instance because the sandbox blocked something
)

// Check is the result of one check of one candidate.
type Check struct {
	Name   string        `json:"name"`
	Status Status        `json:"status"`
	Detail string        `json:"detail,omitempty"` // one or a few lines for a person; stripped of control sequences
	Took   time.Duration `json:"took"`
	// Output is what failed, at more length, for the next attempt: the
	// compiler's words, the crash, the failing test; bounded, stripped of
	// control sequences.
	Output string `json:"output,omitempty"`
	// Elsewhere is what of a failure may go to a model on another machine before
	// a person has seen it: nothing that the candidate's run has printed.
	Elsewhere string `json:"elsewhere,omitempty"`
	// Count is how many tests passed, for the check of that name.
	Count int `json:"count,omitempty"`
	// Fixed is how many of these failed without the candidate.
	Fixed int `json:"mended,omitempty"`
	// Blocked says what the sandbox refused and what would have to be allowed
	// for the check to decide something: AllowNetwork, AllowFiles, or AllowFile with a
	// path; AllowDirectives with a check that failed for want of it.
	Blocked []string `json:"blocked,omitempty"`
	// Ending is how the run of the check of that name, rerun, ended: it is known while
	// later checks are made.
	Ending *Ending `json:"ending,omitempty"`
	// Next is the next stop of a run that came past the failing line and crashed
	// elsewhere; nil without one.
	Next *Next `json:"next,omitempty"`
}

// Next is a crash that comes after the one that a candidate is for.
type Next struct {
	Class    string `json:"class"`
	Function string `json:"function,omitempty"` // without type arguments
	File     string `json:"file,omitempty"`     // relative to the module root
	Line     int    `json:"line,omitempty"`
}

// What a person can allow the proofs of a session, where the sandbox blocked it.
const (
	AllowNetwork = "network" // the real network
	AllowFiles   = "files"   // reading and writing outside the throwaway view, the home directory too
	// AllowFile, with the absolute path of a file after it, is reading that file.
	AllowFile = "file:"
	// AllowEnv, with the name of an environment variable after it, is reading that
	// one; the name may be a pattern.
	AllowEnv = "env:"
	// AllowDirectives is code that has the toolchain do more than compile Go: cgo,
	// assembly, embedded files, linkname.
	AllowDirectives = "directives"
)

// Allowable reports whether that can be allowed.
func Allowable(what string) bool {
	file, one := strings.CutPrefix(what, AllowFile)
	name, env := strings.CutPrefix(what, AllowEnv)
	return what == AllowNetwork || what == AllowFiles || what == AllowDirectives || one && filepath.IsAbs(file) || env && name != "" && !strings.ContainsAny(name, "= \t\n")
}

// Verdict is all that was found out about a candidate.
type Verdict struct {
	Checks   []Check `json:"checks"`
	Verified bool    `json:"verified"`
	// Effect is the kind of fix; empty in logs of versions that did not know it.
	Effect Effect `json:"effect,omitempty"`
	// How says what the run does instead of its work, as a clause: "returns an
	// error when n < 0". Empty for a plain repair.
	How string `json:"how,omitempty"`
	// Caution says what is known against the proposer, as a clause: "of 3 verified
	// fixes of the built-in fixer for slice-bounds, 1 was right". It comes from
	// measurements, not from a check. Empty for most.
	Caution string `json:"caution,omitempty"`
	// OtherErrors: the comparison of answers warns of errors that are others now. It is
	// known after the verdict, and kept with the Behavior.
	OtherErrors bool `json:"-"`
	// Evidence is what speaks for the candidate, as far as it was checked.
	Evidence []Evidence `json:"evidence,omitempty"`
	// Support is the evidence for what a fix that skips answers instead, as a clause.
	// Empty where there is none, and for other effects.
	Support string `json:"support,omitempty"`
	// Masking tells that it hides, or that it skips without support.
	Masking bool `json:"masking,omitempty"`
	// Unsupported: the built-in fixer refuses an input, and nothing that was checked says
	// that the input is invalid.
	Unsupported bool `json:"unsupported,omitempty"`
	// Confirmed: a person has said that what it answers instead is right.
	Confirmed bool `json:"confirmed,omitempty"`
	// Test is the regression test that fails without the candidate and passes
	// with it; nil without one.
	Test *patch.RegressionTest `json:"test,omitempty"`
	// ByTest tells that Test stood in for the rerun: the whole program could
	// not be run again.
	ByTest bool `json:"by_test,omitempty"`
	// Binary is the path of the built binary that was proved, empty without
	// one; Inputs is the digest of everything it was built from.
	Binary string `json:"binary,omitempty"`
	Inputs string `json:"inputs,omitempty"`
	// Ending is how the rerun of the candidate ended; nil when it was not run.
	Ending *Ending `json:"ending,omitempty"`
	// Printed is what the rerun of the candidate printed that the unpatched
	// program had not printed before it stopped: the first and the last lines,
	// bounded, stripped of control sequences, durations left out.
	Printed string `json:"printed,omitempty"`
}

// Ending is how a run ended.
type Ending struct {
	Exit   int           `json:"exit"`             // exit code; -1 when killed by a signal
	Signal string        `json:"signal,omitempty"` // "SIGKILL"; empty when it exited
	Alive  bool          `json:"alive,omitempty"`  // still running at the time limit
	Ran    time.Duration `json:"ran"`
	// Reply is the exit code of the command that was run next to it and ended;
	// nil without one.
	Reply *int `json:"reply,omitempty"`
}

// Find returns the check of that name.
func Find(checks []Check, name string) (Check, bool) {
	for _, c := range checks {
		if c.Name == name {
			return c, true
		}
	}
	return Check{}, false
}

// NoneToRun is what the check of the tests says where there are none.
const NoneToRun = "no tests"

// NoTests reports whether the check of the tests has found none.
func NoTests(c Check) bool {
	return c.Name == Tests && c.Status == Skip && strings.HasPrefix(c.Detail, NoneToRun)
}

// Passes reports whether the candidate may be looked at as a fix at all: scope,
// parse and build pass, vet has no new finding, the rerun passes (a warning
// counts as passing), and no test that passed before fails now.
func Passes(checks []Check) bool {
	for _, name := range []string{Scope, Parse, Build, Rerun} {
		c, ok := Find(checks, name)
		if !ok || (c.Status != Pass && c.Status != Warn) {
			return false
		}
	}
	for _, name := range []string{Vet, Tests} {
		if c, ok := Find(checks, name); ok && c.Status == Fail {
			return false
		}
	}
	return true
}
