package debugger

import "time"

// GoroutineID is the runtime's number of a goroutine.
type GoroutineID int64

// FrameRef names a frame of a stopped target; Frame counts from the innermost, 0.
type FrameRef struct {
	Goroutine GoroutineID `json:"goroutine"`
	Frame     int         `json:"frame"`
	// Deferred counts the calls that the frame has deferred, from 1: the frame
	// is that call then, before it runs. 0 is the frame itself.
	Deferred int `json:"deferred,omitempty"`
}

// Frame is one call on a goroutine's stack.
type Frame struct {
	Index    int    `json:"index"`    // from the innermost, 0; what FrameRef.Frame takes
	Function string `json:"function"` // with its package: "main.(*Index).Add", "example.com/a/b.Load.func1"
	File     string `json:"file"`     // absolute path as the binary records it
	Line     int    `json:"line"`     // 1-based; the line of the call that has not returned
	PC       uint64 `json:"pc,omitempty"`
	User     bool   `json:"user"`    // belongs to one of the user's modules
	Runtime  bool   `json:"runtime"` // belongs to package runtime or to the compiler's glue
	// Optimized: the compiler may keep its variables nowhere, and reorder lines.
	Optimized bool `json:"optimized,omitempty"`
	// Args and Locals are set where Loaded is true.
	Loaded bool       `json:"loaded,omitempty"`
	Args   []Variable `json:"args,omitempty"`
	Locals []Variable `json:"locals,omitempty"`
	Err    string     `json:"err,omitempty"` // why the frame could not be read further
}

// Variables returns arguments, then locals.
func (f Frame) Variables() []Variable {
	vars := make([]Variable, 0, len(f.Args)+len(f.Locals))
	return append(append(vars, f.Args...), f.Locals...)
}

// Goroutine is one goroutine of a stopped target.
type Goroutine struct {
	ID         GoroutineID `json:"id"`
	State      string      `json:"state"`          // "running", "runnable", "waiting", "syscall", "dead", …
	WaitReason string      `json:"wait,omitempty"` // the runtime's words: "chan receive", "sleep", "sync.Mutex.Lock"
	WaitSince  int64       `json:"since,omitempty"`
	Thread     int         `json:"thread,omitempty"` // OS thread, 0 if none
	Current    Frame       `json:"current,omitzero"` // the innermost frame, without variables
	User       Frame       `json:"user"`             // the innermost frame outside the runtime, without variables
	Start      Frame       `json:"start"`            // the function it was started with
	GoAt       Frame       `json:"go_at"`            // the go statement that started it
	System     bool        `json:"system,omitempty"` // one of the runtime's own
	// Waited is how long it has waited when the target stopped, at least: the
	// runtime notes the time at its garbage collections only. 0 where that is
	// not known.
	Waited time.Duration `json:"waited,omitempty"`
	// Signature is the same for goroutines with the same stack, state and go
	// statement; 0 where it is not known. It means nothing in another target.
	Signature uint64 `json:"-"`
	// WaitsOn are the addresses of the channels that it waits to send to or to
	// receive from: several in a select.
	WaitsOn []uint64 `json:"waits_on,omitempty"`
	// Labels are those of runtime/pprof.
	Labels map[string]string `json:"labels,omitempty"`
	Err    string            `json:"err,omitempty"` // why it could not be read
}

// Page asks for a part of a long list.
type Page struct {
	Start int `json:"start"`
	Count int `json:"count"` // ≤ 0 asks for the default of the call
}
