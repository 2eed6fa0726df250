package debugger

// Motion is how the target is to run. The names are dlv's.
type Motion string

// The motions. All but Continue and Rewind act on one goroutine and stop again
// by themselves.
const (
	Continue        Motion = "continue"
	Next            Motion = "next"
	StepIn          Motion = "step"
	StepOut         Motion = "stepout"
	StepInstruction Motion = "step-instruction"
	NextInstruction Motion = "next-instruction"
	// ContinueTo runs to Move.Location, or to File and Line: run to cursor.
	ContinueTo Motion = "continue-to"
	// StepCall steps into one chosen call of the line, Move.Callee.
	StepCall Motion = "step-call"
	// CallFunction calls Move.Expr in the target, whose goroutines all run meanwhile.
	CallFunction Motion = "call"
)

// The motions backwards, of a target that was recorded.
const (
	Rewind                 Motion = "rewind"
	ReverseNext            Motion = "reverse-next"
	ReverseStep            Motion = "reverse-step"
	ReverseStepOut         Motion = "reverse-stepout"
	ReverseStepInstruction Motion = "reverse-step-instruction"
	ReverseNextInstruction Motion = "reverse-next-instruction"
)

// Steps tells the motions forward that end soon, most of the time.
func (m Motion) Steps() bool {
	switch m {
	case Next, StepIn, StepOut, StepInstruction, NextInstruction:
		return true
	}
	return false
}

// Backwards reports whether a motion needs a recorded target.
func (m Motion) Backwards() bool {
	switch m {
	case Rewind, ReverseNext, ReverseStep, ReverseStepOut, ReverseStepInstruction, ReverseNextInstruction:
		return true
	}
	return false
}

// Move is a motion with what it needs.
type Move struct {
	Motion    Motion
	Goroutine GoroutineID // that steps, or calls; 0: the one of the last stop
	Frame     int         // StepOut leaves this frame, with those inside it; Expr is evaluated there
	Expr      string      // CallFunction: "x.Reset(3)"
	Unsafe    bool        // CallFunction: pass pointers into the stack, unchecked
	Callee    uint64      // StepCall: Call.PC of the call to enter
	Location  string      // ContinueTo, in Delve's syntax
	File      string      // ContinueTo: absolute, with Line
	Line      int
	// KeepStep has Continue go on with a step that was interrupted, by a
	// breakpoint on another goroutine or by a halt; see Stop.Step.
	KeepStep bool
}

// Call is a call that a line makes.
type Call struct {
	PC       uint64 `json:"pc"`       // of the call's instruction
	Function string `json:"function"` // that is called; empty where only the run will tell
	Text     string `json:"text"`     // as the source writes it: "x.parse(line)"
	Column   int    `json:"column,omitempty"`
	File     string `json:"file,omitempty"` // of Function
	Line     int    `json:"line,omitempty"`
	// The line that calls.
	SiteFile string `json:"site_file,omitempty"`
	SiteLine int    `json:"site_line,omitempty"`
}

// Checkpoint is a moment of a recorded target that can be gone back to.
type Checkpoint struct {
	ID    int    `json:"id"`
	When  string `json:"when"` // the recorder's number of the event
	Where string `json:"where,omitempty"`
}
