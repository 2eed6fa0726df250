package debugger

// StackMode says how a stack is walked.
type StackMode string

// The modes.
const (
	StackNormal StackMode = ""       // goes over from the C stack to Go's and back
	StackSimple StackMode = "simple" // stays on one stack
	StackFromG  StackMode = "fromg"  // begins with the registers that the runtime keeps in its g
)

// StackQuery asks for a stack with more than its frames.
type StackQuery struct {
	Depth  int // frames below the innermost one
	Full   bool
	Defers bool
	Mode   StackMode
}

// StackFrame is a frame with what is seldom asked for.
type StackFrame struct {
	Frame
	Offset        int64      `json:"offset,omitempty"`         // of the frame's beginning from the stack's
	PointerOffset int64      `json:"pointer_offset,omitempty"` // of the frame pointer from the stack's beginning
	Defers        []Deferred `json:"defers,omitempty"`         // the one that runs first, first
}

// Deferred is a call that a frame has deferred.
type Deferred struct {
	Call Location `json:"call"` // the function that will be called
	At   Location `json:"at"`   // the defer statement
	Err  string   `json:"err,omitempty"`
}

// Origin is where a goroutine was started.
type Origin struct {
	By GoroutineID `json:"by,omitempty"` // whose go statement it was, which may have ended; 0 where that is not known
	At Location    `json:"at"`           // the go statement; the zero value where the runtime has started it
}

// Ancestor is a goroutine that started another, perhaps by others between.
type Ancestor struct {
	ID     GoroutineID `json:"id"`
	Frames []Frame     `json:"frames,omitempty"` // where it was when it did
	Err    string      `json:"err,omitempty"`
}
