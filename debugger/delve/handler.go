package delve

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/places"
	"github.com/pausetui/pausetui/debugger/delve/serve"
	"github.com/pausetui/pausetui/debugger/delve/source"
)

// When a breakpoint stops the program, a thread that has just received a signal stops at the first
// instruction of the signal's handler. A step must not begin there. SIGTRAP is blocked in the
// handler, and when a breakpoint is hit while SIGTRAP is blocked, the kernel resets the program's
// SIGTRAP handler to the default. The next SIGTRAP without a debugger then kills the program.

// interrupted are the functions whose callers in a stack are code that a signal has interrupted.
// asyncPreempt is one: the signal handler makes the thread call it. A step must not go through
// its instructions either. It saves the processor's flags and restores them; saved during a single
// step, they have the trap flag set for good. And if Delve dies at a breakpoint on one of its
// one-byte instructions, that instruction is skipped.
var interrupted = append([]string{"runtime.sigtrampgo", "runtime.asyncPreempt"}, serve.SignalHandlers...)

// interruptedFrame is the index of the first frame below a signal's handler that is not the
// runtime's; 0 if there is none. A breakpoint in the runtime might be hit in the handlers of other
// threads.
func interruptedFrame(frames []api.Stackframe) int {
	handler := handlerIn(frames)
	if handler < 0 {
		return 0
	}
	for i, f := range frames[handler+1:] {
		if !source.IsRuntime(f.Function.Name(), f.File) {
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

// handlerDepth is how many frames of a stack are searched for a handler.
const handlerDepth = 16

// leaveHandler plans to run a goroutine to the end of the signal handler that is in its top
// frames, and then what next plans, which gets the number of frames that were left. It reports
// false if there is no handler.
func (sp *steps) leaveHandler(ctx context.Context, p *plan, goroutine int64, top []api.Stackframe, next func(left int) error) (bool, error) {
	if handlerIn(top[:min(len(top), handlerDepth)]) < 0 {
		return false, nil
	}
	frames, err := ask.TopFrames(ctx, sp.srv, goroutine, deepPage)
	if err != nil {
		return false, err
	}
	left := interruptedFrame(frames)
	if left == 0 {
		return false, nil
	}
	p.command.Name = api.Continue
	p.then = func() error { return next(left) }
	if slices.ContainsFunc(frames[:left], isPanic) { // that frame does not continue
		return true, sp.awaitRecovery(ctx, p, goroutine)
	}
	addrs := []uint64{frames[left].PC}
	// If the statement itself caused the signal, the handler makes the thread continue in sigpanic.
	if faults, err := places.Addresses(ctx, sp.places, debugger.FrameRef{Goroutine: -1}, "runtime.sigpanic"); err == nil {
		addrs = append(addrs, faults...)
	}
	return true, sp.temporarily(ctx, p, addrs, fmt.Sprintf("runtime.curg.goid == %d", goroutine))
}
