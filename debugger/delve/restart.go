package delve

import (
	"context"

	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/goroutines"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
)

// Restart has the server of a connection start its program again, and holds it
// before its first instruction. Breakpoints are to be set again: those that Delve
// keeps are where the code of the program before was.
func (t *Target) Restart(ctx context.Context) error {
	if !t.srv.Can.Restart {
		return t.srv.Can.Refuse("be started again")
	}
	if err := t.srv.TakeEnded(ctx); err != nil {
		return err
	}
	defer t.srv.Release()
	if _, err := rpc.Call[rpc2.RestartOut](ctx, t.srv.Client, "Restart", rpc2.RestartIn{}); err != nil {
		return err
	}
	pid, err := rpc.Call[rpc2.ProcessPidOut](ctx, t.srv.Client, "ProcessPid", rpc2.ProcessPidIn{})
	if err != nil {
		return err
	}
	t.srv.PID = pid.Pid
	for id := range t.breaks {
		_ = t.clearBreakpoint(ctx, id) // it may have gone with the program
	}
	goroutines.ForgetRuntime(t.Lister) // the program may be another by now
	t.captured, t.waiting, t.srv.Dying = map[debugger.GoroutineID]pending{}, nil, false
	control.Restarted(t.Halts)
	return nil
}

// LeavesNothing reports whether leaving the server ends its program: it serves one
// client, and has started the program itself.
func (t *Target) LeavesNothing() bool {
	return t.srv.Mode == control.Connected && !t.Other.Multi && t.srv.Can.Restart
}
