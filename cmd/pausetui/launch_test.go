//go:build linux

package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve"
	"github.com/pausetui/pausetui/debugger/delve/delvetest"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/testsupport"
)

// answersProgram answers each line it is sent over a unix socket, its argument.
const answersProgram = `package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
)

// Server counts what it was asked.
type Server struct {
	asked int
	names map[string]int
}

// Answer answers a question.
func (s *Server) Answer(line string) string {
	s.asked++
	if line == "panic" {
		s.names[line] = s.asked
	}
	return fmt.Sprintf("%d: %s", s.asked, line)
}

func main() {
	listener, err := net.Listen("unix", os.Args[1])
	if err != nil {
		panic(err)
	}
	s := &Server{}
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		for in := bufio.NewScanner(conn); in.Scan(); {
			fmt.Fprintln(conn, s.Answer(in.Text()))
		}
		conn.Close()
	}
}
`

// buildProgram builds the program of a module, as people do.
func buildProgram(t *testing.T, dir string, flags ...string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "prog")
	cmd := exec.Command("go", append(append([]string{"build", "-buildvcs=false", "-o", binary}, flags...), ".")...)
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return binary
}

// coreOf is a core dump of a program at its panic.
func coreOf(t *testing.T, binary string) string {
	t.Helper()
	core := filepath.Join(t.TempDir(), "core")
	target, err := delve.Launch(t.Context(), delve.Config{Binary: binary})
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	if _, err := target.Resume(t.Context(), debugger.Continue); err != nil {
		t.Fatal(err)
	}
	if err := target.Dump(t.Context(), core, func(debugger.DumpProgress) {}); err != nil {
		t.Fatal(err)
	}
	return core
}

// way starts pausetui in a directory with no models.
func way(t *testing.T, dir string, args ...string) *terminal {
	t.Helper()
	return startTerminal(t, dir, 120, 36, nil, append([]string{args[0], "--offline"}, args[1:]...)...)
}

// A binary that was built elsewhere, with -trimpath, is debugged by the source
// that is here, fixed, and started again from what was proved.
func TestExecFixesABinaryBuiltElsewhere(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := module(t, "inventory")
	binary := buildProgram(t, dir, "-trimpath")
	x := way(t, dir, "exec", binary)
	x.wait("nil-map-write")
	x.wait("1 ✓ verified", "1 ✓ repairs")
	x.wait("2 ✓ verified", "2 ✓ repairs") // the order is settled
	x.keys("6", "\r")
	x.wait("make bySupplier in NewInventory", "NewInventory")
	x.approve()
	x.wait("✓ fixed")
	x.leave()
	has(t, get(t, filepath.Join(dir, "inventory.go")), "bySupplier: make(map")
	has(t, logOf(t, dir), "exec", "nil-map-write")
}

func TestExecOutsideAnyModule(t *testing.T) {
	t.Parallel()
	binary := buildProgram(t, program(t, twoBugsProgram), "-trimpath")
	x := way(t, t.TempDir(), "exec", binary)
	x.wait("nil-map-write")
	x.wait("not in one of your modules")
	x.keys("c")
	x.confirm("End the program?")
	x.wait("exit code 2", "exited", "ended")
	x.keys("r") // the same binary again
	x.wait("nil-map-write")
	x.leave()
}

// lives is a process of somebody else's.
type lives struct {
	cmd    *exec.Cmd
	socket string
	ended  chan struct{}
}

func live(t *testing.T, binary string) *lives {
	t.Helper()
	l := &lives{socket: filepath.Join(t.TempDir(), "s"), ended: make(chan struct{})}
	l.cmd = exec.Command(binary, l.socket)
	if err := l.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { defer close(l.ended); _ = l.cmd.Wait() }()
	t.Cleanup(func() { _ = l.cmd.Process.Kill(); <-l.ended })
	l.answers(t)
	return l
}

// answers makes sure that the process does its work, and is nobody's.
func (l *lives) answers(t *testing.T) {
	t.Helper()
	testsupport.Until(t, func() string {
		select {
		case <-l.ended:
			t.Fatalf("the process has ended: %v", l.cmd.ProcessState)
		default:
		}
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", l.cmd.Process.Pid))
		if !strings.Contains(string(status), "TracerPid:\t0\n") {
			return "the process is debugged no more"
		}
		if err := ask(l.socket, "hello"); err != nil {
			return "the process answers: " + err.Error()
		}
		return ""
	})
}

func ask(socket, line string) error {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(testsupport.Patience))
	fmt.Fprintln(conn, line)
	_, err = bufio.NewReader(conn).ReadString('\n')
	return err
}

