package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/internal/reexec"
	"github.com/pausetui/pausetui/internal/supervise"
	"github.com/pausetui/pausetui/internal/testsupport"
)

// behavior makes this test binary the program in the sandbox.
const behavior = "SANDBOX_TEST_BEHAVIOR"

func TestMain(m *testing.M) {
	reexec.Main()
	if name := os.Getenv(behavior); name != "" {
		os.Exit(behave(name))
	}
	code := m.Run()
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// mark is in the environment of what this process runs, and of nothing that
// another test runs at the same time.
func mark() string { return fmt.Sprintf("SANDBOX_TEST_OF=%d.", os.Getpid()) }

// tiers runs the test in each tier this system has.
func tiers(t *testing.T, f func(*testing.T, Tier)) {
	t.Helper()
	best, reasons := Detect()
	for _, tier := range []Tier{Full, Landlock} {
		t.Run(string(tier), func(t *testing.T) {
			if tier.rank() > best.rank() {
				t.Skipf("this system has %s only: %v", best, reasons)
			}
			f(t, tier)
		})
	}
}

// program describes a run of this binary in a fresh working directory.
func program(t *testing.T, tier Tier, name string, args ...string) Spec {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "source.go"), []byte("package source\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return Spec{Path: self, Args: args, Dir: dir, Env: append(os.Environ(), behavior+"="+name, mark()), Max: tier,
		Limits: Limits{Wall: 20 * time.Second}}
}

