package delve

import (
	"context"
	"slices"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
)

// When main returns, the runtime lets a goroutine that panics finish, but not for long: it passes
// its processor on a thousand times. With a debugger, which stops the program meanwhile, that is
// over before the panic has come to its end, and the program ends as if it had not been.

// panicAtEnd shows the panic that is not over when main has returned; false for none.
func (mv *moves) panicAtEnd(ctx context.Context, state *api.DebuggerState) (debugger.Stop, bool) {
	switch mv.config.Panics {
	case debugger.PanicsFatal, debugger.PanicsOff:
		return debugger.Stop{}, false
	}
	for _, thread := range threadsAt(state, leaveName) {
		frames, _, err := mv.stops.stacks.frames(ctx, thread.GoroutineID, debugger.Page{})
		if err != nil || indexUser(frames) >= 0 || mv.dying { // os.Exit does not wait for panics
			continue
		}
		if deferring, err := mv.eval(ctx, debugger.FrameRef{Goroutine: -1}, "runtime.runningPanicDefers.value", childLoad); err != nil || deferring.Value == "0" {
			continue
		}
		g, sure := mv.panickingNow(ctx)
		if g == 0 {
			continue
		}
		stop, err := mv.stops.deferredStop(ctx, g)
		if err != nil {
			continue
		}
		stop.Panic.Thrown = !sure
		mv.dying = mv.dying || sure
		return stop, true
	}
	return debugger.Stop{}, false
}

// panickingNow is a goroutine that panics; sure: nothing will recover it.
func (mv *moves) panickingNow(ctx context.Context) (g debugger.GoroutineID, sure bool) {
	for g := range mv.panics.captured {
		if links, err := mv.panics.links(ctx, debugger.FrameRef{Goroutine: g}); err == nil && len(links) > 0 {
			return g, true
		}
	}
	out, err := call[rpc2.ListGoroutinesOut](ctx, mv.client, "ListGoroutines", rpc2.ListGoroutinesIn{Count: goroutinePage})
	if err != nil {
		return 0, false
	}
	for _, one := range out.Goroutines {
		frames, err := mv.steps.topFrames(ctx, one.ID, framePage)
		if err == nil && slices.ContainsFunc(frames, func(f api.Stackframe) bool { return f.Function.Name() == panicFunction }) {
			return debugger.GoroutineID(one.ID), false
		}
	}
	return 0, false
}
