//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// modes are those of the terminal that a test's program runs on.
func (x *terminal) modes() unix.Termios {
	x.t.Helper()
	m, err := unix.IoctlGetTermios(x.FD(), unix.TCGETS)
	if err != nil {
		x.t.Fatal(err)
	}
	return *m
}

// left waits until the terminal has been given everything back.
func (x *terminal) left() {
	x.t.Helper()
	testsupport.Until(x.t, func() string {
		open := x.Changes()
		if m := x.modes(); m.Lflag&unix.ECHO == 0 || m.Lflag&unix.ICANON == 0 || m.Oflag&unix.OPOST == 0 {
			open = append(open, "raw")
		}
		if len(open) == 0 {
			return ""
		}
		return fmt.Sprintf("all is taken back, but %q", open)
	})
}

// Signals that nobody can handle, or does, leave a terminal that can be used.
func TestTheTerminalSurvivesASignal(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGQUIT, syscall.SIGABRT, syscall.SIGSEGV} {
		t.Run(sig.String(), func(t *testing.T) {
			if sig != syscall.SIGKILL && sig != syscall.SIGQUIT {
				testsupport.Slow(t)
			}
			t.Parallel()
			x := offline(t, program(t, endlessProgram))
			x.wait("started")
			if x.modes().Lflag&unix.ICANON != 0 {
				t.Fatal("the terminal is not raw: the test does not test what it should")
			}
			if err := x.cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			x.exit()
			x.left()
			x.noOrphans()
		})
	}
}

// helpers are the processes of the session, by what they are.
func (x *terminal) helpers() map[string]int {
	x.t.Helper()
	found := map[string]int{"screen": x.cmd.Process.Pid}
	for _, line := range marked(x.marker) {
		var pid int
		if _, err := fmt.Sscan(line, &pid); err != nil {
			continue
		}
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			continue
		}
		var tracer, tgid, ppid int
		for l := range strings.Lines(string(status)) {
			_, _ = fmt.Sscanf(l, "TracerPid: %d", &tracer)
		}
		if tracer == 0 {
			continue
		}
		found["target"] = pid
		task, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", tracer))
		if err != nil {
			continue
		}
		for l := range strings.Lines(string(task)) {
			_, _ = fmt.Sscanf(l, "Tgid: %d", &tgid)
			_, _ = fmt.Sscanf(l, "PPid: %d", &ppid)
		}
		found["server"], found["supervisor"] = tgid, ppid
	}
	return found
}

// kill -9 of any of the three processes, and of any two, leaves none.
func TestAnyTwoAreKilled(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	states := map[string]struct{ program, until string }{"running": {endlessProgram, "started"}, "stopped": {twoBugsProgram, "make books in NewShelf"}}
	for state, m := range states {
		for _, victims := range []string{"screen", "supervisor", "server", "screen supervisor", "supervisor screen", "screen server", "supervisor server"} {
			if state == "stopped" && !strings.Contains(victims, "supervisor ") {
				continue // the others show it
			}
			t.Run(state+" "+victims, func(t *testing.T) {
				if !slices.Contains([]string{"running screen", "running server", "running screen supervisor", "stopped supervisor server"}, state+" "+victims) {
					testsupport.Slow(t)
				}
				t.Parallel()
				x := offline(t, program(t, m.program))
				x.wait(m.until)
				pids := x.helpers()
				if pids["server"] == 0 || pids["supervisor"] == 0 {
					t.Fatalf("processes: %v", pids)
				}
				for _, who := range strings.Fields(victims) {
					if err := syscall.Kill(pids[who], syscall.SIGKILL); err != nil {
						t.Logf("%s: %v", who, err)
					}
				}
				if !strings.Contains(victims, "screen") {
					x.gonePID(pids["target"])
					return
				}
				x.exit()
				x.noOrphans()
			})
		}
	}
}

// gonePID wants a process to end while the screen is still there.
func (x *terminal) gonePID(pid int) {
	x.t.Helper()
	testsupport.Eventually(x.t, fmt.Sprintf("the program, %d, has ended", pid), func() bool { return !living(pid) })
}

// The screens beside the debugger's give the terminal back as that does.
func TestAListThatIsKilledGivesTheTerminalBack(t *testing.T) {
	t.Parallel()
	dir := program(t, dyingProgram)
	put(t, filepath.Join(dir, "two.log"), ran(t, dir, "run", ".", "map")+"\n"+ran(t, dir, "run", ".", "many"))
	for _, list := range []struct {
		args []string
		says string
	}{{[]string{"trace", "--offline", "two.log"}, "Which of 2 traces?"}, {[]string{"sessions"}, "type to search"}} {
		t.Run(list.args[0], func(t *testing.T) {
			t.Parallel()
			x := startTerminal(t, dir, 100, 30, nil, list.args...)
			x.wait(list.says)
			if x.modes().Lflag&unix.ICANON != 0 {
				t.Fatal("the terminal is not raw: the test does not test what it should")
			}
			if err := x.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			x.exit()
			x.left()
		})
	}
}