func mustRun(t *testing.T, s Spec) Result {
	t.Helper()
	r, err := Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAProgramGivesWay(t *testing.T) {
	tiers(t, func(t *testing.T, tier Tier) {
		s := program(t, tier, "yield")
		s.Nice = 7
		own, _ := unix.Getpriority(unix.PRIO_PROCESS, 0)
		level := max(s.Nice, 20-own)
		switch got := string(mustRun(t, s).Output); got {
		case fmt.Sprint("nice 7, ", level):
		case fmt.Sprint("none, ", level):
			t.Log("this system has no autogroups")
		default:
			t.Errorf("got %q", got)
		}
	})
}

func TestExitCodesAndArguments(t *testing.T) {
	tiers(t, func(t *testing.T, tier Tier) {
		r := mustRun(t, program(t, tier, "exit", "a", "b c"))
		if r.ExitCode != 7 || r.Signal != "" || r.Limit != "" || string(r.Output) != "args [a b c]\n" || r.Tier != tier {
			t.Errorf("result %+v, output %q", r, r.Output)
		}
		r = mustRun(t, program(t, tier, "panic"))
		if r.ExitCode != 2 || !strings.Contains(string(r.Output), "panic: boom") {
			t.Errorf("result %+v, output %q", r, r.Output)
		}
		r = mustRun(t, program(t, tier, "sigterm"))
		if r.Signal != "SIGTERM" || r.ExitCode != -1 {
			t.Errorf("result %+v, output %q", r, r.Output)
		}
	})
}

// The link to the working directory lies in a directory that is hidden.
func TestTheWorkingDirectoryMayBeReachedByALink(t *testing.T) {
	tiers(t, func(t *testing.T, tier Tier) {
		s := program(t, tier, "exit")
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(s.Dir, link); err != nil {
			t.Skip(err)
		}
		s.Dir = link
		if r := mustRun(t, s); r.ExitCode != 7 {
			t.Errorf("exit %d: %s", r.ExitCode, r.Output)
		}
	})
}

// So are the links to the program and to the directory of temporary files, as where
// TMPDIR is one.
func TestTheProgramMayBeReachedByALink(t *testing.T) {
	tiers(t, func(t *testing.T, tier Tier) {
		s := program(t, tier, "exit")
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(filepath.Dir(s.Path), link); err != nil {
			t.Skip(err)
		}
		s.Path, s.Env = filepath.Join(link, filepath.Base(s.Path)), append(s.Env, "TMPDIR="+link)
		if r := mustRun(t, s); r.ExitCode != 7 {
			t.Errorf("exit %d: %s", r.ExitCode, r.Output)
		}
		o, scratch, err := newOrder(s, tier)
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(scratch)
		if want := "TMPDIR=" + realPath(link); !slices.Contains(o.Env, want) || !slices.Contains(s.Env, "TMPDIR="+link) {
			t.Errorf("%s, want %s", o.Env, want)
		}
	})
}

func TestTypedInputReachesTheTerminal(t *testing.T) {
	tiers(t, func(t *testing.T, tier Tier) {
		s := program(t, tier, "echo")
		s.Terminal = true
		s.Input = []Keys{{After: 50 * time.Millisecond, Text: "gopher\n"}, {After: 100 * time.Millisecond, Text: "\x04"}}
		r := mustRun(t, s)
		if !strings.Contains(string(r.Output), "hello gopher  EOF") && !strings.Contains(string(r.Output), "hello gopher  unexpected newline") {
			t.Errorf("result %+v, output %q", r, r.Output)
		}
		s.Input, s.Stdin = nil, filepath.Join(t.TempDir(), "in")
		if err := os.WriteFile(s.Stdin, []byte("file 9\n7\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if r = mustRun(t, s); !strings.Contains(string(r.Output), "hello file") {
			t.Errorf("result %+v, output %q", r, r.Output)
		}
	})
}

func TestAnInterruptCanBeTyped(t *testing.T) {
	tiers(t, func(t *testing.T, tier Tier) {
		s := program(t, tier, "sleep")
		s.Terminal, s.Input = true, []Keys{{After: 100 * time.Millisecond, Text: "\x03"}}
		if r := mustRun(t, s); r.Signal != "SIGINT" {
			t.Errorf("result %+v, output %q", r, r.Output)
		}
	})
}

func TestTimeEndsEverything(t *testing.T) {
	t.Cleanup(func() { nothingLeft(t) }) // once both have ended
	tiers(t, func(t *testing.T, tier Tier) {
		t.Parallel()
		for _, name := range []string{"sleep", "stubborn"} {
			s := program(t, tier, name)
			s.Limits.Wall = 400 * time.Millisecond
			if r := mustRun(t, s); !r.Alive() || r.ExitCode != -1 {
				t.Errorf("%s: result %+v", name, r)
			}
		}
	})
}

func TestAProgramWhoseTimeIsUpSaysWhatItsGoroutinesDo(t *testing.T) {
	tiers(t, func(t *testing.T, tier Tier) {
		t.Parallel()
		s := program(t, tier, "sleep")
		s.Limits.Wall, s.Stacks = 400*time.Millisecond, true
		r := mustRun(t, s)
		if !r.Alive() || r.ExitCode != -1 || r.Signal != "" || string(r.Output) != "asleep\n" {
			t.Errorf("result %+v, output %q", r, r.Output)
		}
		if !strings.Contains(string(r.Stacks), "time.Sleep(") {
			t.Errorf("stacks %q", r.Stacks)
		}
	})
}

func TestOutputIsWatchedAsItComes(t *testing.T) {
	tiers(t, func(t *testing.T, tier Tier) {
		s := program(t, tier, "sleep")
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		seen := watcher{line: "asleep\n", found: cancel}
		s.Watch = &seen
		if _, err := Run(ctx, s); !errors.Is(err, context.Canceled) || seen.text != "asleep\n" {
			t.Errorf("error %v, seen %q", err, seen.text)
		}
	})
}

// watcher calls found when it has seen the line, and fails from then on.
type watcher struct {
	text, line string
	found      func()
}

func (w *watcher) Write(p []byte) (int, error) {
	w.text += string(p)
	if !strings.Contains(w.text, w.line) {
		return len(p), nil
	}
	w.found()
	return 0, errors.New("seen enough")
}

func TestTheContextEndsEverything(t *testing.T) {
	tiers(t, func(t *testing.T, tier Tier) {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		if _, err := Run(ctx, program(t, tier, "stubborn")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error is %v", err)
		}
		nothingLeft(t)
	})
}

// nothingLeft fails when a process of this binary's own making lives on.
func nothingLeft(t *testing.T) {
	t.Helper()
	testsupport.Until(t, func() string {
		var left []string
		for _, p := range supervise.Processes() {
			env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.ID))
			line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p.ID))
			ours := strings.Contains(string(env), mark()) || p.Parent == os.Getpid() && strings.Contains(string(line), initName)
			if err == nil && p.ID != os.Getpid() && ours && p.Parent != 0 && len(line) > 0 {
				left = append(left, strings.ReplaceAll(string(line), "\x00", " "))
			}
		}
		return strings.Join(left, ", ")
	})
}

