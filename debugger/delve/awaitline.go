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
)

// lineName begins the names of our breakpoints on the lines that are awaited.
const lineName = "pausetuiLine"

// awaitedLines are lines of which the first that is come to is heard of.
type awaitedLines struct {
	places []debugger.Breakpoint
	ids    []int
	heard  func(come bool)
}

// AwaitLines has it heard of, once, that the target comes to one of some lines, of which
// File and Line count. heard must not wait for anything; it is called with false when that
// will not be noticed, because the person does something that the breakpoints might be in the
// way of. They stop nobody, and are gone then. It replaces what was waited for before, and fails
// where none can be set.
func (bs *breakpoints) AwaitLines(ctx context.Context, places []debugger.Breakpoint, heard func(come bool)) error {
	return bs.do(ctx, func(ctx context.Context) error {
		bs.endLines(ctx)
		var first error
		for i, at := range places {
			out, err := call[rpc2.CreateBreakpointOut](ctx, bs.client, "CreateBreakpoint", rpc2.CreateBreakpointIn{
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

// comes tells that an awaited line was come to, if one was.
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
		_, _ = call[rpc2.ClearBreakpointOut](ctx, bs.client, "ClearBreakpoint", rpc2.ClearBreakpointIn{Id: id}) // it may be gone
	}
	bs.awaited = awaitedLines{}
}

// inTheWay reports whether a breakpoint may be meant for an awaited line.
func (a awaitedLines) inTheWay(b debugger.Breakpoint) bool {
	return slices.ContainsFunc(a.places, func(at debugger.Breakpoint) bool { return b.Watch == "" && (b.Location != "" || b.File == at.File) })
}
