package delve

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
)

// AwaitTest has the end of a test heard of: heard is called from the goroutine
// of a Resume and must not wait for anything. It replaces what was waited for
// before.
func (ts *tests) AwaitTest(ctx context.Context, name string, heard func(debugger.TestReport)) error {
	return ts.srv.Do(ctx, func(ctx context.Context) error {
		ts.endAwait(ctx)
		out, err := rpc.Call[rpc2.CreateBreakpointOut](ctx, ts.srv.Client, "CreateBreakpoint", rpc2.CreateBreakpointIn{Breakpoint: api.Breakpoint{
			Name: reportName, FunctionName: "testing.(*T).report", Cond: "t.common.name == " + strconv.Quote(name),
		}})
		if err != nil {
			return fmt.Errorf("wait for %s: %w", name, err)
		}
		ts.awaited, ts.heard = out.Breakpoint.ID, heard
		return nil
	})
}

func (ts *tests) endAwait(ctx context.Context) {
	if ts.awaited != 0 {
		_, _ = rpc.Call[rpc2.ClearBreakpointOut](ctx, ts.srv.Client, "ClearBreakpoint", rpc2.ClearBreakpointIn{Id: ts.awaited}) // it may be gone
	}
	ts.awaited, ts.heard = 0, nil
}

// reports tells of the awaited test, if it has ended.
func (ts *tests) reports(ctx context.Context, state *api.DebuggerState) {
	for _, thread := range threadsAt(state, reportName) {
		at := debugger.FrameRef{Goroutine: debugger.GoroutineID(thread.GoroutineID)}
		report := debugger.TestReport{Name: ts.text(ctx, at, "t.common.name")}
		for expr, set := range map[string]*bool{"t.common.failed": &report.Failed, "t.common.skipped": &report.Skipped} {
			v, err := ask.Eval(ctx, ts.srv, at, expr, convert.ChildLoad)
			*set = err == nil && v.Value == "true"
		}
		if ts.heard != nil {
			ts.heard(report)
		}
		ts.endAwait(ctx)
	}
}
