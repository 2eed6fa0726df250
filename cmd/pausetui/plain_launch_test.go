//go:build linux

package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger/delve/delvetest"
	"github.com/pausetui/pausetui/internal/cli"
)

func TestPlainExec(t *testing.T) {
	t.Parallel()
	dir := program(t, twoBugsProgram)
	binary := buildProgram(t, dir, "-gcflags=all=-N -l")
	said, code := inLines(t, dir, "continue\nexit\n", "exec", "--plain", "--offline", "--break", "main.main", binary)
	has(t, said, "stopped at breakpoint 1", "PANIC nil-map-write", "session ended: quit")
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// A core dump is looked into in lines, now and when the session is resumed.
func TestPlainCore(t *testing.T) {
	t.Parallel()
	dir := program(t, twoBugsProgram)
	binary := buildProgram(t, dir, "-gcflags=all=-N -l")
	core := coreOf(t, binary)
	said, _ := inLines(t, dir, "print s.books\ncontinue\nexit\n", "core", "--plain", "--offline", binary, core)
	has(t, said, "PANIC nil-map-write", "s.books = ", "nil", "a core dump cannot run")
	said, _ = inLines(t, dir, "print s.books\nexit\n", "sessions", "resume", "--plain", "--offline")
	if n := strings.Count(said, "PANIC nil-map-write"); n < 2 || !strings.Contains(said, "s.books = ") {
		t.Errorf("resumed:\n%s", said)
	}
}

// A process that was attached to is left alone; its session cannot be resumed.
func TestPlainAttach(t *testing.T) {
	t.Parallel()
	dir := program(t, answersProgram)
	l := live(t, buildProgram(t, dir, "-gcflags=all=-N -l"))
	said, _ := inLines(t, dir, "exit\n", "attach", "--plain", "--offline", "--break", "main.(*Server).Answer", fmt.Sprint(l.cmd.Process.Pid))
	has(t, said, "held where it was found", "breakpoint 1 at main.go")
	l.answers(t)
	said, code := inLines(t, dir, "exit\n", "sessions", "resume", "--plain", "--offline")
	has(t, said, "cannot be resumed", "attach again")
	if code != cli.ExitFailure {
		t.Errorf("resume: exit code %d", code)
	}
}

// The session of another debugger's server is taken up again where it is now.
func TestPlainConnect(t *testing.T) {
	t.Parallel()
	dir := program(t, answersProgram)
	binary := buildProgram(t, dir, "-gcflags=all=-N -l")
	socket := filepath.Join(t.TempDir(), "s")
	server := delvetest.Server{Args: []string{binary, socket}, Dir: t.TempDir(), Listen: "unix:" + filepath.Join(t.TempDir(), "dlv")}.Start(t)
	said, _ := inLines(t, dir, "continue\nwait stop\nstack\nexit\n", "connect", "--plain", "--offline", "--break", "main.main", server.Addr)
	has(t, said, "before the program's own code", "stopped at breakpoint 1", "main.main")
	said, _ = inLines(t, dir, "exit\n", "sessions", "resume", "--plain", "--offline")
	has(t, said, "took over the program", "session ended: quit")
	if strings.Contains(said, "cannot be resumed") {
		t.Errorf("resumed:\n%s", said)
	}
}
