package delve

import (
	"context"
	"fmt"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
)

// What more than one place asks of Delve; for who holds the queue.

// status is what Delve says of the target as it stands.
func (t *Target) status(ctx context.Context) (*api.DebuggerState, error) {
	out, err := call[rpc2.StateOut](ctx, t.client, "State", rpc2.StateIn{})
	return out.State, err
}

// listBreakpoints lists all breakpoints, our own and Delve's among them.
func (t *Target) listBreakpoints(ctx context.Context) ([]*api.Breakpoint, error) {
	out, err := call[rpc2.ListBreakpointsOut](ctx, t.client, "ListBreakpoints", rpc2.ListBreakpointsIn{})
	if err != nil {
		return nil, fmt.Errorf("list breakpoints: %w", err)
	}
	return out.Breakpoints, nil
}

// frameAt is a frame as Delve has it, without its variables.
func (t *Target) frameAt(ctx context.Context, goroutine int64, frame int) (api.Stackframe, error) {
	out, err := call[rpc2.StacktraceOut](ctx, t.client, "Stacktrace", rpc2.StacktraceIn{Id: goroutine, Depth: frame + 1})
	if err != nil {
		return api.Stackframe{}, fmt.Errorf("read the stack: %w", err)
	}
	if frame >= len(out.Locations) {
		return api.Stackframe{}, noFrame(debugger.FrameRef{Goroutine: debugger.GoroutineID(goroutine), Frame: frame})
	}
	return out.Locations[frame], nil
}
