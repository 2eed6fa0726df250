//go:build linux

package delve

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/testsupport"
)

func TestFatalErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		class    debugger.Class
		message  string
		function string // of the culprit
	}{
		{"deadlock", debugger.Deadlock, "all goroutines are asleep - deadlock!", "main.(*worker).take"},
		{"deadlock below", debugger.Deadlock, "all goroutines are asleep - deadlock!", "main.deadlockBelow"},
		{"races", debugger.ConcurrentMap, "concurrent map writes", "main.races.func1"},
		{"overflow", debugger.StackOverflow, "stack overflow", "main.depth"},
		{"overflow below", debugger.StackOverflow, "stack overflow", "main.walk"},
		{"overflow afar", debugger.StackOverflow, "stack overflow", "main.leaf.String"},
		{"unlock", debugger.UnlockUnlocked, "sync: unlock of unlocked mutex", "main.unlock"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.name == "overflow" {
				testsupport.Slow(t)
			}
			t.Parallel()
			target := launch(t, "ends", test.name)
			stop := resume(t, target, debugger.Continue)
			if stop.Reason != debugger.ReasonFatal || stop.Panic == nil {
				t.Fatalf("stopped for %q: %+v", stop.Reason, stop.Exit)
			}
			if stop.Panic.Class != test.class || stop.Panic.Message != test.message {
				t.Errorf("%s: %q", stop.Panic.Class, stop.Panic.Message)
			}
			frame, _ := stop.SelectedFrame()
			if frame.Function != test.function || !frame.Loaded || stop.Panic.Culprit != stop.Selected {
				t.Errorf("culprit %d %s in %v", stop.Panic.Culprit, frame.Function, functions(stop.Frames))
			}
			if test.class == debugger.Deadlock && stop.Goroutine != 1 {
				t.Errorf("goroutine %d", stop.Goroutine)
			}
			if test.class == debugger.StackOverflow && !stop.MoreFrames {
				t.Error("a page holds the whole stack")
			}
			end := resume(t, target, debugger.Continue)
			if end.Reason != debugger.ReasonExited || end.Exit.Code != 2 {
				t.Errorf("after the fatal error: %q %+v", end.Reason, end.Exit)
			}
		})
	}
}

func functions(frames []debugger.Frame) []string {
	var names []string
	for _, f := range frames[:min(len(frames), 20)] {
		names = append(names, f.Function)
	}
	return names
}

func TestAPanicPassedDies(t *testing.T) {
	t.Parallel()
	target := launch(t, "panics", "nil map")
	if stop := resume(t, target, debugger.Continue); !stop.Crashed() {
		t.Fatalf("stopped for %q", stop.Reason)
	}
	end := resume(t, target, debugger.Continue)
	if end.Reason != debugger.ReasonExited || end.Exit.Code != 2 {
		t.Errorf("%q %+v", end.Reason, end.Exit)
	}
	if _, _, err := target.Frames(t.Context(), 1, debugger.Page{}); !errors.Is(err, debugger.ErrGone) {
		t.Errorf("frames of an ended target: %v", err)
	}
	if _, err := target.Resume(t.Context(), debugger.Continue); !errors.Is(err, debugger.ErrGone) {
		t.Errorf("resume of an ended target: %v", err)
	}
	if err := target.Halt(); !errors.Is(err, debugger.ErrGone) {
		t.Errorf("halt of an ended target: %v", err)
	}
}

func TestExits(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]debugger.Exit{
		"ok": {}, "exit": {Code: 3}, "kill": {Code: -1, Signal: "SIGKILL"},
	} {
		t.Run(name, func(t *testing.T) {
			stop := resume(t, launch(t, "ends", name), debugger.Continue)
			if stop.Exit != nil {
				stop.Exit.At = nil // see TestAnExitHasAPlace
			}
			if !stop.Ended() || stop.Exit == nil || *stop.Exit != want {
				t.Errorf("%q %+v", stop.Reason, stop.Exit)
			}
		})
	}
}

// run resumes in the background and returns where the outcome comes.
func run(t *testing.T, target *Target) <-chan outcomeOf {
	t.Helper()
	done := make(chan outcomeOf, 1)
	go func() {
		stop, err := target.Resume(context.WithoutCancel(t.Context()), debugger.Continue)
		done <- outcomeOf{stop, err}
	}()
	isRunning(t, target)
	before, _ := activity(target.PID())
	testsupport.Eventually(t, "the program gets somewhere, waits, or ends", func() bool {
		used, waits := activity(target.PID())
		return waits || used-before > 5*time.Millisecond
	})
	return done
}

