package delve

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
)

// SetBreakpoint sets a breakpoint at File and Line, or else at Location (a
// function's name, "file.go:42"), and returns it with its ID and its place.
func (t *Target) SetBreakpoint(ctx context.Context, b debugger.Breakpoint) (set debugger.Breakpoint, err error) {
	err = t.do(ctx, func(ctx context.Context) error {
		set, err = t.setBreakpoint(ctx, b)
		return err
	})
	return set, err
}

func (t *Target) setBreakpoint(ctx context.Context, b debugger.Breakpoint) (debugger.Breakpoint, error) {
	want := wanted(b)
	if b.File != "" {
		want.File, want.Line = b.File, b.Line
	} else {
		found, err := call[rpc2.FindLocationOut](ctx, t.client, "FindLocation", rpc2.FindLocationIn{Scope: current(b.At), Loc: b.Location})
		if err != nil {
			return b, fmt.Errorf("break at %q: %w", b.Location, err)
		}
		for _, at := range found.Locations {
			want.Addrs = append(want.Addrs, at.PCs...)
		}
		if len(want.Addrs) == 0 {
			return b, fmt.Errorf("break at %q: no such place", b.Location)
		}
	}
	out, err := call[rpc2.CreateBreakpointOut](ctx, t.client, "CreateBreakpoint", rpc2.CreateBreakpointIn{Breakpoint: want})
	if err != nil {
		return b, fmt.Errorf("break at %s: %w", placeOf(b), err)
	}
	return t.landed(b, &out.Breakpoint), nil
}

// landed is a breakpoint with where the debugger has put it.
func (t *Target) landed(b debugger.Breakpoint, at *api.Breakpoint) debugger.Breakpoint {
	b.ID, b.File, b.Line, b.Function = at.ID, at.File, at.Line, at.FunctionName
	b.Places, b.Hits = len(at.Addrs), at.TotalHitCount
	return b
}

// wanted is what Delve is to know of a breakpoint, but for its place.
func wanted(b debugger.Breakpoint) api.Breakpoint {
	want := api.Breakpoint{
		Name: b.Name, Cond: condition(b), HitCond: b.HitCond, HitCondPerG: b.HitCondPerG, Disabled: b.Disabled,
		Tracepoint: b.Trace, Goroutine: b.Goroutine, Stacktrace: b.Stack, Variables: b.Print,
	}
	if b.Args {
		want.LoadArgs = &childLoad
	}
	if b.Locals {
		want.LoadLocals = &childLoad
	}
	return want
}

// condition is the one expression that Delve evaluates at each hit.
func condition(b debugger.Breakpoint) string {
	var parts []string
	if b.OnGoroutine != 0 {
		parts = append(parts, fmt.Sprintf("runtime.curg.goid == %d", b.OnGoroutine))
	}
	if b.Cond != "" {
		parts = append(parts, b.Cond)
	}
	if len(parts) > 1 {
		parts[1] = "(" + parts[1] + ")"
	}
	return strings.Join(parts, " && ")
}

// current is a frame, or where the target stopped last if it is none.
func current(at debugger.FrameRef) api.EvalScope {
	if at.Goroutine == 0 {
		at.Goroutine = -1
	}
	return scope(at)
}

func placeOf(b debugger.Breakpoint) string {
	if b.File == "" {
		return b.Location
	}
	return fmt.Sprintf("%s:%d", b.File, b.Line)
}

// AmendBreakpoint changes what is done at a breakpoint that is set: all but
// its place.
func (t *Target) AmendBreakpoint(ctx context.Context, b debugger.Breakpoint) error {
	return t.do(ctx, func(ctx context.Context) error {
		want := wanted(b)
		want.ID = b.ID
		if _, err := call[rpc2.AmendBreakpointOut](ctx, t.client, "AmendBreakpoint", rpc2.AmendBreakpointIn{Breakpoint: want}); err != nil {
			return fmt.Errorf("change breakpoint %d: %w", b.ID, err)
		}
		return nil
	})
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
