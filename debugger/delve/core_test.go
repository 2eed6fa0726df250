//go:build linux

package delve

import (
	"debug/elf"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/corefile"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/testsupport"
)

// dump makes a core dump of a fixture where it panics.
func dump(t *testing.T, name string, args ...string) (binary, core string) {
	t.Helper()
	target := launch(t, name, args...)
	resume(t, target, debugger.Continue)
	core = filepath.Join(t.TempDir(), "core")
	if err := target.Dump(t.Context(), core, func(debugger.DumpProgress) {}); err != nil {
		t.Fatal(err)
	}
	return fixture(t, name), core
}

// kernelDump has the kernel write one; the test is skipped where it pipes them
// somewhere else.
func kernelDump(t *testing.T, name string, args ...string) (binary, core string) {
	t.Helper()
	return signaledDump(t, 0, name, args...)
}

// signaledDump has it write one of a process that is sent a signal, once it has made the
// file that its first argument names.
func signaledDump(t *testing.T, signal syscall.Signal, name string, args ...string) (binary, core string) {
	t.Helper()
	pattern, err := os.ReadFile("/proc/sys/kernel/core_pattern")
	if err != nil || strings.ContainsAny(string(pattern), "|/") {
		t.Skipf("core dumps go elsewhere here: %q", pattern)
	}
	dir := t.TempDir()
	binary = fixture(t, name)
	crash := exec.Command("sh", append([]string{"-c", `ulimit -c unlimited; exec "$@"`, "sh", binary}, args...)...)
	crash.Dir, crash.Env = dir, append(os.Environ(), "GOTRACEBACK=crash")
	if err := crash.Start(); err != nil {
		t.Fatal(err)
	}
	if signal != 0 {
		testsupport.Eventually(t, "its start", func() bool { _, err := os.Stat(args[0]); return err == nil })
		_ = crash.Process.Signal(signal)
	}
	_ = crash.Wait()
	cores, _ := filepath.Glob(filepath.Join(dir, "core*"))
	if len(cores) != 1 {
		t.Skipf("the kernel wrote no core dump: %v", cores)
	}
	return binary, cores[0]
}

