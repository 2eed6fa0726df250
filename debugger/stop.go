package debugger

import (
	"encoding/base64"
	"encoding/json"
	"go/parser"
	"time"
)

// Reason says why the target is not running.
type Reason string

// The reasons for a stop.
const (
	ReasonPanic      Reason = "panic"      // an unrecovered panic, before the process dies
	ReasonFatal      Reason = "fatal"      // a fatal error of the runtime: deadlock, concurrent map access, stack overflow, …
	ReasonTest       Reason = "test"       // a test has just failed; the target lives on, see Stop.Test
	ReasonBreakpoint Reason = "breakpoint" // a breakpoint the person set
	ReasonStep       Reason = "step"       // a next, step or step out has ended
	ReasonWatch      Reason = "watch"      // a watched value was read or written, or is gone, see Stop.Watched
	ReasonCall       Reason = "call"       // a function that the person called has returned, see Stop.Returned
	ReasonHalt       Reason = "halt"       // the person halted the target
	ReasonFound      Reason = "found"      // held when we came to it: attached to, or a core dump
	ReasonEntry      Reason = "entry"      // launched, nothing has run yet
	ReasonExited     Reason = "exited"     // the process has ended by itself, see Stop.Exit
	ReasonSignal     Reason = "signal"     // the process was killed by a signal, see Stop.Exit
)

// Stop is the state of a target at the moment it ceased to run.
type Stop struct {
	Reason    Reason      `json:"reason"`
	Panic     *Panic      `json:"panic,omitempty"` // nil unless Reason is panic or fatal, or a halt has found a deadlock
	Exit      *Exit       `json:"exit,omitempty"`  // nil unless Reason is exited or signal
	Goroutine GoroutineID `json:"goroutine"`       // the goroutine that stopped; 0 if none
	// Frames is the first page of Goroutine's stack, innermost first. The
	// culprit's frame and its neighbors carry their variables.
	Frames     []Frame     `json:"frames,omitempty"`
	MoreFrames bool        `json:"more_frames,omitempty"`
	Selected   int         `json:"selected"` // index into Frames to show first: the culprit, or the user's innermost frame
	Goroutines int         `json:"goroutines,omitempty"`
	Breakpoint *Breakpoint `json:"breakpoint,omitempty"`
	Printed    []Variable  `json:"told,omitempty"`     // what the breakpoint was to print
	Watched    *Watched    `json:"watched,omitempty"`  // nil unless a watchpoint stopped it
	Returned   []Variable  `json:"returned,omitempty"` // the results of the function that was stepped out of, or called
	Called     string      `json:"called,omitempty"`   // the call whose results Returned holds, or which Fault tells of
	Also       []Hit       `json:"also,omitempty"`     // what other goroutines stopped at, at the same time
	Step       GoroutineID `json:"step,omitempty"`     // whose step was interrupted by this stop; Continue can go on with it
	Fault      string      `json:"fault,omitempty"`    // what went wrong: a condition that cannot be evaluated, a failed call
	Remedy     string      `json:"remedy,omitempty"`   // what can be done about Fault; empty where nothing is known
	Request    *Request    `json:"request,omitempty"`  // what a server was answering, where it is known
	Block      *Block      `json:"block,omitempty"`    // the block of work that a crash is in, see package pause
	// Test is set where a test fails: at its assertion, by a time-out, by a call of
	// os.Exit in it.
	Test *FailingTest `json:"test,omitempty"`
	At   time.Time    `json:"at"`
}

// Request is an HTTP request as a server received it.
type Request struct {
	Method string              `json:"method"`
	Scheme string              `json:"scheme"`           // "http" or "https"
	Host   string              `json:"host"`             // with the port, if it was named
	Target string              `json:"target"`           // what followed the method: "/orders/1003?full=1"
	Proto  string              `json:"proto,omitempty"`  // "HTTP/1.1"
	Header map[string][]string `json:"header,omitempty"` // as far as it was read
	Body   []byte              `json:"body,omitempty"`   // as far as it is still there
	Whole  bool                `json:"whole,omitempty"`  // headers and body are complete
	Client string              `json:"client,omitempty"` // the address it came from
}

// UnmarshalJSON also reads a request whose body is no base64 any more, because it was
// replaced by a text that hides a secret. Such a body is not whole.
func (r *Request) UnmarshalJSON(data []byte) error {
	type request Request
	wire := struct {
		*request
		Body string `json:"body"`
	}{request: (*request)(r)}
	if err := json.Unmarshal(data, &wire); err != nil {
		return err
	}
	var err error
	if r.Body, err = base64.StdEncoding.DecodeString(wire.Body); err != nil {
		r.Body, r.Whole = []byte(wire.Body), false
	}
	if len(r.Body) == 0 {
		r.Body = nil
	}
	return nil
}

