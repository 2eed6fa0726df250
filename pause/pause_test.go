package pause

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

type order struct {
	ID  int
	Sum float64
}

func TestRunAlone(t *testing.T) {
	ctx := context.Background()
	got, err := Run(ctx, "sum", "Add", func(context.Context) (int, error) { return 3, nil })
	if got != 3 || err != nil {
		t.Fatalf("got %d, %v", got, err)
	}
	defer func() {
		if value := recover(); value != "boom" {
			t.Errorf("recovered %v: a panic goes on unchanged", value)
		}
	}()
	_, _ = Run(ctx, "sum", "Add", func(context.Context) (int, error) { panic("boom") })
}

func TestPanicAsError(t *testing.T) {
	_, err := Run(context.Background(), "sum", "Add", func(context.Context) (int, error) { panic(fs.ErrClosed) }, AsError())
	var caught *PanicError
	if !errors.As(err, &caught) || caught.ID != "sum" || caught.Intent != "Add" || !strings.Contains(string(caught.Stack), "TestPanicAsError") {
		t.Fatalf("%v: not the panic", err)
	}
	if !errors.Is(err, fs.ErrClosed) {
		t.Errorf("%v does not wrap the panic's value", err)
	}
}

func TestRetry(t *testing.T) {
	calls := 0
	flaky := func(context.Context) (int, error) {
		if calls++; calls < 3 {
			panic("not yet")
		}
		return calls, nil
	}
	if got, err := Run(context.Background(), "get", "Fetch", flaky, Retry(5, time.Microsecond)); got != 3 || err != nil {
		t.Errorf("got %d, %v", got, err)
	}
	calls = -10
	if _, err := Run(context.Background(), "get", "Fetch", flaky, Retry(2, 0), AsError()); err == nil || calls != -7 {
		t.Errorf("%v after call %d: three attempts expected", err, calls)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ended, "get", "Fetch", flaky, Retry(2, time.Hour)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v: the context had ended", err)
	}
}

func TestHandler(t *testing.T) {
	boom := func(context.Context) (int, error) { panic("boom") }
	_, err := Run(context.Background(), "x", "Y", boom, Handle(func(e *PanicError) error { return nil }))
	if err != nil {
		t.Errorf("%v: the handler returned nil", err)
	}
	_, err = Run(context.Background(), "x", "Y", boom, Handle(func(e *PanicError) error { panic("in the handler") }))
	if err == nil || !strings.Contains(err.Error(), "in the handler") || !strings.Contains(err.Error(), "boom") {
		t.Errorf("%v: both panics expected", err)
	}
}

// beginRun begins a run under pausetui in which every block's code has the hash.
func beginRun(t *testing.T, dir, hash string) {
	t.Helper()
	r := newRun(dir)
	r.load.Do(func() {})
	r.code = anyCode(hash)
	under = r
	tracking.Store(true)
	t.Cleanup(func() { under = nil; tracking.Store(false) })
}

// anyCode gives the blocks of this file's tests a hash.
func anyCode(hash string) map[string]code {
	list := map[string]code{}
	for _, f := range []any{five, two, unfit} {
		list[codePointer(f)] = code{Hash: hash}
	}
	return list
}

var ran int

func five(context.Context) (order, error)       { ran++; return order{5, 2.5}, nil }
func two(context.Context) ([]order, error)      { ran++; return []order{}, nil }
func unfit(context.Context) (chan int, error)   { ran++; return make(chan int), nil }
func again(t *testing.T, id string, in any) int { return againWith(t, id, five, in) }

func againWith[T any](t *testing.T, id string, f func(context.Context) (T, error), in any) int {
	t.Helper()
	ran = 0
	if _, err := Run(context.Background(), id, "Count", f, Inputs(in)); err != nil {
		t.Fatal(err)
	}
	return ran
}

