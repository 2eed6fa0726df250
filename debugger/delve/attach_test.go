//go:build linux

package delve

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/supervise"
	"github.com/pausetui/pausetui/internal/testsupport"
)

// life is a process started elsewhere that answers.
type life struct {
	cmd    *exec.Cmd
	socket string
	ended  chan struct{}
}

// live starts a process that has nothing to do with us but its parent.
func live(t *testing.T) *life {
	t.Helper()
	l := &life{socket: filepath.Join(t.TempDir(), "socket"), ended: make(chan struct{})}
	l.cmd = exec.Command(fixture(t, "lives"), l.socket)
	if err := l.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(l.ended)
		_ = l.cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = l.cmd.Process.Kill()
		<-l.ended
	})
	l.answers(t)
	return l
}

// answers makes sure that the process does its work.
func (l *life) answers(t *testing.T) {
	t.Helper()
	testsupport.Until(t, func() string {
		err := l.ask("hello")
		if err == nil {
			return ""
		}
		select {
		case <-l.ended:
			t.Fatalf("the process has ended: %v", l.cmd.ProcessState)
		default:
		}
		return "the process answers: " + err.Error()
	})
}

func (l *life) ask(line string) error {
	conn, err := net.Dial("unix", l.socket)
	if err != nil {
		return err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	fmt.Fprintln(conn, line)
	reply, err := bufio.NewReader(conn).ReadString('\n')
	if err == nil && !strings.HasSuffix(reply, ": "+line+"\n") {
		err = fmt.Errorf("answered %q", reply)
	}
	return err
}

// untraced waits until the process is not debugged, and makes sure that its code
// is what it was.
func (l *life) untraced(t *testing.T) {
	t.Helper()
	testsupport.Eventually(t, "the process is not debugged", func() bool {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", l.cmd.Process.Pid))
		if err != nil {
			<-l.ended
			t.Fatalf("the process has ended: %v", l.cmd.ProcessState)
		}
		return strings.Contains(string(status), "TracerPid:\t0\n")
	})
	for range 3 {
		l.answers(t)
	}
}

func attach(t *testing.T, l *life) *Target {
	t.Helper()
	return attachWith(t, l, nil)
}

func attachWith(t *testing.T, l *life, traced func(debugger.TraceHit)) *Target {
	t.Helper()
	target, err := Attach(t.Context(), AttachConfig{PID: l.cmd.Process.Pid, UserDirs: []string{testdata(t)}, Traced: traced})
	if errors.Is(err, debugger.ErrPtrace) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = target.Close() })
	return target
}

func TestAttachLooksAndLeaves(t *testing.T) {
	t.Parallel()
	l := live(t)
	target := attach(t, l)
	if can := target.Abilities(); !can.Run || !can.Write || can.Restart || can.Input {
		t.Errorf("abilities: %+v", can)
	}
	stop, err := target.Found(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if f, ok := stop.SelectedFrame(); stop.Reason != debugger.ReasonFound || !ok || !f.User {
		t.Errorf("found %q at %+v", stop.Reason, f)
	}
	if err := target.Close(); err != nil {
		t.Error(err)
	}
	l.untraced(t)
}

// atAnswer lets the process run into a breakpoint and returns the question
// that waits for its answer.
func atAnswer(t *testing.T, l *life, target *Target) <-chan error {
	t.Helper()
	if _, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{Location: "main.(*server).answer"}); err != nil {
		t.Fatal(err)
	}
	asked := make(chan error, 1)
	go func() { asked <- l.ask("stopped?") }()
	stop := resume(t, target, debugger.Continue)
	if f, _ := stop.SelectedFrame(); stop.Reason != debugger.ReasonBreakpoint || f.Function != "main.(*server).answer" {
		t.Fatalf("stop: %+v", stop)
	}
	return asked
}

