package delve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/paths"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/internal/advice"
)

// ConnectConfig says which server to talk to.
type ConnectConfig struct {
	// Addr is HOST:PORT, :PORT on this machine, or unix:PATH.
	Addr string
	// UserDirs are the directories of the user's modules, as in Config.
	UserDirs []string
	// Panics says which panics stop the target; empty: debugger.PanicsUnrecovered.
	Panics debugger.PanicMode
	Local  *paths.Local // as in Config
	// Filter, Muted and Traced are those of Config.
	Filter debugger.PanicFilter
	Muted  func(debugger.Stop) bool
	Traced func(debugger.TraceHit)
	// LeaveRunning has Close let the target go on, however it was found.
	LeaveRunning bool
}

// Connect talks to a headless Delve server that runs already. A target that
// runs is halted. Close takes our breakpoints away and leaves the target to
// the server as it was found, running or held; a server for a single client
// ends with its client, and then takes a target that it has started along.
//
// Errors carry hints.
func Connect(ctx context.Context, config ConnectConfig) (*Target, error) {
	for try := 1; ; try++ {
		t, err := connectOnce(ctx, config)
		if !errors.Is(err, control.ErrResumed) || try == 5 {
			return t, err
		}
	}
}

func connectOnce(ctx context.Context, config ConnectConfig) (*Target, error) {
	network, addr, err := splitAddr(config.Addr)
	if err != nil {
		return nil, err
	}
	dialer := net.Dialer{Timeout: control.AnswerTime,
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 3}}
	dial := func(ctx context.Context) (net.Conn, error) { return dialer.DialContext(ctx, network, addr) }
	conn, err := dial(ctx)
	if err != nil {
		return nil, advice.Add(fmt.Errorf("connect to %q: %w", config.Addr, reason(err)),
			"start the server first: dlv exec --headless --accept-multiclient --listen="+config.Addr+" BIN")
	}
	t := newTarget(ctx, control.Connected, Config{UserDirs: config.UserDirs, Local: config.Local, Panics: config.Panics, Filter: config.Filter, Muted: config.Muted, Traced: config.Traced}, nil, func() {})
	t.Other.Dial = dial
	t.srv.Conn = &control.WatchedConn{Conn: conn, Ended: t.srv.Disconnected}
	t.srv.Client = rpc.NewClient(t.srv.Conn)
	if err := t.greet(ctx, config); err != nil {
		_ = t.Close()
		return nil, err
	}
	return t, nil
}

// CheckAddr reports whether an address can be one of a server's.
func CheckAddr(addr string) error {
	_, _, err := splitAddr(addr)
	return err
}

// splitAddr tells a unix socket from a TCP address.
func splitAddr(addr string) (network, address string, err error) {
	if path, ok := strings.CutPrefix(addr, "unix:"); ok {
		if path == "" {
			return "", "", fmt.Errorf("connect to %q: no path", addr)
		}
		return "unix", path, nil
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil || port == "" {
		return "", "", advice.Add(fmt.Errorf("connect to %q: not an address", addr), "want HOST:PORT, :PORT or unix:PATH")
	}
	return "tcp", net.JoinHostPort(host, port), nil
}

// reason is the last of an error's causes: without "dial tcp 127.0.0.1:4040".
func reason(err error) error {
	var op *net.OpError
	if errors.As(err, &op) && op.Err != nil {
		return op.Err
	}
	return err
}

// greet makes sure that a Delve server answers, and takes its target over.
func (t *Target) greet(ctx context.Context, config ConnectConfig) error {
	first, cancel := context.WithTimeout(ctx, control.AnswerTime)
	defer cancel()
	if err := t.takeOver(first, config.Addr); err != nil {
		return err
	}
	t.Other.FoundRunning = t.Other.FoundRunning || config.LeaveRunning // not before: what was not taken is not let go
	return control.Held(ctx, t.Halts, t.prepare)
}

// takeOver learns what the connection leads to, and halts it.
func (t *Target) takeOver(ctx context.Context, addr string) error {
	if _, err := rpc.Call[api.SetAPIVersionOut](ctx, t.srv.Client, "SetApiVersion", api.SetAPIVersionIn{APIVersion: 2}); err != nil {
		return noServer(addr, err)
	}
	multi, err := rpc.Call[rpc2.IsMulticlientOut](ctx, t.srv.Client, "IsMulticlient", rpc2.IsMulticlientIn{})
	if err != nil {
		return noServer(addr, err)
	}
	t.Other.Multi = multi.IsMulticlient
	state, err := t.srv.StateNow(ctx)
	switch {
	case errors.Is(err, control.ErrResumed):
		return fmt.Errorf("connect to %q: %w", addr, err)
	case err != nil:
		return advice.Add(fmt.Errorf("connect to %q: %w", addr, err), "the program there has ended: start the server again")
	case state.Exited:
		return advice.Add(fmt.Errorf("connect to %q: the program there has ended: %w", addr, debugger.ErrGone), "start the server again")
	case state.Recording:
		return fmt.Errorf("connect to %q: its program is still being recorded", addr)
	case state.Running:
		t.Other.FoundRunning = true
		if _, err := rpc.Call[rpc2.CommandOut](ctx, t.srv.Client, "Command", api.DebuggerCommand{Name: api.Halt}); err != nil {
			return fmt.Errorf("connect to %q: halt its program: %w", addr, err)
		}
	}
	return nil
}

// noServer says what seems to be there instead of a Delve server.
func noServer(addr string, err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return advice.Add(fmt.Errorf("connect to %q: no answer in %v", addr, control.AnswerTime),
			"it is not a Delve server, or serves another client: start it with --accept-multiclient")
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	return advice.Add(fmt.Errorf("connect to %q: the server did not answer as a Delve server does: %w", addr, err),
		"it must be one of dlv's --headless servers, not dlv dap")
}

// leave gives the target back to its server: without breakpoints, and
// running if it was found so.
func (t *Target) leave() {
	ctx, cancel := context.WithTimeout(t.srv.Life, control.AnswerTime)
	defer cancel()
	if !control.TakeHalted(ctx, t.Halts) {
		return
	}
	defer t.srv.Release()
	if ours := t.srv.Client.MadeBreakpoints(); len(ours) > 0 {
		_ = control.Held(ctx, t.Halts, func(ctx context.Context) error {
			for _, id := range ours {
				_, _ = rpc.Call[rpc2.ClearBreakpointOut](ctx, t.srv.Client, "ClearBreakpoint", rpc2.ClearBreakpointIn{Id: id})
			}
			return nil
		})
	}
	if !t.Other.FoundRunning || ctx.Err() != nil {
		return
	}
	// Where another client lets it run, ours would come after its next stop.
	if state, err := t.srv.StateNow(ctx); err == nil && !state.Running { // sent, not waited for
		t.srv.Client.Go("Command", api.DebuggerCommand{Name: api.Continue}, new(rpc2.CommandOut))
	}
}
