package session

import (
	"cmp"
	"fmt"
	"path/filepath"
)

// The ways to a target that is not built here first.
const (
	ModeExec    = "exec"    // a binary that is there already
	ModeAttach  = "attach"  // a process that runs already
	ModeCore    = "core"    // a core dump
	ModeConnect = "connect" // the target of another Delve server
	ModeTrace   = "trace"   // the trace of a panic in a log: no process at all
)

// LaunchMode is how the target is started or reached; the zero value builds a package and starts it.
type LaunchMode struct {
	Kind   string `json:"kind,omitempty"`
	Binary string `json:"binary,omitempty"` // absolute; of exec and core, and what the process runs
	PID    int    `json:"pid,omitempty"`
	Core   string `json:"core,omitempty"` // absolute
	Addr   string `json:"addr,omitempty"` // HOST:PORT or unix:PATH
	Trace  *Trace `json:"trace,omitempty"`
}

// Trace says where a trace was read.
type Trace struct {
	File string `json:"file,omitempty"` // absolute; empty: standard input
	Line int    `json:"line"`           // in it, of the trace's first line, from 1
	// The trace is the crash number Number of the Of different ones in the file,
	// and the newest of Times of the same.
	Number int `json:"number"`
	Of     int `json:"of"`
	Times  int `json:"times"`
	// Kept names its text beside the log; empty where it was not kept.
	Kept string `json:"kept,omitempty"`
}

// String names the trace: "the trace in app.log, line 120".
func (t Trace) String() string {
	if t.File == "" {
		return "a pasted trace"
	}
	return fmt.Sprintf("the trace in %s, line %d", filepath.Base(t.File), t.Line)
}

// Builds tells whether the target is built here.
func (w LaunchMode) Builds() bool { return w.Kind == "" }

// Starts tells whether we start the target, and so end it, too.
func (w LaunchMode) Starts() bool { return w.Kind == "" || w.Kind == ModeExec }

// String names the target for people: "process 4711", "core.4711 of app".
func (w LaunchMode) String() string {
	switch w.Kind {
	case ModeExec:
		return filepath.Base(w.Binary)
	case ModeAttach:
		if w.Binary == "" {
			return fmt.Sprintf("process %d", w.PID)
		}
		return fmt.Sprintf("process %d (%s)", w.PID, filepath.Base(w.Binary))
	case ModeCore:
		return filepath.Base(w.Core) + " of " + filepath.Base(w.Binary)
	case ModeConnect:
		return w.Addr
	case ModeTrace:
		return w.trace().String()
	}
	return ""
}

func (w LaunchMode) trace() Trace {
	if w.Trace == nil {
		return Trace{}
	}
	return *w.Trace
}

// Doing says what happens until the target is there.
func (w LaunchMode) Doing() string {
	switch w.Kind {
	case ModeExec:
		return "Starting " + w.String()
	case ModeAttach:
		return "Attaching to " + w.String()
	case ModeCore:
		return "Opening " + w.String()
	case ModeConnect:
		return "Connecting to " + w.String()
	case ModeTrace:
		return "Reading " + w.String()
	}
	return "Starting"
}

// Lives tells whether there is a process that may run.
func (w LaunchMode) Lives() bool { return w.Kind != ModeCore && w.Kind != ModeTrace }

// command is the way as it is written on the command line.
func (w LaunchMode) command() string {
	switch w.Kind {
	case ModeExec:
		return w.Kind + " " + w.Binary
	case ModeAttach:
		return fmt.Sprintf("%s %d", w.Kind, w.PID)
	case ModeCore:
		return w.Kind + " " + w.Binary + " " + w.Core
	case ModeTrace:
		text := w.Kind + " " + cmp.Or(w.trace().File, "-")
		if t := w.trace(); t.Of > 1 {
			text = fmt.Sprintf("%s --nth %d %s", w.Kind, t.Number, cmp.Or(t.File, "-"))
		}
		return text
	}
	return w.Kind + " " + w.Addr
}

// Target names for people what is debugged.
func (s Started) Target() string {
	if s.Mode.Builds() {
		return s.Package
	}
	return s.Mode.String()
}

// Found says how a target was come by that is held where it was found.
func (w LaunchMode) Found() string {
	switch w.Kind {
	case ModeAttach:
		return "attached"
	case ModeConnect:
		return "connected"
	case ModeCore:
		return "core dump"
	case ModeTrace:
		return "trace"
	}
	return "held"
}
