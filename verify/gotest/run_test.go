package gotest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/tools/txtar"
)

// binaries are the test binaries of testdata/tests.txtar.
var binaries = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "gotest-")
	if err != nil {
		return "", err
	}
	archive, err := txtar.ParseFile(filepath.Join("testdata", "tests.txtar"))
	if err != nil {
		return dir, err
	}
	files, err := txtar.FS(archive)
	if err != nil {
		return dir, err
	}
	if err := os.CopyFS(dir, files); err != nil {
		return dir, err
	}
	cmd := exec.Command("go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-o", dir+"/", "./...")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return dir, fmt.Errorf("%w: %s", err, out)
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	if dir, _ := binaries(); dir != "" {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// run runs a test binary as it is.
func run(t *testing.T, name string, o Options) Report {
	t.Helper()
	dir, err := binaries()
	if err != nil {
		t.Fatal(err)
	}
	report, err := Run(t.Context(), starter(filepath.Join(dir, name+".test")), o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func starter(binary string) Start {
	return func(ctx context.Context, args []string, out io.Writer, _ Pulse) (Ended, error) {
		cmd := exec.CommandContext(ctx, binary, args...)
		cmd.Stdout, cmd.Stderr = out, out
		err := cmd.Run()
		var exit *exec.ExitError
		switch {
		case ctx.Err() != nil:
			return Ended{}, ctx.Err()
		case errors.As(err, &exit):
			return Ended{Code: exit.ExitCode()}, nil
		}
		return Ended{}, err
	}
}

// results writes results down: "TestA passed, TestB failed".
func results(r Report) string {
	var list []string
	for _, t := range r.Tests {
		text := t.Name + " " + string(t.Status)
		if t.Hung {
			text += " (hung)"
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

func output(r Report, name string) string {
	for _, t := range r.Tests {
		if t.Name == name {
			return t.Output
		}
	}
	return ""
}

func TestEachTestIsToldApart(t *testing.T) {
	var done []string
	r := run(t, "plain", Options{OnDone: func(t Test) { done = append(done, t.Name) }})
	want := "TestPasses passed, TestFails failed, TestFails/good passed, TestFails/bad_one failed, TestSkips skipped, " +
		"TestLies failed, FuzzSeeds passed, FuzzSeeds/seed#0 passed, Example failed"
	if results(r) != want || r.Trouble != "" || r.Cut != "" {
		t.Errorf("got  %s\nwant %s\n%+v", results(r), want, r)
	}
	if o := output(r, "TestFails/bad_one"); strings.TrimSpace(o) != "plain_test.go:12: got 1" {
		t.Errorf("output %q", o)
	}
	if got := strings.Join(done, " "); got != "TestPasses TestFails TestSkips TestLies FuzzSeeds Example" {
		t.Errorf("reported %s", got)
	}
	r = run(t, "plain", Options{Only: []string{"TestFails", "TestSkips"}})
	if results(r) != "TestFails failed, TestFails/good passed, TestFails/bad_one failed, TestSkips skipped" {
		t.Errorf("got %s", results(r))
	}
}

func TestOneCrashDoesNotHideTheOthers(t *testing.T) {
	r := run(t, "crash", Options{Crashes: 5})
	want := "TestFirst passed, TestFailsFirst failed, TestPanics failed, TestPanics/sub failed, TestBetween passed, " +
		"TestDeadlock failed, TestExits failed, TestLast passed"
	if results(r) != want || r.Trouble != "" || r.Cut != "" {
		t.Errorf("got  %s\nwant %s\n%+v", results(r), want, r)
	}
	for name, said := range map[string]string{"TestPanics": "panic: of a subtest", "TestDeadlock": "all goroutines are asleep", "TestExits": "unexpected call to os.Exit(0)"} {
		if o := output(r, name); !strings.Contains(o, said) {
			t.Errorf("%s: %q", name, o)
		}
	}
	r = run(t, "crash", Options{Crashes: 1})
	if !strings.HasSuffix(results(r), "TestDeadlock failed") || r.Cut != "2 tests took the others with them" {
		t.Errorf("got %s, cut %q", results(r), r.Cut)
	}
}

func TestTheParallelTestThatCrashesIsFound(t *testing.T) {
	r := run(t, "parallel", Options{Crashes: 3})
	if results(r) != "TestWaits passed, TestElsewhere failed, TestToo passed" || !strings.Contains(output(r, "TestElsewhere"), "in another goroutine") {
		t.Errorf("got %s: %+v", results(r), r)
	}
}

func TestATestThatHangsIsLeftOut(t *testing.T) {
	r := run(t, "hang", Options{Silence: time.Second, Busy: time.Second, Crashes: 2})
	if results(r) != "TestBefore passed, TestHangs failed (hung), TestAfter passed" {
		t.Errorf("got %s: %+v", results(r), r)
	}
}

// Tests whose binary is ended because its time was up are not to blame for that.
func TestTimeIsUp(t *testing.T) {
	late := func(_ context.Context, _ []string, out io.Writer, _ Pulse) (Ended, error) {
		_, _ = io.WriteString(out, "\x16=== RUN   TestA\n\x16--- PASS: TestA (0.00s)\n\x16=== RUN   TestB\n")
		return Ended{Code: -1, Killed: "a limit", Late: true}, nil
	}
	r, err := Run(t.Context(), late, Options{Crashes: 1})
	if err != nil || results(r) != "TestA passed, TestB unfinished" || r.Cut != "time was up" || !r.Late {
		t.Errorf("got %s: %+v, %v", results(r), r, err)
	}
}

// What counts is the time of the binary: on a busy machine a test may be silent for
// long without hanging.
func TestSilenceGoesByTheTimeOfTheBinary(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		name      string
		ran, idle time.Duration
		busy      time.Duration
		hangs     bool
	}{
		{"it has no processor", 0, 0, s, false},
		{"it waits", 3 * s, 3 * s, 0, true},
		{"it has waited for a while", 3 * s, s, 0, false},
		{"it computes, as long as it likes", 3 * s, 0, 0, false},
		{"it computes for longer than it may", 3 * s, 0, 2 * s, true},
	} {
		r := newReader(nil)
		r.pulse(s, s)
		_, _ = io.WriteString(r, "\x16=== RUN   TestA\n")
		r.pulse(s+c.ran, s+c.idle)
		if got := r.silent(2*s, c.busy); (len(got) > 0) != c.hangs {
			t.Errorf("%s: %v hang", c.name, got)
		}
	}
}

// Nothing waits for ten minutes for a program whose init, or TestMain, has no end.
func TestABinaryThatHangsOutsideOfTests(t *testing.T) {
	for _, said := range []string{"", "\x16=== RUN   TestA\n\x16--- PASS: TestA (0.00s)\n"} {
		hangs := func(ctx context.Context, _ []string, out io.Writer, _ Pulse) (Ended, error) {
			_, _ = io.WriteString(out, said)
			<-ctx.Done()
			return Ended{}, ctx.Err()
		}
		r, err := Run(t.Context(), hangs, Options{Silence: 10 * time.Millisecond, Busy: 10 * time.Millisecond, Crashes: 1})
		if err != nil || r.Cut == "" || r.Late {
			t.Errorf("got %+v, %v", r, err)
		}
	}
}

func TestTroubleOutsideOfTests(t *testing.T) {
	r := run(t, "main", Options{})
	if results(r) != "TestFine passed" || r.Trouble != "the test binary ended with exit code 3:\ncould not clean up" {
		t.Errorf("got %s: %+v", results(r), r)
	}
	r = run(t, "early", Options{})
	if len(r.Tests) != 0 || !strings.Contains(r.Trouble, "exit code 2:\npanic: assignment to entry in nil map") {
		t.Errorf("got %s: %+v", results(r), r)
	}
}

func TestWhatCannotBeRun(t *testing.T) {
	_, err := Run(t.Context(), starter("/nowhere/x.test"), Options{})
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, starter("/nowhere/x.test"), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// Whatever is printed, and however it is cut, reading ends with what was told.
func FuzzReader(f *testing.F) {
	f.Add("\x16=== RUN   TestA\nhello\x16--- FAIL: TestA (0.01s)\n\x16=== NAME  \n\x16FAIL\n", 7)
	f.Add("\x16=== RUN   TestA\n\x16=== RUN   TestA/b\n\x16=== PAUSE TestA/b\n\x16    --- SKIP: TestA/b (0.00s)\n\x16--- PASS: TestB (x)\n", 1)
	f.Add("\x16=== RUN TestA/b\n0\x16--- SKIP: TestA/b\n", 74)
	f.Add("\x16\n\x16=== \n\x16--- \n\x16--- PASS: \n\x16=== CONT  TestX\n", 3)
	f.Fuzz(func(t *testing.T, text string, cut int) {
		whole, parts := newReader(nil), newReader(nil)
		_, _ = io.WriteString(whole, text)
		for step := max(cut, 1); text != ""; {
			n := min(step, len(text))
			_, _ = io.WriteString(parts, text[:n])
			text = text[n:]
		}
		a, b := Report{Tests: whole.results()}, Report{Tests: parts.results()}
		if results(a) != results(b) || whole.finished() != parts.finished() {
			t.Errorf("whole %s, in parts %s", results(a), results(b))
		}
		for _, test := range a.Tests {
			if test.Name == "" || test.Status != Failed && test.Status != Skipped && test.Output != "" {
				t.Errorf("impossible test %+v", test)
			}
		}
	})
}

// The end of a parallel test may not be printed when the next one crashes.
func TestTheNewestIsToBlame(t *testing.T) {
	r := newReader(nil)
	for _, line := range []string{"=== RUN   TestWaits", "=== PAUSE TestWaits", "=== RUN   TestElsewhere", "=== PAUSE TestElsewhere",
		"=== CONT  TestWaits", "=== CONT  TestElsewhere", "panic: in another goroutine"} {
		_, _ = r.Write([]byte("\x16" + line + "\n"))
	}
	if got := (&session{}).blame(r); len(got) != 0 {
		t.Errorf("not alone, blamed are %q", got)
	}
	if got := (&session{alone: true}).blame(r); len(got) != 1 || got[0] != "TestElsewhere" {
		t.Errorf("blamed are %q", got)
	}
}
