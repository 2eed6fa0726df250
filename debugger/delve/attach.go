package delve

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/goroutines"
	"github.com/pausetui/pausetui/debugger/delve/paths"
	"github.com/pausetui/pausetui/debugger/delve/process"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/stacks"
	"github.com/pausetui/pausetui/internal/advice"
)

// AttachConfig says which process to attach to.
type AttachConfig struct {
	PID      int
	UserDirs []string           // as in Config
	Panics   debugger.PanicMode // as in Config
	Local    *paths.Local       // as in Config
	// Filter, Muted and Traced are those of Config.
	Filter debugger.PanicFilter
	Muted  func(debugger.Stop) bool
	Traced func(debugger.TraceHit)
}

// Attach takes over a process that runs already, and holds it. Close lets it
// run on, without breakpoints; so does the end of this process, whatever
// ends it.
//
// Errors carry hints; they are debugger.ErrPtrace or an fs error where it is
// one of those.
func Attach(ctx context.Context, config AttachConfig) (*Target, error) {
	if err := CheckAttach(config.PID); err != nil {
		return nil, err
	}
	t, err := withServer(ctx, control.Attached, Config{Binary: process.ExecutableOf(config.PID), UserDirs: config.UserDirs, Local: config.Local, Panics: config.Panics, Filter: config.Filter, Muted: config.Muted, Traced: config.Traced},
		rpc.Order{Attach: config.PID, Argv: []string{process.ExecutableOf(config.PID)}})
	if err != nil {
		return nil, err
	}
	return t, nil
}

// CheckAttach tells what prevents attaching to a process, as far as it can
// be known without doing it.
func CheckAttach(pid int) error {
	if err := process.Debuggable(pid); err != nil {
		return fmt.Errorf("attach to process %d: %w", pid, err)
	}
	return nil
}

// attachError tells the known refusals apart.
func attachError(pid int, err error) error {
	switch {
	case errors.Is(err, rpc.ErrYama):
		return advice.Add(fmt.Errorf("attach to process %d: %w", pid, debugger.ErrPtrace),
			"run pausetui as root, or allow it: sysctl kernel.yama.ptrace_scope=0")
	case errors.Is(err, rpc.ErrOwner):
		return advice.Add(fmt.Errorf("attach to process %d: it belongs to another user: %w", pid, debugger.ErrPtrace),
			"run pausetui as that user, or as root")
	case errors.Is(err, rpc.ErrNoDebug):
		return advice.Add(fmt.Errorf("attach to process %d: its program has no debug information", pid),
			"build it without -ldflags=-s or -w")
	case errors.Is(err, rpc.ErrNoProcess):
		return fmt.Errorf("attach to process %d: %w", pid, debugger.ErrGone)
	}
	return fmt.Errorf("attach to process %d: %s", pid, rpc.WithoutPrefix(err, fmt.Sprintf("could not attach to pid %d: ", pid)))
}

// detach has the server detach from the process, by closing the connection, and
// waits for its end.
func (t *Target) detach() {
	_ = t.srv.Conn.Close()
	select {
	case <-t.srv.Lost:
	case <-time.After(t.srv.Mode.Grace()):
	}
}

// Kill ends a target that Close would leave alone, and closes it.
func (t *Target) Kill() error {
	if t.srv.Mode != control.Attached && t.srv.Mode != control.Connected {
		return t.Close()
	}
	err := t.srv.Usable()
	if errors.Is(err, debugger.ErrRunning) {
		err = t.Halt()
	}
	if err == nil {
		ctx, cancel := context.WithTimeout(t.srv.Life, rpc.PartTime)
		defer cancel()
		_, err = rpc.Call[rpc2.DetachOut](ctx, t.srv.Client, "Detach", rpc2.DetachIn{Kill: true})
	}
	if errors.Is(err, debugger.ErrGone) || t.srv.Life.Err() != nil { // the server's last word crosses its end
		err = nil
	}
	t.srv.MarkEnded()
	return errors.Join(err, t.Close())
}

// Found is the stop that an attached or connected target was found at, or that a
// core dump shows: the panic or fatal error that it stopped at, else where it
// was held.
func (t *Target) Found(ctx context.Context) (stop debugger.Stop, err error) {
	err = t.srv.Do(ctx, func(ctx context.Context) error {
		state, err := ask.Status(ctx, t.srv)
		if err != nil {
			return fmt.Errorf("ask where the program stopped: %w", err)
		}
		stop, err = t.found(ctx, state)
		stop.At = time.Now()
		return err
	})
	return stop, err
}

func (t *Target) found(ctx context.Context, state *api.DebuggerState) (debugger.Stop, error) {
	if t.srv.Mode == control.Opened || !t.srv.Can.Run {
		if stop, ok, err := t.lastStop(ctx); ok || err != nil {
			return stop, err
		}
	}
	for _, thread := range threadsAt(state, proc.UnrecoveredPanic) {
		g := debugger.GoroutineID(thread.GoroutineID)
		if frames, _, err := stacks.Read(ctx, t.Unwinder, int64(g), debugger.Page{}); err == nil {
			t.captureLate(ctx, g, frames)
		}
	}
	stop, err := t.stop(ctx, state)
	t.srv.Dying = t.srv.Dying || stop.Crashed() && !stop.LivesOn()
	if stop.Crashed() || stop.Breakpoint != nil {
		return stop, err
	}
	stop.Reason = debugger.ReasonFound
	if err == nil && stop.Goroutines == 0 {
		stop.Reason = debugger.ReasonEntry
		return stop, nil
	}
	if g := goroutines.Choose(ctx, t.Lister, stop.Goroutine); g != stop.Goroutine {
		stop.Goroutine, stop.Selected = g, -1
		err = t.show(ctx, &stop)
	}
	return stop, err
}
