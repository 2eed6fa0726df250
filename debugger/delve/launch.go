package delve

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/corefile"
	"github.com/pausetui/pausetui/debugger/delve/goroutines"
	"github.com/pausetui/pausetui/debugger/delve/process"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/serve"
	"github.com/pausetui/pausetui/debugger/delve/source"
	"github.com/pausetui/pausetui/internal/supervise"
)

// preprintName names our breakpoint on runtime.preprintpanics, the last place
// where panic values still have their types.
const preprintName = "pausetuiPreprint"

// thrownName names our breakpoint on runtime.gopanic, recoveredName begins the
// names of those after a recover of recovery middleware.
const (
	thrownName    = "pausetuiThrown"
	recoveredName = "pausetuiRecovered"
)

// Launch starts the program and holds it before its first instruction. ctx
// bounds the launch alone; the target lives until Close.
//
// Errors carry hints; they are debugger.ErrPtrace, debugger.ErrGoVersion or an
// fs error where it is one of those.
func Launch(ctx context.Context, config Config) (*Target, error) {
	if err := config.check(); err != nil {
		return nil, err
	}
	want, err := config.order()
	if err != nil {
		return nil, err
	}
	return withServer(ctx, control.Launched, config, want)
}

// withServer has a server of ours debug what the order says.
func withServer(ctx context.Context, mode control.Mode, config Config, want rpc.Order) (*Target, error) {
	t, err := started(ctx, mode, config, want.Attach)
	if err != nil {
		return nil, fmt.Errorf("start the debugger: %w", err)
	}
	t.want = want
	if err := t.open(ctx); err != nil {
		_ = t.Close()
		return nil, err
	}
	return t, nil
}

// start starts the server process; pid is what it is going to be attached to, or 0.
func start(ctx context.Context, mode control.Mode, config Config, pid int) (*Target, error) {
	conn, theirs, err := process.SocketPair()
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	alive, kill := context.WithCancel(context.WithoutCancel(ctx))
	t := newTarget(ctx, mode, config, conn, kill)
	server := supervise.Debugger(alive, mode.Grace(), pid, serve.Name)
	server.ExtraFiles = []*os.File{theirs}
	server.Stderr = t.srv.Stderr
	server.SysProcAttr = process.OwnSession()
	server.WaitDelay += 10 * time.Second
	if err := server.Start(); err != nil {
		t.srv.End()
		kill()
		_ = conn.Close()
		return nil, err
	}
	go t.srv.Watch(server)
	return t, nil
}

// open tells the server what to launch and prepares the target.
func (t *Target) open(ctx context.Context) error {
	// A blocked write or read ends when the connection is closed.
	stop := context.AfterFunc(ctx, func() { _ = t.srv.Conn.SetDeadline(time.Unix(1, 0)) })
	var got rpc.Answer
	err := rpc.Send(t.srv.Conn, t.want)
	if err == nil {
		err = rpc.Receive(t.srv.Conn, &got)
	}
	if !stop() { // the deadline is set, or about to be
		return ctx.Err()
	}
	switch {
	case got.Error != "":
		return t.openError(rpc.Error{Text: got.Error})
	case err != nil:
		_ = t.Close() // its last words are complete then
		return fmt.Errorf("start the debugger: %w: %s", err, t.srv.Stderr)
	}
	t.srv.Client = rpc.NewClient(t.srv.Conn)
	if t.srv.Mode == control.Opened {
		t.srv.Client.Absent = corefile.AbsentOf(ctx, t.config.Binary, t.want.Core)
	}
	return t.prepare(ctx)
}

// prepare makes a target that is held ready for use.
func (t *Target) prepare(ctx context.Context) error {
	pid, err := rpc.Call[rpc2.ProcessPidOut](ctx, t.srv.Client, "ProcessPid", rpc2.ProcessPidIn{})
	if err != nil {
		return fmt.Errorf("ask for the target: %w", err)
	}
	t.srv.PID = pid.Pid
	t.srv.Orphan.Store(int64(t.srv.PID))
	if err := t.srv.AskAbilities(ctx); err != nil {
		return err
	}
	if err := source.Find(ctx, t.Finder); err != nil {
		return fmt.Errorf("find the source: %w", err)
	}
	if !t.srv.Can.Run {
		return nil
	}
	if err := t.watchPanics(ctx); err != nil {
		return fmt.Errorf("watch for panics: %w", err)
	}
	if err := t.watchExit(ctx); err != nil {
		return fmt.Errorf("watch for the program's end: %w", err)
	}
	if t.config.Failures {
		if err := t.watchTests(ctx); err != nil {
			return fmt.Errorf("watch for failing tests: %w", err)
		}
	}
	if t.config.Listing && t.srv.Mode == control.Launched && goroutines.SharesClock(t.Lister) { // marks of another clock are not there yet
		goroutines.LearnRuntime(ctx, t.Lister)
	}
	return nil
}

// watchPanics sets the breakpoints that the mode needs.
func (rec *recovery) watchPanics(ctx context.Context) error {
	breakAt := func(name, function string) error {
		_, err := rpc.Call[rpc2.CreateBreakpointOut](ctx, rec.srv.Client, "CreateBreakpoint", rpc2.CreateBreakpointIn{
			Breakpoint: api.Breakpoint{Name: name, FunctionName: function},
		})
		if rec.srv.Mode == control.Connected && err != nil && taken(err) {
			return nil // another client of the server's has set it
		}
		return err
	}
	switch rec.config.Panics {
	case debugger.PanicsFatal, debugger.PanicsOff:
		return nil
	case debugger.PanicsAuto:
		if err := rec.watchMiddleware(ctx); err != nil {
			return err
		}
	}
	if rec.srv.Mode != control.Connected || rec.config.Panics == debugger.PanicsAll { // others of its clients pay for it, too
		if err := breakAt(thrownName, panicFunction); err != nil {
			return err
		}
	}
	return breakAt(preprintName, "runtime.preprintpanics") // for those that were passed there
}

// openError says why the server could not get at the target.
func (t *Target) openError(err error) error {
	switch t.srv.Mode {
	case control.Attached:
		return attachError(t.want.Attach, err)
	case control.Opened:
		return coreError(t.want.Core, t.config.Binary, err)
	}
	return launchError(t.config.Binary, err)
}
