package session

import (
	"cmp"
	"fmt"
	"path/filepath"
)

// The ways to a target that is not built here first.
const (
	WayExec    = "exec"    // a binary that is there already
	WayAttach  = "attach"  // a process that runs already
	WayCore    = "core"    // a core dump
	WayConnect = "connect" // the target of another Delve server
	WayTrace   = "trace"   // the trace of a panic in a log: no process at all
)

// Way is how the target is started or reached; the zero value builds a package and starts it.
type Way struct {
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
func (w Way) Builds() bool { return w.Kind == "" }

// Starts tells whether we start the target, and so end it, too.
func (w Way) Starts() bool { return w.Kind == "" || w.Kind == WayExec }

// String names the target for people: "process 4711", "core.4711 of app".
func (w Way) String() string {
	switch w.Kind {
	case WayExec:
		return filepath.Base(w.Binary)
	case WayAttach:
		if w.Binary == "" {
			return fmt.Sprintf("process %d", w.PID)
		}
		return fmt.Sprintf("process %d (%s)", w.PID, filepath.Base(w.Binary))
	case WayCore:
		return filepath.Base(w.Core) + " of " + filepath.Base(w.Binary)
	case WayConnect:
		return w.Addr
	case WayTrace:
		return w.trace().String()
	}
	return ""
}

func (w Way) trace() Trace {
	if w.Trace == nil {
		return Trace{}
	}
	return *w.Trace
}

// Doing says what happens until the target is there.
func (w Way) Doing() string {
	switch w.Kind {
	case WayExec:
		return "Starting " + w.String()
	case WayAttach:
		return "Attaching to " + w.String()
	case WayCore:
		return "Opening " + w.String()
	case WayConnect:
		return "Connecting to " + w.String()
	case WayTrace:
		return "Reading " + w.String()
	}
	return "Starting"
}

// Lives tells whether there is a process that may run.
func (w Way) Lives() bool { return w.Kind != WayCore && w.Kind != WayTrace }

// command is the way as it is written on the command line.
func (w Way) command() string {
	switch w.Kind {
	case WayExec:
		return w.Kind + " " + w.Binary
	case WayAttach:
		return fmt.Sprintf("%s %d", w.Kind, w.PID)
	case WayCore:
		return w.Kind + " " + w.Binary + " " + w.Core
	case WayTrace:
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
	if s.Way.Builds() {
		return s.Package
	}
	return s.Way.String()
}

// Found says how a target was come by that is held where it was found.
func (w Way) Found() string {
	switch w.Kind {
	case WayAttach:
		return "attached"
	case WayConnect:
		return "connected"
	case WayCore:
		return "core dump"
	case WayTrace:
		return "trace"
	}
	return "held"
}