// Whatever ends pausetui, the process it is attached to runs on and answers.
func TestAttachLeavesTheProcessAlone(t *testing.T) {
	t.Parallel()
	dir := program(t, answersProgram)
	binary := buildProgram(t, dir, "-gcflags=all=-N -l")
	for name, end := range map[string]func(x *terminal){
		"q":       func(x *terminal) { x.keys("q"); x.wait("leaves it running"); x.keys("y") },
		"ctrl+c":  func(x *terminal) { x.keys("\x03"); x.wait("leaves it running"); x.keys("y") },
		"SIGTERM": func(x *terminal) { _ = x.cmd.Process.Signal(syscall.SIGTERM) },
		"SIGHUP":  func(x *terminal) { _ = x.cmd.Process.Signal(syscall.SIGHUP) },
		"SIGKILL": func(x *terminal) { _ = x.cmd.Process.Kill() },
		"run on": func(x *terminal) {
			x.keys("c")
			x.wait("running")
			x.keys("q")
			x.wait("leaves it running")
			x.keys("y")
		},
		"kill run": func(x *terminal) { x.keys("c"); x.wait("running"); _ = x.cmd.Process.Kill() },
	} {
		t.Run(name, func(t *testing.T) {
			if name != "q" {
				testsupport.Slow(t)
			}
			l := live(t, binary)
			x := way(t, dir, "attach", fmt.Sprint(l.cmd.Process.Pid))
			x.wait("■ attached")
			x.keys(":", "b", "r", "e", "a", "k", " ", "m", "a", "i", "n", ".", "(", "*", "S", "e", "r", "v", "e", "r", ")", ".", "A", "n", "s", "w", "e", "r", "\r")
			x.wait("main.go:17", "main.go:16")
			x.keys(escape)
			end(x)
			x.exit()
			l.answers(t)
			l.answers(t)
		})
	}
}

func TestAttachStopsAtThePanicAndKillsWhenAsked(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := program(t, answersProgram)
	l := live(t, buildProgram(t, dir, "-gcflags=all=-N -l"))
	x := way(t, dir, "attach", "--continue", fmt.Sprint(l.cmd.Process.Pid))
	x.wait("goes where it has always gone")
	go func() { _ = ask(l.socket, "panic") }()
	x.wait("nil-map-write")
	x.wait("6 Fixes · ")
	x.keys("r")
	x.wait("cannot be started again")
	x.keys("q")
	x.wait("kills the process")
	x.keys("K")
	x.exit()
	<-l.ended
	has(t, logOf(t, dir), "attach", "was killed")
}

func TestCoreShowsThePanicAndDoesNotRun(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := program(t, twoBugsProgram)
	binary := buildProgram(t, dir, "-gcflags=all=-N -l")
	core := coreOf(t, binary)
	x := way(t, dir, "core", binary, core)
	x.wait("nil-map-write")
	x.wait("s.books = nil map")
	x.wait("make books in NewShelf")
	x.keys("c")
	x.wait("a core dump cannot run")
	x.keys("r")
	x.wait("a core dump cannot be started again")
	x.leave()
	has(t, logOf(t, dir), "core", "nil-map-write")
}

func TestConnectToAServer(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := program(t, answersProgram)
	binary := buildProgram(t, dir, "-trimpath", "-gcflags=all=-N -l")
	socket := filepath.Join(t.TempDir(), "s")
	wanted := delvetest.Server{Args: []string{binary, socket}, Dir: t.TempDir(), Listen: "unix:" + filepath.Join(t.TempDir(), "dlv")}
	server := wanted.Start(t)
	x := way(t, dir, "connect", server.Addr)
	x.wait("at entry")
	x.keys("5") // nothing was printed here: the pane is shown only when it is asked for
	x.wait("stays with its server")
	x.keys("c")
	x.wait("running")
	testsupport.Eventually(t, "the program answers", func() bool { return ask(socket, "hello") == nil })
	x.keys("q")
	x.wait("leaves it running")
	x.keys("y")
	x.exit()
	if err := ask(socket, "still there?"); err != nil {
		t.Fatal(err)
	}
	x = way(t, dir, "connect", "--continue", server.Addr)
	x.wait("stays with its server")
	go func() { _ = ask(socket, "panic") }()
	x.wait("nil-map-write")
	x.wait("▶")
	server.Kill()
	x.keys("c")
	x.confirm("End the program?")
	x.wait("has lost the program")
	_ = os.Remove(strings.TrimPrefix(wanted.Listen, "unix:"))
	_ = os.Remove(socket)
	wanted.Start(t)
	x.keys("r") // connects again
	x.wait("at entry", "running")
	x.leave()
}

func TestWaysRefuse(t *testing.T) {
	t.Parallel()
	dir := program(t, twoBugsProgram)
	for _, args := range [][]string{
		{"exec", filepath.Join(dir, "none")}, {"exec", filepath.Join(dir, "main.go")}, {"attach", "1073741824"}, {"core", filepath.Join(dir, "none"), "core"}, {"connect", "nowhere"},
	} {
		x := way(t, dir, args...)
		if code := x.exit(); code != cli.ExitFailure {
			t.Errorf("%v: exit code %d:\n%s", args, code, x.text())
		}
	}
}
