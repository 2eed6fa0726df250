//go:build linux && (amd64 || arm64)

package delve

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/process"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/internal/testsupport"
)

// debuggerOf is the process id of the Delve server that traces a process.
func debuggerOf(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	var tracer int
	if _, err := fmt.Sscan(process.StatusField(status, "TracerPid"), &tracer); err != nil || tracer == 0 {
		t.Fatalf("it is not traced: %v", err)
	}
	return tgid(t, tracer)
}

// rescued wants a process that lives on and answers, whatever its debugger had
// done to it.
func rescued(t *testing.T, l *life, asked <-chan error) {
	t.Helper()
	l.untraced(t)
	if asked == nil {
		return
	}
	if err := <-asked; err != nil {
		t.Errorf("the question that was held: %v", err)
	}
}

// Delve is killed (by hand, or for want of memory) while its breakpoints are in
// a process that is not ours.
func TestADebuggerIsKilledAndTheProcessLives(t *testing.T) {
	t.Parallel()
	states := map[string]func(t *testing.T, l *life, target *Target) <-chan error{
		"at a breakpoint": atAnswer,
		"after a step": func(t *testing.T, l *life, target *Target) <-chan error {
			asked := atAnswer(t, l, target)
			resume(t, target, debugger.Next)
			return asked
		},
		"as it is halted": func(t *testing.T, l *life, target *Target) <-chan error {
			asked := atAnswer(t, l, target)
			if err := syscall.Kill(l.cmd.Process.Pid, syscall.SIGTRAP); err != nil { // what Delve halts with
				t.Fatal(err)
			}
			return asked
		},
		"held elsewhere": func(t *testing.T, _ *life, target *Target) <-chan error {
			if _, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{Location: "main.(*server).answer"}); err != nil {
				t.Fatal(err)
			}
			return nil
		},
		"running": func(t *testing.T, _ *life, target *Target) <-chan error {
			if _, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{Location: "main.(*server).answer"}); err != nil {
				t.Fatal(err)
			}
			go func() { _, _ = target.Resume(context.Background(), debugger.Continue) }()
			isRunning(t, target)
			return nil
		},
		"while it is hit again and again": func(t *testing.T, l *life, target *Target) <-chan error {
			if _, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{Location: "main.(*server).answer", Cond: "false"}); err != nil {
				t.Fatal(err)
			}
			go func() { _, _ = target.Resume(context.Background(), debugger.Continue) }()
			asked := make(chan error, 1)
			hit := make(chan struct{})
			go func() {
				var err error
				for i := 0; i < 300 && err == nil; i++ {
					if i == 3 {
						close(hit)
					}
					err = l.ask("again")
				}
				asked <- err
			}()
			<-hit
			return asked
		},
	}
	for name, state := range states {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := live(t)
			target := attach(t, l)
			asked := state(t, l, target)
			if err := syscall.Kill(debuggerOf(t, l.cmd.Process.Pid), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			rescued(t, l, asked)
			if err := target.Close(); err == nil {
				t.Error("closing a program whose debugger was killed says nothing of it")
			}
		})
	}
}

// A client goes, as when its supervisor is killed, after the server has attached and
// before the first request.
func TestASilentClientLeavesTheProcess(t *testing.T) {
	t.Parallel()
	l := live(t)
	pid := l.cmd.Process.Pid
	target, err := started(t.Context(), control.Attached, Config{Binary: process.ExecutableOf(pid)}, pid)
	if err != nil {
		t.Fatal(err)
	}
	var got rpc.Answer
	if err := rpc.Send(target.srv.Conn, rpc.Order{Attach: pid, Argv: []string{process.ExecutableOf(pid)}}); err != nil {
		t.Fatal(err)
	}
	if err := rpc.Receive(target.srv.Conn, &got); err != nil || got.Error != "" {
		t.Fatal(err, got.Error)
	}
	_ = target.srv.Conn.Close()
	<-target.Lost()
	if target.srv.Ending != nil {
		t.Errorf("the server left the process in disorder: %v: %s", target.srv.Ending, target.srv.Stderr)
	}
	l.untraced(t)
	_ = target.Close()
}

// The signals of late halts are on their way to the process, or to its threads, when it is
// let go.
func TestLateHaltsAreNoEnd(t *testing.T) {
	t.Parallel()
	for _, whom := range []string{"process", "threads"} {
		t.Run(whom, func(t *testing.T) {
			t.Parallel()
			l := live(t)
			target := attach(t, l)
			asked := atAnswer(t, l, target)
			pid := l.cmd.Process.Pid
			tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
			if err != nil {
				t.Fatal(err)
			}
			for _, task := range tasks {
				tid, _ := strconv.Atoi(task.Name())
				status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/status", pid, tid)) // none of what has ended
				blocked, _ := strconv.ParseUint(process.StatusField(status, "SigBlk"), 16, 64)
				switch {
				case whom == "process":
					err = syscall.Kill(pid, syscall.SIGTRAP)
				case blocked&(1<<(syscall.SIGTRAP-1)) == 0: // otherwise no breakpoint has sent it one
					err = unix.Tgkill(pid, tid, unix.SIGTRAP)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := target.Close(); err != nil {
				t.Error(err)
			}
			if err := <-asked; err != nil {
				t.Errorf("the question that was held: %v", err)
			}
			l.untraced(t)
		})
	}
}

// Whichever of the three is killed, alone or with another, what was launched ends.
func TestALaunchedTargetEndsWithAnyTwo(t *testing.T) {
	t.Parallel()
	for _, victims := range []string{"supervisor", "server", "supervisor server", "server supervisor"} {
		t.Run(victims, func(t *testing.T) {
			t.Parallel()
			target, err := Launch(t.Context(), Config{Binary: fixture(t, "lives"), Args: []string{t.TempDir() + "/socket"}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = target.Close() })
			server := debuggerOf(t, target.PID())
			supervisor := parent(t, server)
			pids := map[string]int{"supervisor": supervisor, "server": server}
			for _, who := range strings.Fields(victims) {
				_ = syscall.Kill(pids[who], syscall.SIGKILL)
			}
			<-target.Lost()
			what := fmt.Sprintf("server %d and program %d have ended", server, target.PID())
			testsupport.Eventually(t, what, func() bool { return len(living(server, target.PID())) == 0 })
		})
	}
}

// living are those of the processes that have not ended.
func living(pids ...int) (left []int) {
	for _, pid := range pids {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err == nil && !strings.HasPrefix(process.StatusField(status, "State"), "Z") {
			left = append(left, pid)
		}
	}
	return left
}

func parent(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	var ppid int
	if _, err := fmt.Sscan(process.StatusField(status, "PPid"), &ppid); err != nil {
		t.Fatal(err)
	}
	return ppid
}
