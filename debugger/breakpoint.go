package debugger

import "slices"

// Breakpoint is a place where the target stops, or tells something and goes on.
type Breakpoint struct {
	ID   int    `json:"id"`
	Name string `json:"name,omitempty"` // letters and digits, not a number alone
	// Location is what the person named, in Delve's syntax: "file.go:42",
	// "main.(*Index).Add", "main.Add:3", "/^main\.get/", "+2", "*0x4f2a10".
	// Empty when File and Line are given.
	Location string `json:"location,omitempty"`
	// At is the frame that a relative location, a name of its package and
	// Watch are looked up in; the zero value is the goroutine of the last stop.
	At       FrameRef `json:"at,omitzero"`
	File     string   `json:"file,omitempty"` // absolute
	Line     int      `json:"line,omitempty"`
	Function string   `json:"function,omitempty"`
	// Places is the number of addresses, or of places that a regular
	// expression has found; 0 is unknown.
	Places int `json:"places,omitempty"`
	// Lines are those of a breakpoint at several places, by their file.
	Lines map[string][]int `json:"lines,omitempty"`

	Cond        string      `json:"cond,omitempty"`           // a Go expression; stops only where it is true
	HitCond     string      `json:"hit_cond,omitempty"`       // of the number of hits: "> 3", "== 5", "% 10"
	HitCondPerG bool        `json:"hit_cond_per_g,omitempty"` // HitCond counts each goroutine by itself
	OnGoroutine GoroutineID `json:"on_goroutine,omitempty"`   // stops this goroutine only; 0: any
	Disabled    bool        `json:"disabled,omitempty"`

	// Trace prints and continues. Print, Stack and Goroutine are what is printed at
	// each hit, of tracepoints and of others alike.
	Trace     bool     `json:"trace,omitempty"`
	Print     []string `json:"print,omitempty"`     // expressions, in the frame of the breakpoint
	Args      bool     `json:"args,omitempty"`      // the arguments of the function
	Locals    bool     `json:"locals,omitempty"`    // the local variables of the function
	Stack     int      `json:"stack,omitempty"`     // frames of the stack
	Goroutine bool     `json:"goroutine,omitempty"` // which goroutine, and where it was started
	// Commands are lines of the command line that are carried out at each stop.
	Commands []string `json:"commands,omitempty"`
	// Session breakpoints are not kept for later sessions.
	Session bool `json:"session,omitempty"`

	// OnReturn stops (or tells) where the function returns, with its results.
	OnReturn bool `json:"on_return,omitempty"`
	// OnError stops where the function returns an error that is not nil.
	OnError bool `json:"on_error,omitempty"`

	// Watch is an expression whose value's memory is watched; WatchKind says
	// for what: WatchRead, WatchWrite or WatchReadWrite.
	Watch     string `json:"watch,omitempty"`
	WatchKind string `json:"watch_kind,omitempty"`

	Text  string `json:"text,omitempty"`  // the source line, trimmed, to find its place again after edits
	Place string `json:"place,omitempty"` // PlaceMoved, PlaceLost, PlacePending; empty: where it was set
	Was   int    `json:"was,omitempty"`   // the line before it moved
	Why   string `json:"why,omitempty"`   // why it is lost or pending, or not quite where it was asked for
	Hits  uint64 `json:"hits,omitempty"`
}

// What a watchpoint stops at.
const (
	WatchRead      = "r"
	WatchWrite     = "w"
	WatchReadWrite = "rw"
)

// Where a breakpoint is, if not where it was set.
const (
	PlaceMoved   = "moved"   // its line was found elsewhere, see Was
	PlaceLost    = "lost"    // its line, or its watched value, is gone
	PlacePending = "pending" // the target has no such place now
)

// IsAt reports whether a line is one of its places.
func (b Breakpoint) IsAt(file string, line int) bool {
	return b.Watch == "" && (b.File == file && b.Line == line || slices.Contains(b.Lines[file], line))
}

// Enabled reports whether the target can stop there.
func (b Breakpoint) Enabled() bool {
	return !b.Disabled && b.Place != PlaceLost && b.Place != PlacePending
}

// Conditional reports whether not every hit counts.
func (b Breakpoint) Conditional() bool {
	return b.Cond != "" || b.HitCond != "" || b.OnGoroutine != 0 || b.OnError
}

// Kind is the word for what it is: breakpoint, tracepoint, watchpoint.
func (b Breakpoint) Kind() string {
	switch {
	case b.Watch != "":
		return "watchpoint"
	case b.Trace:
		return "tracepoint"
	}
	return "breakpoint"
}

// TraceHit is what a tracepoint printed.
type TraceHit struct {
	Breakpoint int         `json:"breakpoint"`
	Goroutine  GoroutineID `json:"goroutine"`
	Function   string      `json:"function,omitempty"`
	File       string      `json:"file,omitempty"`
	Line       int         `json:"line,omitempty"`
	Returns    bool        `json:"returns,omitempty"` // the function returns there
	Values     []Variable  `json:"values,omitempty"`  // its arguments, locals and printed expressions
	Stack      []Frame     `json:"stack,omitempty"`
	Started    *Frame      `json:"started,omitempty"` // the function the goroutine was started with, if that was asked for
	Hits       uint64      `json:"hits,omitempty"`    // so far, this one included
}