func TestForksAreContained(t *testing.T) {
	tiers(t, func(t *testing.T, tier Tier) {
		s := program(t, tier, "fork")
		s.Limits.Processes, s.Limits.Wall = 60, 5*time.Second
		r := mustRun(t, s)
		if r.Limit != LimitProcesses {
			t.Errorf("result %+v", r)
		}
		nothingLeft(t)
	})
}

// The kernel lets root have as many threads as the machine has room for.
func TestThreadsAreContained(t *testing.T) {
	tiers(t, func(t *testing.T, tier Tier) {
		s := program(t, tier, "multiply")
		s.Limits.Processes = 100
		if r := mustRun(t, s); r.Limit != LimitProcesses && !strings.Contains(string(r.Output), "failed to create new OS thread") {
			t.Errorf("result %+v", r)
		}
	})
}

func TestMemoryIsContained(t *testing.T) {
	tiers(t, func(t *testing.T, tier Tier) {
		s := program(t, tier, "memory")
		s.Limits.Memory = 512 << 20
		r := mustRun(t, s)
		if r.Limit != LimitMemory && !strings.Contains(string(r.Output), "out of memory") && !strings.Contains(string(r.Output), "allocate") {
			t.Errorf("result %+v, output %q", r, r.Output[:min(len(r.Output), 400)])
		}
	})
}

func TestDiskIsContained(t *testing.T) {
	tiers(t, func(t *testing.T, tier Tier) {
		s := program(t, tier, "disk")
		s.Limits.Disk, s.Limits.FileSize, s.Limits.Wall = 32<<20, 16<<20, 5*time.Second
		r := mustRun(t, s)
		if r.ExitCode != 3 && r.Signal != "SIGXFSZ" {
			t.Errorf("result %+v, output %q", r, r.Output)
		}
	})
}

func TestTheNetworkIsOutOfReach(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	tiers(t, func(t *testing.T, tier Tier) {
		r := mustRun(t, program(t, tier, "network", l.Addr().String()))
		out := string(r.Output)
		if !strings.Contains(out, "listen true") || strings.Contains(out, "outside <nil>") || len(r.Blocked) == 0 {
			t.Errorf("output %q, blocked %q", out, r.Blocked)
		}
		if tier == Full && !strings.Contains(out, "loopback true") {
			t.Errorf("output %q", out)
		}
	})
}

func TestUnixSocketsAreOutOfReach(t *testing.T) {
	if best, _ := Detect(); best != Full {
		t.Skip("needs the full tier")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "agent.sock")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s := program(t, Full, "dial", path)
	s.Throwaway = []string{dir} // even in a directory that is shown
	if r := mustRun(t, s); !strings.Contains(string(r.Output), "refused") {
		t.Errorf("output %q", r.Output)
	}
}

