package debugger

import "context"

// Inspector reads a stopped target. Every method fails with ErrRunning while
// the target runs and with ErrGone once it has ended.
//
// Implementations serialize the calls; a canceled context abandons the wait,
// not the operation in progress.
type Inspector interface {
	// Frames returns a page of a goroutine's stack, without variables.
	Frames(ctx context.Context, g GoroutineID, page Page) (frames []Frame, more bool, err error)
	// Load returns the frame with its arguments and locals.
	Load(ctx context.Context, at FrameRef) (Frame, error)
	// Evaluate evaluates a Go expression in a frame. It fails with ErrNoKey for
	// a lookup in a map that has no such key.
	Evaluate(ctx context.Context, at FrameRef, expr string) (Variable, error)
	// Children returns a page of the children of the value of v.Expr.
	Children(ctx context.Context, at FrameRef, v Variable, page Page) ([]Variable, error)
	// Goroutines returns a page of all goroutines, in the runtime's order.
	Goroutines(ctx context.Context, page Page) (list []Goroutine, more bool, err error)
}

// CallLister is an Inspector that knows the calls of a line.
type CallLister interface {
	// Calls lists the calls that the frame's line has still to make, in the
	// order of the source.
	Calls(ctx context.Context, at FrameRef) ([]Call, error)
}

// StackReader is an Inspector that knows more of a stack than its frames.
type StackReader interface {
	// Stack returns a stack with what the query asks for; more tells that it goes on.
	Stack(ctx context.Context, g GoroutineID, query StackQuery) (frames []StackFrame, more bool, err error)
	// Origin tells where a goroutine was started.
	Origin(ctx context.Context, g GoroutineID) (Origin, error)
	// Ancestors returns the goroutines that led to one, the nearest first, with
	// depth frames each. They are known where the target runs with
	// GODEBUG=tracebackancestors=N; else the error's hint says so.
	Ancestors(ctx context.Context, g GoroutineID, count, depth int) ([]Ancestor, error)
}

// Disassembler is an Inspector that reads machine code, too.
type Disassembler interface {
	// Disassemble returns the instructions of a function or of a range, written in
	// Go's syntax, or as the flavors "intel" and "gnu".
	Disassemble(ctx context.Context, at FrameRef, code Code, flavor string) ([]Instruction, error)
}
