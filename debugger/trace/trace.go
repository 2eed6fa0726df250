// Package trace reads the traces of panics, fatal errors and data races out of logs:
// pasted ones, truncated ones, ones whose lines carry prefixes or are in JSON. It knows
// the text only: where its files are here is found by Locate.
//
// A trace is a target like a program under Delve; what needs a process returns an error.
// The text of the trace is kept with the log, so that the session can be resumed. Nothing
// of it is run, so its fixes are never verified. Paths are looked up only in the user's
// modules, the standard library and the module cache, and the argument words are matched
// to the parameters in the source.
package trace

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// Trace is one crash, or one race, in a log.
type Trace struct {
	Panic debugger.Panic // what it says of itself; of a race and of a mere stack its class is custom
	Fatal bool           // a fatal error of the runtime
	Race  bool           // a report of the race detector
	// Goroutines are those printed, the one that is to blame first.
	Goroutines []Goroutine
	Line       int    // in the log, of its first line, from 1
	Before     string // the last line before it; what it began with, like a time, where its lines have a prefix
	Truncated  bool   // its beginning or its end is missing
	Left       int    // goroutines that were printed and are not kept
	// Text is the trace as the runtime would have printed it: without what the
	// log has put around it. Read finds the same trace in it.
	Text string
	died bool
}

// Died reports whether it is the trace of a crash or a race, and not only of
// stacks that the program printed.
func (t Trace) Died() bool { return t.died }

// Ends reports whether the program ended with it.
func (t Trace) Ends() bool { return t.died && !t.Race && !t.Panic.Recovered }

// Goroutine is a goroutine of a trace.
type Goroutine struct {
	debugger.Goroutine
	Frames    []debugger.Frame // innermost first
	Elided    bool             // the runtime has left frames out
	CreatedBy debugger.Frame   // without a function where it is not known
	Creator   debugger.GoroutineID
	Ancestors []debugger.Ancestor
	Race      string // what it did in a race: "write", "read", "previous write"; else empty
}

// Log is what was read.
type Log struct {
	Traces []Trace // in the order of the log
	Left   int     // traces that are not kept: those between the first and the last
	Lines  int
	Bytes  int64
	Cut    bool // it is longer than what was read
}

// Title is a trace in one line: "panic: …", "fatal error: …", "data race".
func (t Trace) Title() string {
	message, _, _ := strings.Cut(t.Panic.Message, "\n")
	switch {
	case t.Race:
		return "data race"
	case t.Fatal:
		return "fatal error: " + message
	case !t.died && t.goroutine() == 0:
		return "a stack"
	case !t.died:
		return "stack of goroutine " + fmt.Sprint(t.goroutine())
	case message == "":
		return "panic: " + string(t.Panic.Class)
	case t.Panic.Recovered:
		return "panic (recovered): " + message
	}
	return "panic: " + message
}

func (t Trace) goroutine() debugger.GoroutineID {
	if len(t.Goroutines) == 0 {
		return 0
	}
	return t.Goroutines[0].ID
}

// frames are those of all its stacks, the one where its panic was raised first before the others.
func (t Trace) frames(yield func(debugger.Frame) bool) {
	for _, f := range t.Panic.Raised {
		if !yield(f) {
			return
		}
	}
	for _, g := range t.Goroutines {
		for _, f := range g.Frames {
			if !yield(f) {
				return
			}
		}
	}
}

// Blamed is the innermost frame outside of the runtime where it was raised first;
// without a function where that is not known.
func (t Trace) Blamed() debugger.Frame {
	below := t.Panic.Raised
	for i, f := range t.Panic.Raised {
		if f.Function == "panic" {
			below = t.Panic.Raised[i+1:]
		}
	}
	if f := outermostOf(below); f.Function != "" {
		return f
	}
	if len(t.Goroutines) == 0 {
		return debugger.Frame{}
	}
	return t.Goroutines[0].User
}

// Identity is the same for traces of the same crash: the class and the frames of
// the goroutine to blame, with those where its panic was raised first.
func (t Trace) Identity() string {
	h := sha256.New()
	fmt.Fprintln(h, t.Panic.Class, t.Race)
	stack := t.Panic.Raised
	if len(t.Goroutines) > 0 {
		stack = append(slices.Clip(stack), t.Goroutines[0].Frames...)
	}
	for _, f := range stack {
		fmt.Fprintln(h, f.Function, f.Line)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