func TestWritesGoNowhere(t *testing.T) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip(err)
	}
	tiers(t, func(t *testing.T, tier Tier) {
		s := program(t, tier, "write")
		module := t.TempDir()
		source := filepath.Join(module, "main.go")
		if err := os.WriteFile(source, []byte("package main\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		s.Throwaway = []string{module}
		outside := []string{filepath.Join(home, "pausetui-sandbox-test"), filepath.Join(module, "new"), "/tmp/pausetui-sandbox-test", "/etc/pausetui-sandbox-test"}
		s.Args = append([]string{source, "source.go"}, outside...)
		r := mustRun(t, s)
		text, _ := os.ReadFile(source)
		own, _ := os.ReadFile(filepath.Join(s.Dir, "source.go"))
		if string(text) != "package main\n" || string(own) != "package source\n" {
			t.Errorf("the source was changed: %q, %q", text, own)
		}
		for _, path := range outside {
			if _, err := os.Stat(path); err == nil {
				t.Errorf("%s was written", path)
				os.Remove(path)
			}
		}
		out := string(r.Output)
		if !strings.Contains(out, "source.go true true") || !strings.Contains(out, "/etc/pausetui-sandbox-test false") {
			t.Errorf("output %q", out)
		}
		if tier == Full && strings.Count(out, "true true") != 5 {
			t.Errorf("output %q", out)
		}
	})
}

func TestSecretsAreHidden(t *testing.T) {
	home := t.TempDir()
	secret := filepath.Join(home, "secret")
	if err := os.WriteFile(secret, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	tiers(t, func(t *testing.T, tier Tier) {
		s := program(t, tier, "read", secret, "source.go")
		r := mustRun(t, s)
		if out := string(r.Output); !strings.Contains(out, "secret false") || !strings.Contains(out, "source.go true") {
			t.Errorf("output %q", out)
		}
	})
}

func TestTheParentSurvives(t *testing.T) {
	tiers(t, func(t *testing.T, tier Tier) {
		r := mustRun(t, program(t, tier, "kill-parent"))
		if tier == Full && (r.ExitCode != 0 || !strings.Contains(string(r.Output), "still here")) {
			t.Errorf("result %+v, output %q", r, r.Output)
		}
		nothingLeft(t)
	})
}

func TestFloodsAreCut(t *testing.T) {
	tiers(t, func(t *testing.T, tier Tier) {
		s := program(t, tier, "flood")
		s.Limits.Output = 8 << 20
		r := mustRun(t, s)
		if r.Limit != LimitOutput || len(r.Output) > 3*keep || r.Dropped == 0 {
			t.Errorf("limit %q, %d bytes kept, %d dropped", r.Limit, len(r.Output), r.Dropped)
		}
	})
}

func TestNothingRunsWithoutASandboxUnlessAllowed(t *testing.T) {
	t.Setenv(tierVariable, "none")
	s := program(t, Full, "exit")
	if _, err := Run(t.Context(), s); !errors.Is(err, ErrNoSandbox) {
		t.Errorf("error is %v", err)
	}
	s.AllowNone = true
	if r := mustRun(t, s); r.ExitCode != 7 || r.Tier != None {
		t.Errorf("result %+v", r)
	}
}

func TestNothingSurvivesUs(t *testing.T) {
	tiers(t, func(t *testing.T, tier Tier) {
		s := program(t, tier, "outer", string(tier), t.TempDir())
		temp := t.TempDir()
		cmd := exec.Command(s.Path, s.Args...)
		cmd.Env = append(s.Env, "TMPDIR="+temp)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		testsupport.Eventually(t, "the program in the sandbox has a child", func() bool { // trials of the tiers have none
			return slices.ContainsFunc(below(cmd.Process.Pid), func(pid int) bool {
				env, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
				return bytes.Contains(env, []byte(behavior+"=sleep"))
			})
		})
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed
		nothingLeft(t)
	})
}

// below lists the descendants of a process.
func below(pid int) []int {
	var found []int
	for _, p := range supervise.Processes() {
		if p.Parent == pid {
			found = append(append(found, p.ID), below(p.ID)...)
		}
	}
	return found
}