func TestFinishedBlocksAreNotRunAgain(t *testing.T) {
	dir := t.TempDir()
	beginRun(t, dir, "a")
	if again(t, "count", 1) != 1 || againWith(t, "two", two, 1) != 1 || againWith(t, "unfit", unfit, 1) != 1 {
		t.Fatal("a block did not run at first")
	}
	beginRun(t, dir, "a")
	if got, _ := Run(context.Background(), "count", "Count", five, Inputs(1)); got != (order{5, 2.5}) {
		t.Errorf("got %v", got)
	}
	if got, _ := Run(context.Background(), "two", "Count", two, Inputs(1)); got == nil || len(got) != 0 {
		t.Errorf("got %#v, not an empty slice", got)
	}
	if again(t, "count", 2) != 1 {
		t.Error("other inputs: the block did not run")
	}
	if againWith(t, "unfit", unfit, 1) != 1 {
		t.Error("what cannot be stored did not run")
	}
	beginRun(t, dir, "b")
	if again(t, "count", 1) != 1 {
		t.Error("other code: the block did not run")
	}
	notes, err := os.ReadFile(filepath.Join(dir, notesFile))
	if err != nil || !strings.Contains(string(notes), "chan int") || !strings.Contains(string(notes), `"returned"`) {
		t.Errorf("%v: the notes are %s", err, notes)
	}
}

func TestRepeatedInputsAreNotStored(t *testing.T) {
	dir := t.TempDir()
	beginRun(t, dir, "a")
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			_, _ = Run(context.Background(), "same", "Count", func(context.Context) (int, error) { return 1, nil })
		})
	}
	all.Wait()
	again(t, "same", 1)
	again(t, "same", 1)
	beginRun(t, dir, "a")
	if again(t, "same", 1) != 1 {
		t.Error("a block with repeated inputs was not run again")
	}
}

func TestDamagedResultsAreIgnored(t *testing.T) {
	for _, damage := range []func([]byte) []byte{
		func(b []byte) []byte { return b[:len(b)-1] },
		func(b []byte) []byte { b[len(b)-2] ^= 1; return b },
		func([]byte) []byte { return []byte("\n\n1 99999999999\n") },
		func(b []byte) []byte { return bytes.Replace(b, []byte(`"Sum":2.5`), []byte(`"Sum":3.5`), 1) },
	} {
		dir := t.TempDir()
		beginRun(t, dir, "a")
		again(t, "count", 1)
		files, _ := filepath.Glob(filepath.Join(dir, resultsFile))
		if len(files) != 1 {
			t.Fatalf("%d files", len(files))
		}
		if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v: others can read it", info.Mode())
		}
		text, _ := os.ReadFile(files[0])
		if err := os.WriteFile(files[0], damage(text), 0o600); err != nil {
			t.Fatal(err)
		}
		beginRun(t, dir, "a")
		if again(t, "count", 1) != 1 {
			t.Errorf("a damaged result was used: %q", text)
		}
		if err := under.store.Drop(); err != nil {
			t.Error(err)
		}
		if files, _ := filepath.Glob(filepath.Join(dir, resultsFile)); len(files) != 0 {
			t.Errorf("%q are left", files)
		}
	}
}