func openCore(t *testing.T, binary, core string) (*Target, debugger.Stop) {
	t.Helper()
	target, err := Core(t.Context(), CoreConfig{Binary: binary, Core: core, UserDirs: []string{testdata(t)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := target.Close(); err != nil {
			t.Error(err)
		}
	})
	stop, err := target.Found(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return target, stop
}

func TestAPanicInACoreDump(t *testing.T) {
	t.Parallel()
	for maker, dump := range map[string]func(*testing.T, string, ...string) (string, string){"delve": dump, "kernel": kernelDump} {
		for name, want := range map[string]struct {
			class           debugger.Class
			message, inside string
		}{
			"nil map": {debugger.NilMapWrite, "assignment to entry in nil map", "main.(*index).add"},
			"index":   {debugger.IndexOutOfRange, "runtime error: index out of range [5] with length 3", "main.item"},
			"error":   {debugger.CustomError, "went wrong", "main.init.func"},
		} {
			t.Run(maker+" "+name, func(t *testing.T) {
				binary, core := dump(t, "panics", name)
				target, stop := openCore(t, binary, core)
				if stop.Reason != debugger.ReasonPanic || stop.Panic.Class != want.class || stop.Panic.Message != want.message {
					t.Fatalf("stop: %q %+v", stop.Reason, stop.Panic)
				}
				f, ok := stop.SelectedFrame()
				if !ok || !strings.HasPrefix(f.Function, want.inside) || !f.Loaded {
					t.Errorf("selected: %+v", f)
				}
				if can := target.Abilities(); can.Run || can.Write || can.Call || can.Restart {
					t.Errorf("abilities: %+v", can)
				}
			})
		}
	}
}

func TestAFatalErrorInACoreDump(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	for maker, dump := range map[string]func(*testing.T, string, ...string) (string, string){"delve": dump, "kernel": kernelDump} {
		for name, want := range map[string]debugger.Class{
			"deadlock": debugger.Deadlock, "races": debugger.ConcurrentMap, "unlock": debugger.UnlockUnlocked, "small overflow": debugger.StackOverflow,
		} {
			t.Run(maker+" "+name, func(t *testing.T) {
				binary, core := dump(t, "ends", name)
				_, stop := openCore(t, binary, core)
				if stop.Reason != debugger.ReasonFatal || stop.Panic.Class != want {
					t.Errorf("stop: %q %+v", stop.Reason, stop.Panic)
				}
			})
		}
	}
}

// The runtime sends SIGQUIT to its other threads before a process dies of a signal.
func TestTheFirstSignalInACoreDump(t *testing.T) {
	t.Parallel()
	for signal, want := range map[syscall.Signal]string{syscall.SIGABRT: "SIGABRT: aborted", syscall.SIGSEGV: "SIGSEGV: segmentation fault", syscall.SIGQUIT: "SIGQUIT: quit"} {
		t.Run(want, func(t *testing.T) {
			binary, core := signaledDump(t, signal, "lives", filepath.Join(t.TempDir(), "socket"))
			if _, stop := openCore(t, binary, core); stop.Reason != debugger.ReasonFatal || stop.Panic.Message != want {
				t.Errorf("stop: %q %+v", stop.Reason, stop.Panic)
			}
		})
	}
}

func TestACoreDumpIsReadAndDoesNotRun(t *testing.T) {
	t.Parallel()
	binary, core := dump(t, "panics", "nil map")
	target, stop := openCore(t, binary, core)
	at := debugger.FrameRef{Goroutine: stop.Goroutine, Frame: stop.Selected}
	v, err := target.Evaluate(t.Context(), at, "x.docs[0]")
	if err != nil || v.Value != "a" {
		t.Errorf("x.docs[0] = %+v, %v", v, err)
	}
	if list, _, err := target.Goroutines(t.Context(), debugger.Page{}); err != nil || len(list) == 0 {
		t.Errorf("goroutines: %v, %v", list, err)
	}
	for _, motion := range []debugger.Motion{debugger.Continue, debugger.Next} {
		if _, err := target.Resume(t.Context(), motion); err == nil || err.Error() != "a core dump cannot run" {
			t.Errorf("%s: %v", motion, err)
		}
	}
	if _, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{Location: "main.main"}); !errors.Is(err, debugger.ErrUnable) {
		t.Errorf("breakpoint: %v", err)
	}
	if err := target.SetVariable(t.Context(), at, "zero", "1"); !errors.Is(err, debugger.ErrUnable) {
		t.Errorf("set: %v", err)
	}
}

func TestACoreDumpOfALife(t *testing.T) {
	t.Parallel()
	l := live(t)
	target := attach(t, l)
	core := filepath.Join(t.TempDir(), "core")
	if err := target.Dump(t.Context(), core, func(debugger.DumpProgress) {}); err != nil {
		t.Fatal(err)
	}
	_, stop := openCore(t, fixture(t, "lives"), core)
	if f, ok := stop.SelectedFrame(); stop.Reason != debugger.ReasonFound || !ok || !f.User {
		t.Errorf("stop: %q %+v", stop.Reason, f)
	}
}

func TestCoreRefusals(t *testing.T) {
	t.Parallel()
	binary, core := dump(t, "panics", "nil map")
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no core"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ binary, core, want string }{
		{binary, "/no/such", "does not exist"},
		{binary, text, "not a core dump of a known format"},
		{core, binary, "is a core dump, not the program"},
		{binary, binary, "is a program, not a core dump"},
		{fixture(t, "ends"), core, "build ids differ"},
	} {
		target, err := Core(t.Context(), CoreConfig{Binary: test.binary, Core: test.core})
		if err == nil {
			_ = target.Close()
			t.Errorf("%v: opened", test)
		} else if !strings.Contains(err.Error(), test.want) || advice.Of(err) == "" {
			t.Errorf("%v: %v (hint %q)", test, err, advice.Of(err))
		}
	}
}

func TestBuildIDsOfPositionIndependentPrograms(t *testing.T) {
	binary, core := dump(t, "panics", "nil map")
	exe, err := elf.Open(binary)
	if err != nil {
		t.Fatal(err)
	}
	defer exe.Close()
	file, err := elf.Open(core)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if other, err := corefile.Differ(t.Context(), exe, file); other || err != nil {
		t.Errorf("the program differs from itself: %v", err)
	}
}
