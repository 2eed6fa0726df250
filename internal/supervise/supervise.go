// Package supervise starts child processes that cannot outlive this one, nor
// leave descendants behind.
//
// On Linux a command runs below a small supervisor: this same binary, started
// under another name, which adopts every descendant (it is a child subreaper),
// watches the process that started it, and kills all of them when that process
// goes, however it goes, when the command's context ends, or when the command
// itself ends and leaves something behind. Elsewhere a process group has to do.
package supervise

import (
	"context"
	"os/exec"
	"syscall"
	"time"

	"github.com/pausetui/pausetui/internal/reexec"
)

// Command returns a command that dies, with all its descendants, when ctx ends
// or when this process does, however it ends. Its fields may be set as those
// of any exec.Cmd; ExtraFiles keep their numbers.
//
// SIGTERM, SIGINT, SIGQUIT, SIGUSR1 and SIGUSR2 sent to the command's process
// reach the command; SIGHUP kills all. Its exit code, or the signal that
// killed it, is that of the command; 127 means that it could not be started,
// and standard error says why. End it by the context or by a signal: killing
// cmd.Process kills the supervisor, and then only the command itself is sure
// to die with it.
//
// In a binary that never called reexec.Main the command only gets a process group and
// a parent-death signal.
func Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	return Lenient(ctx, 0, name, args...)
}

// Lenient is Command for one that has something else to put in
// order before it ends: it is sent SIGTERM, also when this process or its
// supervisor is gone, and is killed with its descendants only after grace.
func Lenient(ctx context.Context, grace time.Duration, name string, args ...string) *exec.Cmd {
	return command(ctx, manner{grace: grace}, exec.Command(name, args...))
}

// Helper is Command for this binary as a helper of that name (see reexec).
func Helper(ctx context.Context, name string) *exec.Cmd {
	return command(ctx, manner{}, helper(name))
}

// Debugger is Helper for one that debugs a process: pid, which it is attached
// to and which is to run on, or one that it starts, if pid is 0. It has the grace
// of Lenient. If its supervisor
// is gone it is sent SIGTERM, and ends what it has started; if it is killed
// itself, the supervisor takes its breakpoints out of pid.
func Debugger(ctx context.Context, grace time.Duration, pid int, name string) *exec.Cmd {
	return command(ctx, manner{grace: grace, orphan: syscall.SIGTERM, pid: pid}, helper(name))
}

func helper(name string) *exec.Cmd {
	path, err := reexec.Self()
	return &exec.Cmd{Path: path, Args: reexec.Argv(name), Err: err}
}

// Yielding is Command for work in the background: it and its descendants have
// lower priority, by nice levels, 0 (not at all) to 19, in a session of their own.
// In a binary that never called reexec.Main it is Command.
func Yielding(ctx context.Context, nice int, name string, args ...string) *exec.Cmd {
	return command(ctx, manner{nice: nice}, exec.Command(name, args...))
}

// manner is how a command is run, and ended.
type manner struct {
	grace  time.Duration // between SIGTERM and SIGKILL; 0: SIGKILL at once
	nice   int
	orphan syscall.Signal // what it is sent when its supervisor is gone; 0: by grace
	pid    int            // the process that it is attached to; 0: none
}

// command runs the path and the arguments of inner.
func command(ctx context.Context, m manner, inner *exec.Cmd) *exec.Cmd {
	if reexec.Armed() {
		return supervised(ctx, m, inner)
	}
	return grouped(ctx, m, inner)
}

// commandOf is exec.CommandContext for a path that was looked up, and an argv.
func commandOf(ctx context.Context, path string, argv []string, err error) *exec.Cmd {
	cmd := exec.CommandContext(ctx, path)
	cmd.Args, cmd.Err = argv, err
	return cmd
}
