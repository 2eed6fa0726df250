package delve

import (
	"context"
	"slices"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/goroutines"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/stacks"
)

// When main returns while another goroutine panics, the runtime calls Gosched up to a thousand
// times to let the panic end the program. A debugger stops the program during the panic, so that
// main often exits first, with code 0, and nobody sees the panic.

// panicAtEnd shows a panic that is still running when main has returned; false if there is none.
func (mv *moves) panicAtEnd(ctx context.Context, state *api.DebuggerState) (debugger.Stop, bool) {
	switch mv.config.Panics {
	case debugger.PanicsFatal, debugger.PanicsOff:
		return debugger.Stop{}, false
	}
	for _, thread := range threadsAt(state, leaveName) {
		frames, _, err := stacks.Read(ctx, mv.stops.stacks, thread.GoroutineID, debugger.Page{})
		exits := slices.ContainsFunc(frames, func(f debugger.Frame) bool { return f.Function == "os.Exit" })
		if err != nil || exits || mv.srv.Dying { // os.Exit does not wait for panics
			continue
		}
		if deferring, err := ask.Eval(ctx, mv.srv, debugger.FrameRef{Goroutine: -1}, "runtime.runningPanicDefers.value", convert.ChildLoad); err != nil || deferring.Value == "0" {
			continue
		}
		g, sure := mv.panickingNow(ctx)
		if g == 0 || mv.recovery.shown[g] {
			continue
		}
		stop, err := mv.stops.deferredStop(ctx, g)
		if err != nil {
			continue
		}
		stop.Panic.Thrown = !sure
		mv.srv.Dying = mv.srv.Dying || sure
		return stop, true
	}
	return debugger.Stop{}, false
}

// panickingNow returns a goroutine with a panic that is not recovered; sure if nothing will recover
// it; 0 if there is none.
func (mv *moves) panickingNow(ctx context.Context) (g debugger.GoroutineID, sure bool) {
	for g := range mv.panics.captured {
		if mv.panicsStill(ctx, g) {
			return g, true
		}
	}
	for start := 0; start < mostAtEnd; {
		out, err := rpc.Call[rpc2.ListGoroutinesOut](ctx, mv.srv.Client, "ListGoroutines", rpc2.ListGoroutinesIn{Start: start, Count: goroutines.PageSize})
		if err != nil {
			break
		}
		for _, one := range out.Goroutines {
			frames, err := ask.TopFrames(ctx, mv.steps.srv, one.ID, stacks.FramePage)
			if g := debugger.GoroutineID(one.ID); err == nil && slices.ContainsFunc(frames, isPanic) && mv.panicsStill(ctx, g) {
				return g, false
			}
		}
		if start = out.Nextg; start <= 0 {
			break
		}
	}
	return 0, false
}

// mostAtEnd bounds how many goroutines are searched for a panic.
const mostAtEnd = 10_000

// panicsStill reports whether a goroutine has a panic that it has not recovered.
func (mv *moves) panicsStill(ctx context.Context, g debugger.GoroutineID) bool {
	links, err := mv.panics.links(ctx, debugger.FrameRef{Goroutine: g})
	return err == nil && len(links) > 0 && !links[0].recovered
}
