package debugger

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrRunning is returned by operations that need a stopped target while it runs.
	ErrRunning = errors.New("the program is running")
	// ErrGone is returned once the target has ended or its debugger is lost.
	ErrGone = errors.New("the program has ended")
	// ErrPtrace is returned by a launch where the system refuses ptrace.
	ErrPtrace = errors.New("the system refuses to let one process debug another (ptrace)")
	// ErrOccupied is returned for a breakpoint where the person has another one.
	ErrOccupied = errors.New("there is a breakpoint already")
	// ErrNeedsCall is returned by SetVariable for a value that only the target's own
	// code can make: a new string, the result of a function.
	ErrNeedsCall = errors.New("only a call of the program can make this value")
	// ErrCaptured is returned by Evaluate for an expression with a variable that the
	// closure has captured, and not loaded yet.
	ErrCaptured = errors.New("captured: step once to read it")
	// ErrNoKey is returned by Evaluate for a lookup in a map that has no such key.
	ErrNoKey = errors.New("the map has no such key")
	// ErrGoVersion is returned by a launch of a binary built by a Go version Delve does not know.
	ErrGoVersion = errors.New("this Go version is outside the debugger's range")
)

// NoCode is returned for a breakpoint on a line that the binary has no code for.
type NoCode struct {
	File    string
	Line    int
	Nearest int // the nearest line of the file with code; 0 if none is near
}

// Error says where there is nothing to stop at.
func (e *NoCode) Error() string { return fmt.Sprintf("no statement on line %d", e.Line) }

// Ambiguous is returned for a location that several places answer to.
type Ambiguous struct {
	Location   string
	Candidates []string // locations that name one place each, those of the user's modules first
	More       bool     // there are others
}

// ambiguousNamed is how many candidates an Ambiguous error names.
const ambiguousNamed = 5

// Error says what is ambiguous, and names the first candidates.
func (e *Ambiguous) Error() string {
	named := e.Candidates[:min(len(e.Candidates), ambiguousNamed)]
	words := e.Short() + ": " + strings.Join(named, ", ")
	if e.More || len(named) < len(e.Candidates) {
		words += " and others"
	}
	return words
}

// Short says what is ambiguous without the candidates.
func (e *Ambiguous) Short() string {
	if e.More {
		return fmt.Sprintf("more than %d places are called %s", len(e.Candidates), e.Location)
	}
	return fmt.Sprintf("%d places are called %s", len(e.Candidates), e.Location)
}
