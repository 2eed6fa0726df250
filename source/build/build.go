// Package build builds the user's packages for debugging: their own modules
// without optimization, everything else from the ordinary build cache. To build
// everything without optimization, as dlv debug does, compiles the dependencies
// and the standard library a second time: 70 seconds instead of 2 for a program
// of 17 MB whose ordinary build was cached.
//
// It never writes to the source tree. Every go command it starts dies with
// its context and with this process.
package build

import (
	"fmt"
	"time"
)

// Spec says what to build and how.
type Spec struct {
	Dir     string // where the go command runs: a directory of the main module
	Package string // import path, ./dir, or .go files joined by spaces
	Test    bool   // the package's test binary instead of the command
	Tags    string // --tags
	Race    bool
	Flags   []string // --build-flags, passed through
	Env     []string // whole environment of the go command; nil means this process's
	// DebugPatterns are the package patterns compiled with -N -l, one for each of
	// the user's modules ("example.com/app/...").
	DebugPatterns []string
	// Overlay maps absolute paths to contents that replace (or add) files.
	Overlay map[string]string
	Output  string // path of the binary to write
	// Scratch spares Build the question of what the binary is built from: its Result has
	// neither Inputs nor Dirs.
	Scratch bool
	Bare    bool // no debugging information: the binary is run, and not debugged
	// Confine runs the go commands that compile or vet; nil: as plain children.
	// Where it is set, no go command of the build downloads anything.
	Confine Confine
	// Nice makes the go command, with all it starts, have low priority: from 0,
	// which the user waits for, to 19.
	Nice int
}

// Result is a finished build.
type Result struct {
	Binary string
	Took   time.Duration
	// Inputs is a digest of every file and setting the binary was made from,
	// under the overlay: equal digests mean equal binaries.
	Inputs string
	// Dirs are the directories of the packages it was made from.
	Dirs []string
}

// Progress is reported while a build runs.
type Progress struct {
	Phase   string // "resolving", "compiling", "linking"
	Package string // the package compiled last
	Done    int    // packages compiled so far
	Total   int    // packages that need compiling; 0 while unknown
	Elapsed time.Duration
}

// Diagnostic is one message of the compiler, the linker or vet.
type Diagnostic struct {
	File    string `json:"file"` // absolute; empty when the message has no place
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}

// Error is returned for a build that the compiler refused.
type Error struct {
	Package     string
	Diagnostics []Diagnostic
	Output      string // everything the go command printed, bounded
	Limit       string // which limit ended it, as a sentence; empty when the compiler refused
}

// Error names the first message.
func (e *Error) Error() string {
	if len(e.Diagnostics) == 0 {
		return fmt.Sprintf("build %q: %s", e.Package, e.Output)
	}
	d := e.Diagnostics[0]
	if d.File == "" {
		return fmt.Sprintf("build %q: %s", e.Package, d.Message)
	}
	return fmt.Sprintf("build %q: %s:%d: %s", e.Package, d.File, d.Line, d.Message)
}