// TestResultsAreOurs: the directory may be one that others write to.
func TestResultsAreOurs(t *testing.T) {
	precious := filepath.Join(t.TempDir(), "precious")
	for name, plant := range map[string]func(at string) error{
		"a link":       func(at string) error { return os.Symlink(precious, at) },
		"another name": func(at string) error { return os.Link(precious, at) },
		"a pipe":       func(at string) error { return exec.Command("mkfifo", "-m", "600", at).Run() },
		"for all":      func(at string) error { return errors.Join(os.WriteFile(at, nil, 0o600), os.Chmod(at, 0o644)) },
		"of another": func(at string) error {
			if err := os.WriteFile(at, nil, 0o600); err != nil || os.Geteuid() != 0 {
				return errors.Join(err, os.Chmod(at, 0o644)) // only root can give files away
			}
			return os.Chown(at, 12345, -1)
		},
	} {
		if err := os.WriteFile(precious, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		d := &Directory{Path: t.TempDir()}
		if err := plant(filepath.Join(d.Path, resultsFile)); err != nil {
			t.Fatal(err)
		}
		if err := d.Put("key", []byte("text")); err == nil {
			t.Errorf("%s is written to", name)
		}
		if _, err := d.Get("key"); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is read: %v", name, err)
		}
		if text, err := os.ReadFile(precious); err != nil || string(text) != "mine" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		if err := os.Remove(filepath.Join(d.Path, resultsFile)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestResultsAreBounded(t *testing.T) {
	d := &Directory{Path: t.TempDir()}
	var text bytes.Buffer
	for i := range maxResults + 10 {
		fmt.Fprintf(&text, "%d 0\n", i)
	}
	if err := os.WriteFile(filepath.Join(d.Path, resultsFile), text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := d.Put("one more", nil); !errors.Is(err, errTooLarge) || len(d.index) != maxResults {
		t.Errorf("%d results are known, and one more gives %v", len(d.index), err)
	}
	if err := d.Put("0", []byte("new")); err != nil {
		t.Errorf("one that is known is refused: %v", err)
	}
}

func TestLargeResultsAreRefused(t *testing.T) {
	if _, err := encode(make([]byte, 100<<20)); err == nil {
		t.Error("a result of 100 MB was taken")
	}
	type hidden struct{ n int }
	if _, err := encode(hidden{3}); err == nil {
		t.Error("a result with an unexported field was taken")
	}
}

func TestHashOfInputs(t *testing.T) {
	type node struct {
		name string
		next *node
	}
	loop := &node{name: "a"}
	loop.next = loop
	same := func(a, b any) bool {
		x, err1 := hashValues([]any{a})
		y, err2 := hashValues([]any{b})
		return err1 == nil && err2 == nil && x == y
	}
	if !same(map[string]int{"a": 1, "b": 2}, map[string]int{"b": 2, "a": 1}) || !same(&node{name: "x"}, &node{name: "x"}) || !same(loop, loop) {
		t.Error("equal values differ")
	}
	if same(1, int64(1)) || same("", nil) || same([]int(nil), []int{}) || same(node{name: "x"}, node{name: "y"}) || same([]string{"ab"}, []string{"a", "b"}) {
		t.Error("different values are the same")
	}
	if _, err := hashValues([]any{make(chan int)}); err == nil {
		t.Error("a channel was hashed")
	}
}

// TestGuard crashes this test's own program.
func TestGuard(t *testing.T) {
	if os.Getenv("PAUSE_TEST_CRASH") != "" {
		Guard()
		_, _ = Run(context.Background(), "outer", `Do "it" — all`, func(ctx context.Context) (int, error) {
			return Run(ctx, "inner", "Fail", func(context.Context) (int, error) { panic("guarded") })
		})
	}
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestGuard$")
	cmd.Env = append(os.Environ(), "PAUSE_TEST_CRASH=1", "PAUSETUI_CRASH="+dir)
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "pausetui trace "+dir) {
		t.Fatalf("%v:\n%s", err, out)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.md"))
	if len(files) != 1 {
		t.Fatalf("reports: %q", files)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"outer/inner: Fail", "panic: guarded", "goroutine ", "path\tgithub.com/pausetui/pausetui/pause"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(string(text), "labels:{") {
		t.Error("the trace still has labels")
	}
}

func BenchmarkRun(b *testing.B) {
	ctx := context.Background()
	f := func(context.Context) (int, error) { return 1, nil }
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			_, _ = Run(ctx, "bench", "Measure", f)
		}
	})
	b.Run("options", func(b *testing.B) {
		for b.Loop() {
			_, _ = Run(ctx, "bench", "Measure", f, AsError(), Retry(3, time.Second))
		}
	})
}

// BenchmarkStored is a run under pausetui: a result of 1 kB.
func BenchmarkStored(b *testing.B) {
	under = newRun(b.TempDir())
	under.load.Do(func() {})
	tracking.Store(true)
	defer func() { under = nil; tracking.Store(false) }()
	text := strings.Repeat("x", 1000)
	f := func(context.Context) (string, error) { return text, nil }
	under.code = map[string]code{codePointer(f): {Hash: "a"}}
	for i := 0; b.Loop(); i++ {
		_, _ = Run(context.Background(), "bench", "Measure", f, Inputs(i))
	}
}

// TestReportsReplaceNothing: the directory may be one that others write to, and
// the names can be guessed.
func TestReportsReplaceNothing(t *testing.T) {
	dir := t.TempDir()
	precious, link := filepath.Join(dir, "precious"), filepath.Join(dir, "crash.md")
	if err := os.WriteFile(precious, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(precious, link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{precious, link} {
		if err := create(name, []byte("report")); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if text, err := os.ReadFile(precious); err != nil || string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
	if err := create(filepath.Join(dir, "new.md"), []byte("report")); err != nil {
		t.Error(err)
	}
}
