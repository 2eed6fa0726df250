// Package execute runs the stopped program, its tests and what is built of candidates in
// the sandbox, as the target was run. The runs of the unpatched program, the control, are
// what candidates are compared with.
package execute

import (
	"sync/atomic"
	"time"

	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/lazy"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/subject"
)

// The nice levels of proofs: the debugger, its screen and the person's other work
// come first. What is built and what is run compete as equals.
const (
	niceAwaited = 5  // what a candidate waits for
	NiceEarly   = 10 // what is made before anything waits for it
	NiceBeside  = 19 // what is made beside proofs, for the card
)

// Spec is how a candidate is built, or nothing but the program where overlay is
// nil: as the stopped binary was, but for the edits, what is added to them, and
// where the binary goes.
func (v *Runner) Spec(output string, overlay map[string]string, added ...map[string]string) build.Spec {
	s := v.Subject.Build
	s.Output, s.Nice, s.Scratch, s.Bare = output, niceAwaited, true, true
	if overlay != nil {
		s.Confine = v.compile
	}
	merged := map[string]string{}
	for _, o := range append([]map[string]string{v.Subject.Build.Overlay, overlay}, added...) {
		for path, text := range o {
			merged[path] = text
		}
	}
	s.Overlay = merged
	return s
}

// Patiently is how the unpatched packages are built and vetted before the
// checks that compare with them.
func (v *Runner) Patiently() build.Spec {
	s := v.Spec("", nil)
	s.Nice = NiceEarly
	return s
}

// Options bounds how candidates are proved. Limits of time are of the time in which
// a child could go on, see sandbox.Spent: how busy the machine is decides nothing.
type Options struct {
	// TempDir is where a private directory for the built binaries is made;
	// empty means the system's.
	TempDir string
	// MaxTier is the strongest sandbox to use; empty means any.
	MaxTier sandbox.Tier
	// AllowUnsandboxed lets candidates run where there is no sandbox.
	AllowUnsandboxed bool
	// Allow opens the sandbox: verdict.AllowNetwork, verdict.AllowFiles, or
	// verdict.AllowFile with a path. verdict.AllowDirectives lets a candidate add code
	// that has the toolchain do more than compile Go.
	Allow []string
	// Timeout caps the time a rerun may take; 0 means a minute.
	Timeout time.Duration
	// BuildTimeout caps the time of one go command that builds or vets a
	// candidate; 0 means three minutes.
	BuildTimeout time.Duration
	// BuildMemory caps the memory that such a command may take with all it starts,
	// in bytes; 0 means half of the machine's, or 2 GB where that is less.
	BuildMemory int64
	// Memory caps the memory that a run of a candidate or of tests may take with all
	// it starts, in bytes; 0 means what the sandbox comes with. More than the machine
	// has cannot be enforced, and counts as that.
	Memory int64
	// TestTimeout caps the time that the tests a candidate can reach may take, and
	// as much again for the same tests without it; 0 means that those of the packages
	// it touches run to their end, and those of the packages that depend on them for
	// a minute.
	TestTimeout time.Duration
	// TestSilence is how long tests may begin and end nothing before the one that
	// runs is taken to hang; 0 means a quarter of TestTimeout, or of a minute.
	TestSilence time.Duration
	// OnStart is called with the check of which candidate begins; may be nil. It is
	// called from the goroutine of Check.
	OnStart func(candidate, check string)
	// OnProgress is called with how far a check is: done of about total steps, each a
	// test. It may be nil, and is called from any goroutine, but not after Check.
	OnProgress func(candidate, check string, done, total int)
}

// Runner runs programs of a target as the target was run, in the sandbox.
type Runner struct {
	*subject.Target
	Opts     Options
	Measured atomic.Int64                // how long the control took to its stop, in ns; 0 before
	ending   atomic.Int64                // the shortest time in which a candidate came to its end, in ns; 0 before
	misses   atomic.Bool                 // the unpatched program does not stop in every run
	byChance lazy.Value[bool]            // chance may decide what it does
	loud     atomic.Bool                 // the unpatched program prints more than the sandbox lets one print
	visible  lazy.Value[goDirs]          // Go's own directories
	Expected expectations                // what tests compare with
	used     lazy.Value[map[string]bool] // names of environment variables that the program may look up
}

// New returns what runs the programs of a subject.
func New(s subject.Subject, opts Options) *Runner {
	return &Runner{Target: &subject.Target{Subject: s}, Opts: opts}
}