// Ended reports whether the process is gone.
func (s Stop) Ended() bool { return s.Reason == ReasonExited || s.Reason == ReasonSignal }

// Crashed reports whether the target is held at a panic, a fatal error or the
// failure of a test.
func (s Stop) Crashed() bool { return s.Panic != nil && !s.Ended() }

// Hangs reports whether the target was halted, or found, in a deadlock that the runtime
// does not report, because not every goroutine is in it.
func (s Stop) Hangs() bool {
	return s.Crashed() && (s.Reason == ReasonHalt || s.Reason == ReasonFound)
}

// LivesOn reports whether the target is held at a panic that does not, or need
// not, end it.
func (s Stop) LivesOn() bool {
	return s.Crashed() && (s.Panic.Recovered || s.Panic.Thrown || s.Reason == ReasonTest || s.Hangs())
}

// MayRace reports whether the crash may come of goroutines that race: then a run
// without it proves little.
func (s Stop) MayRace() bool {
	if s.Panic == nil {
		return false
	}
	switch s.Panic.Class {
	case ConcurrentMap, Deadlock:
		return true
	case ClosedChannel, NegativeWaitGroup, UnlockUnlocked:
		return s.Goroutine != 1 || s.Goroutines > 1
	}
	return false
}

// Assigned reports whether what was called is an assignment ("name = \"new\"") of a
// value that the program had to make.
func (s Stop) Assigned() bool {
	if s.Called == "" || len(s.Returned) > 0 {
		return false
	}
	_, err := parser.ParseExpr(s.Called)
	return err != nil
}

// Dies reports whether the target is held at a panic or a fatal error that ends
// it as soon as it runs again.
func (s Stop) Dies() bool { return s.Crashed() && !s.LivesOn() }

// Unwinds reports whether the goroutine is unwinding its stack: there is no next
// statement to step to. A test that has failed goes on with one.
func (s Stop) Unwinds() bool { return s.Crashed() && s.Reason != ReasonTest && !s.Hangs() }

// Begins reports whether the target is held where a panic begins: its deferred functions
// have not run.
func (s Stop) Begins() bool {
	return s.Panic != nil && len(s.Frames) > 0 && s.Frames[0].Function == "runtime.gopanic"
}

// SelectedFrame returns the frame to show first; false when there is none.
func (s Stop) SelectedFrame() (Frame, bool) {
	if s.Selected < 0 || s.Selected >= len(s.Frames) {
		return Frame{}, false
	}
	return s.Frames[s.Selected], true
}

// Exit tells how a process ended.
type Exit struct {
	Code   int    `json:"code"`             // the exit code; -1 when killed by a signal
	Signal string `json:"signal,omitempty"` // for example "SIGKILL"; empty when it exited
	// At is where the program ended itself; nil when main returned, and where that is
	// not known.
	At *ExitPlace `json:"at,omitempty"`
}

// ExitPlace is the user's code that ended the program.
type ExitPlace struct {
	Call     string `json:"call"`     // what it called: "os.Exit", "log.Fatal"
	Function string `json:"function"` // with its package
	File     string `json:"file"`     // absolute
	Line     int    `json:"line"`
	// Panicking: a deferred function called it, while the goroutine panicked.
	Panicking bool `json:"panicking,omitempty"`
}

// Watched says what a watchpoint saw.
type Watched struct {
	Expr string `json:"expr"`
	Was  string `json:"was,omitempty"` // the value before, in one line; empty where it was not known
	Now  string `json:"now,omitempty"`
	// Written: the watchpoint is one for writes alone.
	Written bool `json:"written,omitempty"`
	Gone    bool `json:"gone,omitempty"` // the variable went out of scope, and the watchpoint with it
	// Also are further watchpoints whose variables went out of scope at the same time.
	Also []Breakpoint `json:"also,omitempty"`
}

// Hit is another goroutine at a breakpoint.
type Hit struct {
	Goroutine  GoroutineID `json:"goroutine"`
	Breakpoint int         `json:"breakpoint,omitempty"`
	Function   string      `json:"function,omitempty"`
	File       string      `json:"file,omitempty"`
	Line       int         `json:"line,omitempty"`
}
