package delve

import (
	"context"

	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
)

// Restart has the server of a connection start its program again, and holds it
// before its first instruction. Breakpoints are to be set again: those that Delve
// keeps are where the code of the program before was.
func (t *Target) Restart(ctx context.Context) error {
	if !t.can.Restart {
		return t.can.Refuse("be started again")
	}
	if err := t.takeEnded(ctx); err != nil {
		return err
	}
	defer t.release()
	if _, err := call[rpc2.RestartOut](ctx, t.client, "Restart", rpc2.RestartIn{}); err != nil {
		return err
	}
	pid, err := call[rpc2.ProcessPidOut](ctx, t.client, "ProcessPid", rpc2.ProcessPidIn{})
	if err != nil {
		return err
	}
	t.pid = pid.Pid
	for id := range t.breaks {
		_ = t.clearBreakpoint(ctx, id) // it may have gone with the program
	}
	t.forgetRuntime() // the program may be another by now
	t.captured, t.waiting, t.dying = map[debugger.GoroutineID]pending{}, nil, false
	t.mu.Lock()
	t.state, t.exit, t.halting, t.resuming, t.staleHalt = stopped, nil, false, false, false
	t.mu.Unlock()
	return nil
}

// LeavesNothing reports whether leaving the server ends its program: it serves one
// client, and has started the program itself.
func (t *Target) LeavesNothing() bool {
	return t.mode == connected && !t.multi && t.can.Restart
}
