package delve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/exeinfo"
	"github.com/pausetui/pausetui/internal/advice"
)

// AttachConfig says which process to attach to.
type AttachConfig struct {
	PID      int
	UserDirs []string           // as in Config
	Panics   debugger.PanicMode // as in Config
	Local    *Local             // as in Config
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
	t, err := withServer(ctx, attached, Config{Binary: executableOf(config.PID), UserDirs: config.UserDirs, Local: config.Local, Panics: config.Panics, Filter: config.Filter, Muted: config.Muted, Traced: config.Traced},
		order{Attach: config.PID, Argv: []string{executableOf(config.PID)}})
	if err != nil {
		return nil, err
	}
	return t, nil
}

// CheckAttach tells what prevents attaching to a process, as far as it can
// be known without doing it.
func CheckAttach(pid int) error {
	if err := debuggable(pid); err != nil {
		return fmt.Errorf("attach to process %d: %w", pid, err)
	}
	return nil
}

// goProgram reports whether the process runs a program made by Go.
func goProgram(pid int) error {
	path := executableOf(pid)
	_, err := exeinfo.Build(path)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, exeinfo.ErrBuildInfo):
		return err
	case errors.Is(err, fs.ErrPermission):
		hint := "it belongs to another user: run pausetui as that user"
		if os.Geteuid() == 0 {
			hint = "this system or container refuses it also to root: pausetui doctor says what tracing needs"
		}
		return advice.Add(fmt.Errorf("its program cannot be read: %w", debugger.ErrPtrace), hint)
	case errors.Is(err, fs.ErrNotExist):
		return advice.Add(fmt.Errorf("%w: there is no such process", debugger.ErrGone), "pgrep -a NAME finds the process id of a program")
	}
	name := path
	if target, err := os.Readlink(path); err == nil {
		name = target
	}
	return advice.Add(fmt.Errorf("it runs %q, which is not a Go program", name), "pausetui debugs Go programs only")
}

// attachError tells the known refusals apart.
func attachError(pid int, err error) error {
	switch {
	case errors.Is(err, errYama):
		return advice.Add(fmt.Errorf("attach to process %d: %w", pid, debugger.ErrPtrace),
			"run pausetui as root, or allow it: sysctl kernel.yama.ptrace_scope=0")
	case errors.Is(err, errOwner):
		return advice.Add(fmt.Errorf("attach to process %d: it belongs to another user: %w", pid, debugger.ErrPtrace),
			"run pausetui as that user, or as root")
	case errors.Is(err, errNoDebug):
		return advice.Add(fmt.Errorf("attach to process %d: its program has no debug information", pid),
			"build it without -ldflags=-s or -w")
	case errors.Is(err, errNoProcess):
		return fmt.Errorf("attach to process %d: %w", pid, debugger.ErrGone)
	}
	return fmt.Errorf("attach to process %d: %s", pid, withoutPrefix(err, fmt.Sprintf("could not attach to pid %d: ", pid)))
}

// detach has the server detach from the process, by closing the connection, and
// waits for its end.
func (t *Target) detach() {
	_ = t.conn.Close()
	select {
	case <-t.lost:
	case <-time.After(t.mode.grace()):
	}
}

// Kill ends a target that Close would leave alone, and closes it.
func (t *Target) Kill() error {
	if t.mode != attached && t.mode != connected {
		return t.Close()
	}
	err := t.usable()
	if errors.Is(err, debugger.ErrRunning) {
		err = t.Halt()
	}
	if err == nil {
		ctx, cancel := context.WithTimeout(t.life, partTime)
		defer cancel()
		_, err = call[rpc2.DetachOut](ctx, t.client, "Detach", rpc2.DetachIn{Kill: true})
	}
	if errors.Is(err, debugger.ErrGone) || t.life.Err() != nil { // the server's last word crosses its end
		err = nil
	}
	t.mu.Lock()
	t.state = ended
	t.mu.Unlock()
	return errors.Join(err, t.Close())
}

// Found is the stop that an attached or connected target was found at, or that a
// core dump shows: the panic or fatal error that it stopped at, else where it
// was held.
func (t *Target) Found(ctx context.Context) (stop debugger.Stop, err error) {
	err = t.do(ctx, func(ctx context.Context) error {
		state, err := t.status(ctx)
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
	if t.mode == opened || !t.can.Run {
		if stop, ok, err := t.lastStop(ctx); ok || err != nil {
			return stop, err
		}
	}
	for _, thread := range threadsAt(state, proc.UnrecoveredPanic) {
		g := debugger.GoroutineID(thread.GoroutineID)
		if frames, _, err := t.frames(ctx, int64(g), debugger.Page{}); err == nil {
			t.captureLate(ctx, g, frames)
		}
	}
	stop, err := t.stop(ctx, state)
	t.dying = t.dying || stop.Crashed() && !stop.LivesOn()
	if stop.Crashed() || stop.Breakpoint != nil {
		return stop, err
	}
	stop.Reason = debugger.ReasonFound
	if err == nil && stop.Goroutines == 0 {
		stop.Reason = debugger.ReasonEntry
		return stop, nil
	}
	if g := t.chooseGoroutine(ctx, stop.Goroutine); g != stop.Goroutine {
		stop.Goroutine, stop.Selected = g, -1
		err = t.show(ctx, &stop)
	}
	return stop, err
}
