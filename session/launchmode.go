package session

import (
	"fmt"
	"path/filepath"
)

// The launch modes of a target that is not built here first.
const (
	ModeExec    = "exec"    // a binary that is there already
	ModeAttach  = "attach"  // a process that runs already
	ModeCore    = "core"    // a core dump
	ModeConnect = "connect" // the target of another Delve server
	ModeTrace   = "trace"   // the trace of a panic in a log: no process at all
	ModePast    = "past"    // a run in the sandbox, up to a moment before a crash
)

// LaunchMode is how the target is started or reached; the zero value builds a package and starts it.
type LaunchMode struct {
	Kind   string `json:"kind,omitempty"`
	Binary string `json:"binary,omitempty"` // absolute; of exec and core, and what the process runs
	PID    int    `json:"pid,omitempty"`
	Core   string `json:"core,omitempty"` // absolute
	Addr   string `json:"addr,omitempty"` // HOST:PORT or unix:PATH
	Trace  *Trace `json:"trace,omitempty"`
	// ForeignArgs: the arguments are not the person's choice, but that of an agent or a
	// guest. Fixes are not shown the files that they name.
	ForeignArgs bool `json:"foreign_args,omitempty"`
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
	// Kept names its text next to the log; empty where it was not kept.
	Kept string `json:"kept,omitempty"`
}

// String names the trace: "the trace in app.log, line 120".
func (t Trace) String() string {
	if t.File == "" {
		return "a pasted trace"
	}
	return fmt.Sprintf("the trace in %s, line %d", filepath.Base(t.File), t.Line)
}

// Builds reports whether the target is built here.
func (m LaunchMode) Builds() bool { return m.Kind == "" }

// Starts reports whether we start the target, and so end it, too.
func (m LaunchMode) Starts() bool { return m.Kind == "" || m.Kind == ModeExec }

// String names the target for people: "process 4711", "core.4711 of app".
func (m LaunchMode) String() string {
	switch m.Kind {
	case ModeExec:
		return filepath.Base(m.Binary)
	case ModeAttach:
		if m.Binary == "" {
			return fmt.Sprintf("process %d", m.PID)
		}
		return fmt.Sprintf("process %d (%s)", m.PID, filepath.Base(m.Binary))
	case ModeCore:
		return filepath.Base(m.Core) + " of " + filepath.Base(m.Binary)
	case ModeConnect:
		return m.Addr
	case ModeTrace:
		return m.trace().String()
	case ModePast:
		return "the past"
	}
	return ""
}

func (m LaunchMode) trace() Trace {
	if m.Trace == nil {
		return Trace{}
	}
	return *m.Trace
}

// Doing says what happens until the target is there.
func (m LaunchMode) Doing() string {
	switch m.Kind {
	case ModeExec:
		return "Starting " + m.String()
	case ModeAttach:
		return "Attaching to " + m.String()
	case ModeCore:
		return "Opening " + m.String()
	case ModeConnect:
		return "Connecting to " + m.String()
	case ModeTrace:
		return "Reading " + m.String()
	case ModePast:
		return "Going back"
	}
	return "Starting"
}

// Lives reports whether there is a process that may run.
func (m LaunchMode) Lives() bool { return m.Kind != ModeCore && m.Kind != ModeTrace }

// command is the launch mode as it is written on the command line.
func (m LaunchMode) command() string {
	switch m.Kind {
	case ModeExec:
		return m.Kind + " " + shellWord(m.Binary)
	case ModeAttach:
		return fmt.Sprintf("%s %d", m.Kind, m.PID)
	case ModeCore:
		return m.Kind + " " + shellWord(m.Binary) + " " + shellWord(m.Core)
	case ModeTrace:
		return m.Kind + " " + m.trace().words("")
	}
	return m.Kind + " " + shellWord(m.Addr)
}

// Target names for people what is debugged.
func (s Started) Target() string {
	if s.Mode.Builds() {
		return s.Package
	}
	return s.Mode.String()
}

// Found says how a target was obtained that is held where it was found.
func (m LaunchMode) Found() string {
	switch m.Kind {
	case ModeAttach:
		return "attached"
	case ModeConnect:
		return "connected"
	case ModeCore:
		return "core dump"
	case ModeTrace:
		return "trace"
	case ModePast:
		return "past"
	}
	return "held"
}
