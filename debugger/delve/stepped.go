package delve

import (
	"context"
	"fmt"

	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
)

// onlyStepped makes the stop of a step that has ended at a breakpoint the end of a
// step alone, where the breakpoint itself would have let the target pass.
func (mv *moves) onlyStepped(ctx context.Context, p *plan, state *api.DebuggerState, stop *debugger.Stop) {
	b := stop.Breakpoint
	if b == nil || !p.finished(state) || stop.Reason != debugger.ReasonBreakpoint || stop.Fault != "" {
		return
	}
	if b.Trace || !hitsCount(*b) || mv.isFalse(ctx, stop.Goroutine, condition(*b)) {
		stop.Reason, stop.Breakpoint, stop.Printed = debugger.ReasonStep, nil, nil
	}
}

// isFalse reports whether a condition is known to be false where a goroutine is.
func (mv *moves) isFalse(ctx context.Context, g debugger.GoroutineID, cond string) bool {
	if cond == "" {
		return false
	}
	v, err := ask.Eval(ctx, mv.stops.srv, debugger.FrameRef{Goroutine: g}, cond, messageLoad)
	return err == nil && v.Value == "false"
}

// hitsCount reports whether a breakpoint stops at the hit that it has counted last,
// as far as that is known.
func hitsCount(b debugger.Breakpoint) bool {
	var op string
	var n uint64
	if _, err := fmt.Sscanf(b.HitCond, "%1s%d", &op, &n); err != nil {
		if _, err := fmt.Sscanf(b.HitCond, "%2s%d", &op, &n); err != nil {
			return true
		}
	}
	if b.HitCondPerG || n == 0 {
		return true
	}
	switch op {
	case "==":
		return b.Hits == n
	case "!=":
		return b.Hits != n
	case ">":
		return b.Hits > n
	case ">=":
		return b.Hits >= n
	case "<":
		return b.Hits < n
	case "<=":
		return b.Hits <= n
	case "%":
		return b.Hits%n == 0
	}
	return true
}
