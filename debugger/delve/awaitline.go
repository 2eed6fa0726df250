package delve

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
)

// lineName begins the names of our breakpoints on the lines that are awaited.
const lineName = "pausetuiLine"

// awaitedLines are lines with hidden breakpoints, until the target reaches one of them.
type awaitedLines struct {
	places []debugger.Breakpoint
	ids    []int
	heard  func(come bool)
}

// AwaitLines calls heard(true) once the target reaches one of some lines, given by File and
// Line. It sets hidden breakpoints, which show no stop and are removed then. heard must not
// block. It is called with false if the breakpoints are removed first, because the person does
// something that they may disturb. A new call replaces the last one. It fails if no breakpoint
// can be set.
func (bs *breakpoints) AwaitLines(ctx context.Context, places []debugger.Breakpoint, heard func(come bool)) error {
	return bs.srv.Do(ctx, func(ctx context.Context) error {
		bs.endLines(ctx)
		var first error
		for i, at := range places {
			out, err := rpc.Call[rpc2.CreateBreakpointOut](ctx, bs.srv.Client, "CreateBreakpoint", rpc2.CreateBreakpointIn{
				Breakpoint: api.Breakpoint{Name: fmt.Sprintf("%s%d", lineName, i), File: at.File, Line: at.Line}})
			if err != nil {
				first = cmp.Or(first, fmt.Errorf("wait for %s:%d: %w", at.File, at.Line, err))
				continue
			}
			bs.awaited.ids = append(bs.awaited.ids, out.Breakpoint.ID)
		}
		if len(bs.awaited.ids) == 0 {
			return first
		}
		bs.awaited.places, bs.awaited.heard = places, heard
		return nil
	})
}

// comes ends the wait if the target has reached an awaited line.
func (bs *breakpoints) comes(ctx context.Context, state *api.DebuggerState) {
	at := slices.ContainsFunc(state.Threads, func(t *api.Thread) bool {
		return t.Breakpoint != nil && strings.HasPrefix(t.Breakpoint.Name, lineName)
	})
	if at {
		bs.heardOf(ctx, true)
	}
}

// heardOf ends the wait for lines, if there is one.
func (bs *breakpoints) heardOf(ctx context.Context, come bool) {
	if heard := bs.awaited.heard; heard != nil {
		bs.endLines(ctx)
		heard(come)
	}
}

func (bs *breakpoints) endLines(ctx context.Context) {
	for _, id := range bs.awaited.ids {
		_, _ = rpc.Call[rpc2.ClearBreakpointOut](ctx, bs.srv.Client, "ClearBreakpoint", rpc2.ClearBreakpointIn{Id: id}) // it may be gone
	}
	bs.awaited = awaitedLines{}
}

// inTheWay reports whether a breakpoint may be meant for an awaited line.
func (a awaitedLines) inTheWay(b debugger.Breakpoint) bool {
	return slices.ContainsFunc(a.places, func(at debugger.Breakpoint) bool { return b.Watch == "" && (b.Location != "" || b.File == at.File) })
}
