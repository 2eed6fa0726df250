package delve

import (
	"context"
	"fmt"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
)

// SetBreakpoint sets a breakpoint at File and Line, or else at Location (a
// function's name, "file.go:42"), and returns it with its ID and its place.
func (t *Target) SetBreakpoint(ctx context.Context, b debugger.Breakpoint) (set debugger.Breakpoint, err error) {
	err = t.do(ctx, func(ctx context.Context) error {
		want := api.Breakpoint{File: b.File, Line: b.Line, Cond: b.Cond}
		if b.File == "" {
			found, err := call[rpc2.FindLocationOut](ctx, t.client, "FindLocation", rpc2.FindLocationIn{
				Scope: api.EvalScope{GoroutineID: -1}, Loc: b.Location,
			})
			if err != nil {
				return fmt.Errorf("break at %q: %w", b.Location, err)
			}
			if len(found.Locations) == 0 {
				return fmt.Errorf("break at %q: no such place", b.Location)
			}
			want.Addrs = found.Locations[0].PCs
			want.Addr = found.Locations[0].PC
		}
		out, err := call[rpc2.CreateBreakpointOut](ctx, t.client, "CreateBreakpoint", rpc2.CreateBreakpointIn{Breakpoint: want})
		if err != nil {
			return fmt.Errorf("break at %s: %w", placeOf(b), err)
		}
		set = breakpoint(&out.Breakpoint)
		set.Location, set.Text = b.Location, b.Text
		return nil
	})
	return set, err
}

func placeOf(b debugger.Breakpoint) string {
	if b.File == "" {
		return b.Location
	}
	return fmt.Sprintf("%s:%d", b.File, b.Line)
}

// ClearBreakpoint removes a breakpoint that SetBreakpoint has set.
func (t *Target) ClearBreakpoint(ctx context.Context, id int) error {
	return t.do(ctx, func(ctx context.Context) error {
		if _, err := call[rpc2.ClearBreakpointOut](ctx, t.client, "ClearBreakpoint", rpc2.ClearBreakpointIn{Id: id}); err != nil {
			return fmt.Errorf("clear breakpoint %d: %w", id, err)
		}
		return nil
	})
}

func breakpoint(b *api.Breakpoint) debugger.Breakpoint {
	return debugger.Breakpoint{
		ID: b.ID, File: b.File, Line: b.Line, Function: b.FunctionName, Cond: b.Cond, Hits: b.TotalHitCount,
	}
}