func TestTracepointsOfAnAttachedProcessAreTold(t *testing.T) {
	t.Parallel()
	l := live(t)
	hits := make(chan debugger.TraceHit, 10)
	target := attachWith(t, l, func(hit debugger.TraceHit) { hits <- hit })
	set(t, target, debugger.Breakpoint{Location: "main.(*server).answer", Trace: true, Args: true})
	ended := make(chan error, 1)
	go func() {
		_, err := target.Resume(t.Context(), debugger.Continue)
		ended <- err
	}()
	if err := l.ask("traced?"); err != nil {
		t.Fatal(err)
	}
	if hit := <-hits; hit.Function != "main.(*server).answer" || len(hit.Values) != 2 {
		t.Errorf("%+v", hit)
	}
	if err := target.Halt(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestAHeldProcessIsLeftAtItsBreakpoint(t *testing.T) {
	t.Parallel()
	l := live(t)
	target := attach(t, l)
	asked := atAnswer(t, l, target)
	resume(t, target, debugger.Next)
	if err := target.Close(); err != nil {
		t.Error(err)
	}
	if err := <-asked; err != nil {
		t.Errorf("the question that was held: %v", err)
	}
	l.untraced(t)
}

func TestARunningProcessIsLeft(t *testing.T) {
	t.Parallel()
	l := live(t)
	target := attach(t, l)
	if _, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{Location: "main.(*server).answer"}); err != nil {
		t.Fatal(err)
	}
	gone := make(chan error, 1)
	go func() {
		_, err := target.Resume(t.Context(), debugger.Continue)
		gone <- err
	}()
	isRunning(t, target)
	if err := target.Close(); err != nil {
		t.Error(err)
	}
	if err := <-gone; !errors.Is(err, debugger.ErrGone) {
		t.Errorf("resume: %v", err)
	}
	l.untraced(t)
}

// A step over a call that waits leaves its own breakpoints after the call.
func TestAProcessInTheMiddleOfAStepIsLeft(t *testing.T) {
	t.Parallel()
	l := live(t)
	target := attach(t, l)
	asked := atAnswer(t, l, target)
	resume(t, target, debugger.StepOut)
	stepping := make(chan struct{})
	go func() {
		defer close(stepping)
		for range 20 {
			if stop, err := target.Resume(t.Context(), debugger.Next); err != nil || stop.Ended() {
				return
			}
		}
	}()
	if err := <-asked; err != nil {
		t.Errorf("the question that was held: %v", err)
	}
	isRunning(t, target)
	if err := target.Close(); err != nil {
		t.Error(err)
	}
	<-stepping
	l.untraced(t)
}

func TestKillEndsAnAttachedProcess(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"held", "running"} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			l := live(t)
			target := attach(t, l)
			if state == "running" {
				go func() { _, _ = target.Resume(t.Context(), debugger.Continue) }()
				isRunning(t, target)
			}
			if err := target.Kill(); err != nil {
				t.Error(err)
			}
			testsupport.Closed(t, "the process ends", l.ended)
		})
	}
}

func TestAProcessKilledFromOutside(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"held", "running"} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			l := live(t)
			target := attach(t, l)
			var stop debugger.Stop
			if state == "held" {
				_ = l.cmd.Process.Kill()
				stop = resume(t, target, debugger.Continue)
			} else {
				stopped := make(chan debugger.Stop, 1)
				go func() {
					stop, _ := target.Resume(t.Context(), debugger.Continue)
					stopped <- stop
				}()
				isRunning(t, target)
				_ = l.cmd.Process.Kill()
				stop = <-stopped
			}
			if stop.Reason != debugger.ReasonSignal || stop.Exit.Signal != "SIGKILL" {
				t.Errorf("stop: %+v", stop)
			}
			if err := target.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// attachEnv makes the test binary a program that attaches to a process and
// continues it, to be ended while it does.
const attachEnv = "DELVE_TEST_ATTACH"

func attachHost(text string) {
	pid, _ := strconv.Atoi(text)
	target, err := Attach(context.Background(), AttachConfig{PID: pid})
	if err == nil {
		_, err = target.SetBreakpoint(context.Background(), debugger.Breakpoint{Location: "main.(*server).answer"})
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	below := supervise.Descendants(os.Getpid())
	go func() {
		for target.srv.Usable() == nil {
			time.Sleep(time.Millisecond)
		}
		fmt.Println("running", below[0], below[1])
	}()
	_, _ = target.Resume(context.Background(), debugger.Continue)
	_ = target.Close()
	os.Exit(1)
}

func TestWhateverEndsUsTheProcessLives(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		for _, whom := range []string{"us", "supervisor", "server"} {
			t.Run(sig.String()+" "+whom, func(t *testing.T) {
				if (sig == syscall.SIGKILL) == (whom == "server") {
					testsupport.Slow(t) // other tests kill the server, and terminate the others
				}
				t.Parallel()
				l := live(t)
				host := exec.Command(os.Args[0])
				host.Env = append(os.Environ(), fmt.Sprintf("%s=%d", attachEnv, l.cmd.Process.Pid))
				out, err := host.StdoutPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := host.Start(); err != nil {
					t.Fatal(err)
				}
				var supervisor, server int
				if _, err := fmt.Fscanf(out, "running %d %d\n", &supervisor, &server); err != nil {
					t.Fatal(err)
				}
				pid := map[string]int{"us": host.Process.Pid, "supervisor": supervisor, "server": server}[whom]
				if err := syscall.Kill(pid, sig); err != nil {
					t.Fatal(err)
				}
				l.untraced(t)
				_ = host.Process.Kill()
				_ = host.Wait()
			})
		}
	}
}

func TestAttachRefusals(t *testing.T) {
	t.Parallel()
	sleep := exec.Command("sleep", "100")
	if err := sleep.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = sleep.Process.Kill(); _ = sleep.Wait() }()
	l := live(t)
	_ = attach(t, l)
	for pid, want := range map[int]string{
		sleep.Process.Pid: "not a Go program",
		1 << 30:           "no such process",
		-1:                "no such process",
		os.Getpid():       "pausetui itself",
		l.cmd.Process.Pid: "debugs it already",
	} {
		target, err := Attach(t.Context(), AttachConfig{PID: pid})
		if err == nil {
			_ = target.Close()
			t.Errorf("%d: attached", pid)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v", pid, err)
		}
	}
}