// activity is the processor time of a process so far, and whether all of its threads
// wait. It has several once its runtime has started, and none once it has ended.
func activity(pid int) (used time.Duration, waits bool) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	waits = len(threads) != 1
	for _, thread := range threads {
		text, _ := os.ReadFile(filepath.Join(thread, "schedstat")) // it may have ended
		var ns int64
		_, _ = fmt.Sscan(string(text), &ns)
		used += time.Duration(ns)
		stat, _ := os.ReadFile(filepath.Join(thread, "stat"))
		waits = waits && (bytes.Contains(stat, []byte(") S ")) || bytes.Contains(stat, []byte(") Z ")))
	}
	return used, waits
}

type outcomeOf struct {
	stop debugger.Stop
	err  error
}

func await(t *testing.T, done <-chan outcomeOf) outcomeOf {
	t.Helper()
	select {
	case o := <-done:
		return o
	case <-time.After(time.Minute):
		t.Fatal("no stop")
		return outcomeOf{}
	}
}

func TestHalt(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"spin", "sleep", "flood", "deaf"} {
		t.Run(name, func(t *testing.T) {
			target := launch(t, "ends", name)
			begun, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{Location: "main.main"}) // before, no frame is the user's
			if err != nil {
				t.Fatal(err)
			}
			resume(t, target, debugger.Continue)
			if err := target.ClearBreakpoint(t.Context(), begun.ID); err != nil {
				t.Fatal(err)
			}
			for range 3 { // and on, and again
				done := run(t, target)
				if _, err := target.Load(t.Context(), debugger.FrameRef{Goroutine: 1}); !errors.Is(err, debugger.ErrRunning) {
					t.Errorf("load while running: %v", err)
				}
				if err := target.Halt(); err != nil {
					t.Fatal(err)
				}
				got := await(t, done)
				if got.err != nil || got.stop.Reason != debugger.ReasonHalt {
					t.Fatalf("%q, %v", got.stop.Reason, got.err)
				}
				if frame, ok := got.stop.SelectedFrame(); !ok || !frame.User {
					t.Errorf("selected %v of %v", frame.Function, functions(got.stop.Frames))
				}
			}
			if err := target.Halt(); err != nil {
				t.Errorf("halt while stopped: %v", err)
			}
		})
	}
}

// A halt that comes between the announcement of a move and the move is not lost,
// nor left over for the move after it.
func TestHaltBeforeAnAnnouncedMove(t *testing.T) {
	t.Parallel()
	target := launch(t, "panics", "nil map")
	target.Announce()
	if err := target.Halt(); err != nil {
		t.Fatal(err)
	}
	if stop := resume(t, target, debugger.Continue); stop.Reason != debugger.ReasonHalt {
		t.Fatalf("%q instead of the halt", stop.Reason)
	}
	if stop := resume(t, target, debugger.Continue); stop.Reason != debugger.ReasonPanic {
		t.Errorf("%q instead of the panic", stop.Reason)
	}
}

// TestHaltMeetsAStop halts while the target stops by itself: whichever comes
// first, no halt is left over for the next resume.
func TestHaltMeetsAStop(t *testing.T) {
	t.Parallel()
	for range 6 {
		target := launch(t, "panics", "nil map")
		done := make(chan outcomeOf, 1)
		go func() {
			stop, err := target.Resume(context.WithoutCancel(t.Context()), debugger.Continue)
			done <- outcomeOf{stop, err}
		}()
		isRunning(t, target)
		if err := target.Halt(); err != nil {
			t.Fatal(err)
		}
		got := await(t, done)
		if got.err != nil {
			t.Fatal(got.err)
		}
		if got.stop.Reason == debugger.ReasonHalt {
			got.stop = resume(t, target, debugger.Continue)
		}
		if got.stop.Reason != debugger.ReasonPanic {
			t.Fatalf("%q instead of the panic", got.stop.Reason)
		}
		if end := resume(t, target, debugger.Continue); end.Reason != debugger.ReasonExited {
			t.Errorf("%q instead of the end", end.Reason)
		}
	}
}

