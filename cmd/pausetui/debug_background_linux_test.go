package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// session is the process of the screen that a shell has started.
func (x *terminal) session() int {
	x.t.Helper()
	for _, line := range marked(x.marker) {
		if strings.Contains(line, " debug --offline") {
			var pid int
			if _, err := fmt.Sscan(line, &pid); err == nil {
				return pid
			}
		}
	}
	x.t.Fatal("pausetui does not run")
	return 0
}

// inShell starts a session from a shell with job control.
func inShell(t *testing.T) *terminal {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	x := startProgram(t, program(t, endlessProgram), 120, 36, []string{"PS1=ready> "}, bash, "--norc", "--noprofile", "-i")
	x.wait("ready>")
	x.keys(exe + " debug --offline .\r")
	x.wait("started")
	return x
}

// Stopped by somebody and continued in the background, it neither hangs nor takes
// the shell's terminal, and comes back with fg.
func TestContinuedInTheBackground(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	for _, end := range []string{"terminated there", "back again"} {
		t.Run(end, func(t *testing.T) {
			t.Parallel()
			x := inShell(t)
			pid := x.session()
			if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			x.keys("\r")
			x.wait("Stopped")
			x.keys("bg\r")
			x.wait("debug --offline . &")
			x.keys("echo al''ive\r")
			x.wait("alive")
			before := x.Size()
			x.resize(100, 30) // the clock of the status line makes frames, too
			time.Sleep(1200 * time.Millisecond)
			if drawn := string(x.Written(before)); strings.Contains(drawn, "running") || strings.Contains(drawn, "│") {
				t.Errorf("drawn over the shell: %q", drawn)
			}
			if end == "back again" {
				before = x.Size()
				x.keys("fg\r")
				x.until("not drawn anew", func() bool { return strings.Contains(string(x.Written(before)), "running") })
				x.keys("\x03") // a key, for the modes are those of the screen again
				x.gone("● running")
			}
			if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			x.until("it hangs", func() bool { return !living(pid) })
			x.keys("echo us''able\r")
			x.wait("usable")
			x.keys("exit\r")
			x.exit()
			x.left()
		})
	}
}

func living(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

// noMoreFiles lets the program open no file any more, even where it closes two.
func (x *terminal) noMoreFiles() {
	x.t.Helper()
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", x.PID()))
	if err == nil {
		most := uint64(len(open) - 2)
		err = unix.Prlimit(x.PID(), unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: most, Max: most}, nil)
	}
	if err != nil {
		x.t.Fatal(err)
	}
}

// Stopped for a moment, it does not give the terminal the modes of a shell on its way
// back: a key that came then would be another one, or a signal. It needs no file to take keys
// again.
func TestStoppedForAMoment(t *testing.T) {
	t.Parallel()
	x := startTerminal(t, program(t, emptyMapProgram), 120, 36, nil, "debug", "--offline", ".")
	x.wait("nil-map-write")
	for range 3 {
		if err := errors.Join(x.Signal(syscall.SIGSTOP), x.Signal(syscall.SIGCONT)); err != nil {
			t.Fatal(err)
		}
		for late := time.Now().Add(250 * time.Millisecond); time.Now().Before(late); time.Sleep(time.Millisecond) {
			if modes, err := unix.IoctlGetTermios(x.FD(), unix.TCGETS); err != nil || modes.Lflag&(unix.ICANON|unix.ISIG) != 0 || modes.Iflag&unix.ICRNL != 0 {
				t.Fatalf("the terminal is not raw: %+v, %v", modes, err)
			}
		}
	}
	time.Sleep(1500 * time.Millisecond) // the screen is at rest
	before := x.Size()
	x.noMoreFiles()
	if err := errors.Join(x.Signal(syscall.SIGSTOP), x.Signal(syscall.SIGCONT)); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"1049", "1002", "1004", "2004"} { // the alternate screen, the mouse, focus, pastes
		x.until("not set again: "+mode, func() bool { return strings.Contains(string(x.Written(before)), "\x1b[?"+mode+"h") })
	}
	x.keys("q", "y")
	x.exit()
	if modes, err := unix.IoctlGetTermios(x.FD(), unix.TCGETS); err != nil || modes.Lflag&unix.ICANON == 0 {
		t.Errorf("the terminal is still raw: %+v, %v", modes, err)
	}
}
