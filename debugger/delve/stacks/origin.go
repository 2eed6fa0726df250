package stacks

import (
	"context"
	"fmt"
	"strconv"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/source"
)

// Origin tells where a goroutine was started.
func (st *Unwinder) Origin(ctx context.Context, g debugger.GoroutineID) (origin debugger.Origin, err error) {
	err = st.srv.Do(ctx, func(ctx context.Context) error {
		at := debugger.FrameRef{Goroutine: g}
		pc, err := ask.Number(ctx, st.srv, at, "runtime.curg.gopc")
		if err != nil {
			return fmt.Errorf("where goroutine %d was started: %w", g, err)
		}
		if by, err := ask.Number(ctx, st.srv, at, "runtime.curg.parentGoid"); err == nil { // not in older programs
			origin.By = debugger.GoroutineID(by)
		}
		if pc == 0 {
			return nil
		}
		// The address is that after the call; the line is the call's.
		out, err := rpc.Call[rpc2.FindLocationOut](ctx, st.srv.Client, "FindLocation", rpc2.FindLocationIn{
			Scope: api.EvalScope{GoroutineID: -1}, Loc: "*0x" + strconv.FormatUint(pc-1, 16),
		})
		if err != nil || len(out.Locations) == 0 {
			return fmt.Errorf("where goroutine %d was started: no line for %#x", g, pc)
		}
		if f := source.Frame(st.sources, out.Locations[0]); !f.Runtime {
			origin.At = convert.Location(out.Locations[0])
		}
		return nil
	})
	return origin, err
}