func TestAbandonedResume(t *testing.T) {
	t.Parallel()
	target := launch(t, "ends", "spin")
	ctx, cancel := context.WithTimeout(t.Context(), time.Second) // in which goroutine 1 comes to be
	defer cancel()
	if _, err := target.Resume(ctx, debugger.Continue); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	if _, err := target.Resume(t.Context(), debugger.Continue); !errors.Is(err, debugger.ErrRunning) {
		t.Errorf("second resume: %v", err)
	}
	if err := target.Halt(); err != nil {
		t.Fatal(err)
	}
	testsupport.Eventually(t, "the program is halted", func() bool { return !errors.Is(target.srv.Usable(), debugger.ErrRunning) })
	if _, _, err := target.Frames(t.Context(), 1, debugger.Page{}); err != nil {
		t.Errorf("after the halt: %v", err)
	}
}

func TestKilledFromOutside(t *testing.T) {
	t.Parallel()
	t.Run("running", func(t *testing.T) {
		target := launch(t, "ends", "sleep")
		done := run(t, target)
		if err := syscall.Kill(target.PID(), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		got := await(t, done)
		if got.err != nil || got.stop.Reason != debugger.ReasonSignal || got.stop.Exit.Signal != "SIGKILL" {
			t.Errorf("%+v, %v", got.stop, got.err)
		}
	})
	t.Run("asked to quit", func(t *testing.T) {
		target := launch(t, "ends", "sleep")
		done := run(t, target)
		if err := syscall.Kill(target.PID(), syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		got := await(t, done)
		if got.err != nil || got.stop.Reason != debugger.ReasonSignal || got.stop.Exit.Signal != "SIGTERM" {
			t.Errorf("%+v, %v", got.stop, got.err)
		}
	})
	t.Run("asked for a trace", func(t *testing.T) {
		target := launch(t, "ends", "sleep")
		done := run(t, target)
		if err := syscall.Kill(target.PID(), syscall.SIGQUIT); err != nil {
			t.Fatal(err)
		}
		got := await(t, done)
		if got.err != nil || !got.stop.Ended() && (got.stop.Reason != debugger.ReasonFatal || got.stop.Panic.Message != "SIGQUIT: quit") {
			t.Errorf("%+v %+v, %v", got.stop, got.stop.Panic, got.err)
		}
	})
	t.Run("stopped", func(t *testing.T) {
		target := launch(t, "panics", "nil map")
		resume(t, target, debugger.Continue)
		if err := syscall.Kill(target.PID(), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		stop, err := target.Resume(ctx, debugger.Continue)
		if ctx.Err() != nil || err != nil || !stop.Ended() {
			t.Errorf("%+v, %v", stop, err)
		}
	})
}

// serverOf finds the Delve server: the target's tracer.
func serverOf(t *testing.T, target *Target) int {
	t.Helper()
	status, err := os.ReadFile("/proc/" + strconv.Itoa(target.PID()) + "/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "TracerPid:"); ok {
			pid, _ := strconv.Atoi(strings.TrimSpace(rest))
			if pid > 0 {
				return tgid(t, pid)
			}
		}
	}
	t.Fatal("the program is not traced")
	return 0
}

// tgid returns the process of a thread.
func tgid(t *testing.T, tid int) int {
	t.Helper()
	status, err := os.ReadFile("/proc/" + strconv.Itoa(tid) + "/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "Tgid:"); ok {
			pid, _ := strconv.Atoi(strings.TrimSpace(rest))
			return pid
		}
	}
	return tid
}

// below lists the living processes whose environment marks them as ours.
func below(t *testing.T, mark string) []string {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, e := range entries {
		env, err := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if err == nil && strings.Contains(string(env), mark) {
			found = append(found, e.Name())
		}
	}
	return found
}

// hasForked waits for the children of the target that forks, and theirs.
func hasForked(t *testing.T, mark string) {
	t.Helper()
	testsupport.Eventually(t, "the program has forked", func() bool { return len(below(t, mark)) > 10 })
}

func waitGone(t *testing.T, mark string) {
	t.Helper()
	testsupport.Eventually(t, "all processes of the test have ended", func() bool { return len(below(t, mark)) == 0 })
}

// marked makes an environment by which a target and its children are found.
func marked(t *testing.T) (mark string, env []string) {
	mark = "DELVE_TEST_MARK=" + strings.ReplaceAll(t.Name(), "/", "-") + strconv.FormatInt(time.Now().UnixNano(), 36)
	return mark, append(os.Environ(), mark)
}

func TestALostServer(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"running": {"ends", "forks"}, "stopped": {"panics", "nil map"}} {
		t.Run(name, func(t *testing.T) {
			mark, env := marked(t)
			target := launchWith(t, Config{Binary: fixture(t, args[0]), Args: args[1:], Env: env})
			var done <-chan outcomeOf
			if name == "running" {
				done = run(t, target)
				hasForked(t, mark)
			} else {
				resume(t, target, debugger.Continue)
			}
			server := serverOf(t, target)
			if err := syscall.Kill(server, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			select {
			case <-target.Lost():
			case <-time.After(time.Minute):
				t.Fatal("the loss was not reported")
			}
			if done != nil {
				if got := await(t, done); !errors.Is(got.err, debugger.ErrGone) {
					t.Errorf("resume: %v", got.err)
				}
			}
			if _, err := target.Evaluate(t.Context(), debugger.FrameRef{Goroutine: 1}, "1"); !errors.Is(err, debugger.ErrGone) {
				t.Errorf("evaluate: %v", err)
			}
			waitGone(t, mark)
		})
	}
}

func TestACutConnection(t *testing.T) {
	t.Parallel()
	mark, env := marked(t)
	target := launchWith(t, Config{Binary: fixture(t, "ends"), Args: []string{"sleep"}, Env: env})
	done := run(t, target)
	if err := target.srv.Conn.Close(); err != nil {
		t.Fatal(err)
	}
	if got := await(t, done); !errors.Is(got.err, debugger.ErrGone) {
		t.Errorf("resume: %v", got.err)
	}
	select {
	case <-target.Lost():
	case <-time.After(time.Minute):
		t.Fatal("the server did not end")
	}
	waitGone(t, mark)
}

func TestCloseLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"forks", "deaf", "flood", "spin", "entry"} {
		t.Run(name, func(t *testing.T) {
			mark, env := marked(t)
			target := launchWith(t, Config{Binary: fixture(t, "ends"), Args: []string{name}, Env: env})
			var done <-chan outcomeOf
			if name != "entry" {
				done = run(t, target)
			}
			if name == "forks" {
				hasForked(t, mark)
			}
			for range 2 {
				if err := target.Close(); err != nil {
					t.Error(err)
				}
			}
			if left := below(t, mark); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
			if done != nil {
				// On a busy machine, it may have been halted for the end before it was gone.
				if got := await(t, done); !errors.Is(got.err, debugger.ErrGone) && (got.err != nil || !got.stop.Ended() && got.stop.Reason != debugger.ReasonHalt) {
					t.Errorf("resume: %s, %v", got.stop.Reason, got.err)
				}
			}
			if err := target.Halt(); !errors.Is(err, debugger.ErrGone) {
				t.Errorf("halt after close: %v", err)
			}
		})
	}
}

