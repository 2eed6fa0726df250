package delve

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger"
)

// A thread that a signal has reached stops at the first instruction of its handler when another
// one stops the program. A step from there must not be one in the handler: SIGTRAP is blocked
// in it, and the kernel answers a breakpoint that is hit meanwhile by taking the program's own
// handler of SIGTRAP away. The next one without a debugger then ends the program.

// signalHandlers are functions of the runtime that the kernel calls; what they have interrupted is
// the frame below.
var signalHandlers = []string{"runtime.sigtramp", "runtime.cgoSigtramp"}

// interrupted are the functions below which a stack goes on with what a signal has interrupted.
// From asyncPreempt, which a handler has the thread call, a step must not go through its
// instructions: it saves the flags, and with them that of a single step, which is then set for
// good; and Delve's death at one of its breakpoints would cost the instruction there.
var interrupted = append([]string{"runtime.sigtrampgo", "runtime.asyncPreempt"}, signalHandlers...)

// interruptedFrame is the frame of a stack that a signal has interrupted, or, where that is of the
// runtime, the one below that is not; 0: none was. Handlers of other threads run code of the
// runtime, too, and must hit no breakpoint there.
func interruptedFrame(frames []api.Stackframe) int {
	handler := handlerIn(frames)
	if handler < 0 {
		return 0
	}
	for i, f := range frames[handler+1:] {
		if !isRuntime(f.Function.Name(), f.File) {
			return handler + 1 + i
		}
	}
	return 0
}

// handlerIn is the outermost frame of a signal's handler, or of asyncPreempt; negative for none.
func handlerIn(frames []api.Stackframe) (at int) {
	at = -1
	for i, f := range frames {
		if slices.Contains(interrupted, f.Function.Name()) {
			at = i
		}
	}
	return at
}

// handlerDepth is how many frames a handler may have.
const handlerDepth = 16

// leaveHandler plans to run to the end of the handler of a signal that a goroutine is in, and
// from there on as next does, which is given the number of frames that are left. It
// reports false where the goroutine is in none.
func (sp *steps) leaveHandler(ctx context.Context, p *plan, goroutine int64, next func(left int) error) (bool, error) {
	frames, err := sp.topFrames(ctx, goroutine, handlerDepth)
	if err != nil || handlerIn(frames) < 0 {
		return false, err
	}
	if frames, err = sp.topFrames(ctx, goroutine, deepPage); err != nil {
		return false, err
	}
	left := interruptedFrame(frames)
	if left == 0 {
		return false, nil
	}
	p.command.Name = api.Continue
	p.then = func() error { return next(left) }
	if slices.ContainsFunc(frames[:left], isPanic) { // that frame does not go on
		return true, sp.awaitRecovery(ctx, p, goroutine)
	}
	addrs := []uint64{frames[left].PC}
	// The signal may be one of the statement itself: then the thread goes on there.
	if faults, err := sp.places.addresses(ctx, debugger.FrameRef{Goroutine: -1}, "runtime.sigpanic"); err == nil {
		addrs = append(addrs, faults...)
	}
	return true, sp.temporarily(ctx, p, addrs, fmt.Sprintf("runtime.curg.goid == %d", goroutine))
}
