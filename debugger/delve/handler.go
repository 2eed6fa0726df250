package delve

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"
)

// A thread that a signal has reached stops at the first instruction of its handler when another
// one stops the program. A step from there must not be one in the handler: SIGTRAP is blocked
// in it, and the kernel answers a breakpoint that is hit meanwhile by taking the program's own
// handler of SIGTRAP away. The next one without a debugger then ends the program.

// signalHandlers are functions of the runtime that the kernel calls; what they have interrupted is
// the frame below.
var signalHandlers = []string{"runtime.sigtramp", "runtime.cgoSigtramp"}

// interruptedFrame is the frame of a stack that a signal has interrupted; 0: none was.
func interruptedFrame(frames []api.Stackframe) int {
	for i, f := range slices.Backward(frames) {
		if name := f.Function.Name(); (name == "runtime.sigtrampgo" || slices.Contains(signalHandlers, name)) && i+1 < len(frames) {
			return i + 1
		}
	}
	return 0
}

// leaveHandler plans to run to the end of the handler of a signal that a goroutine is in, and
// from there on as next does, which is given the number of frames that are left. It
// reports false where the goroutine is in none.
func (sp *steps) leaveHandler(ctx context.Context, p *plan, goroutine int64, next func(left int) error) (bool, error) {
	out, err := call[rpc2.StacktraceOut](ctx, sp.client, "Stacktrace", rpc2.StacktraceIn{Id: goroutine, Depth: handlerDepth})
	if err != nil {
		return false, fmt.Errorf("read the stack: %w", err)
	}
	left := interruptedFrame(out.Locations)
	if left == 0 {
		return false, nil
	}
	p.command.Name = api.Continue
	p.then = func() error { return next(left) }
	return true, sp.temporarily(ctx, p, []uint64{out.Locations[left].PC}, fmt.Sprintf("runtime.curg.goid == %d", goroutine))
}

// handlerDepth is how many frames a handler may have.
const handlerDepth = 24