func TestKillingUsLeavesNothing(t *testing.T) {
	t.Parallel()
	if target := launch(t, "ends", "ok"); target == nil { // or skip
		return
	}
	mark, env := marked(t)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(env, hostEnv+"="+fixture(t, "ends"))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if line != "ready\n" {
		t.Errorf("the host said %q, %v", line, err)
	}
	if n := len(below(t, mark)); n < 8 { // itself, supervisor, server, target, and what that started
		t.Errorf("%d processes", n)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	waitGone(t, mark)
}

// The end of a program that ended itself has a place, and a breakpoint of the person's
// on os.Exit is not in its way.
func TestAnExitHasAPlace(t *testing.T) {
	t.Parallel()
	for _, breaks := range []bool{false, true} {
		target := launch(t, "ends", "exit")
		if breaks {
			set(t, target, debugger.Breakpoint{Location: "os.Exit"})
			if stop := resume(t, target, debugger.Continue); stop.Reason != debugger.ReasonBreakpoint {
				t.Fatalf("no stop at os.Exit: %+v", stop)
			}
		}
		stop := resume(t, target, debugger.Continue)
		if stop.Exit == nil || stop.Exit.Code != 3 || stop.Exit.At == nil {
			t.Fatalf("breakpoint %t: %+v", breaks, stop.Exit)
		}
		at := *stop.Exit.At
		want := debugger.ExitPlace{Call: "os.Exit", File: at.File, Line: lineOf(t, filepath.Join(testdata(t), "ends", "main.go"), `"exit":`)}
		if want.Function = at.Function; at != want || !strings.HasPrefix(at.Function, "main.") || filepath.Base(at.File) != "main.go" {
			t.Errorf("breakpoint %t: %+v, want %+v", breaks, at, want)
		}
	}
}
