//go:build unix

package pause

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger/trace"
)

// crash is what the guarded program of the tests does.
func crash() {
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{Cur: 1 << 30, Max: 1 << 30})
	Guard()
	_, _ = Run(context.Background(), "outer", `Do "it" — all`, func(ctx context.Context) (int, error) {
		return Run(ctx, "inner", "Fail", func(context.Context) (int, error) { panic("guarded") })
	})
}

// crashed runs this test's own program until it crashes, and returns what it
// prints.
func crashed(t *testing.T, dir string, env ...string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestGuard$")
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "PAUSE_TEST_CRASH=1", "GOTRACEBACK=single"), env...)
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Fatalf("the program has not crashed:\n%s", out)
	}
	return string(out)
}

// fileOf returns the one file of the pattern, which only this user can read.
func fileOf(t *testing.T, pattern string) (name, text string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: %q, %v", pattern, files, err)
	}
	info, err := os.Stat(files[0])
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%s: %v, %v: others can read it", files[0], info.Mode(), err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return files[0], string(data)
}

func TestGuard(t *testing.T) {
	if os.Getenv("PAUSE_TEST_CRASH") != "" {
		crash()
	}
	dir := t.TempDir()
	out := crashed(t, t.TempDir(), "PAUSETUI_CRASH="+dir)
	name, text := fileOf(t, filepath.Join(dir, "*.md"))
	if !strings.Contains(out, "\n\tpausetui trace "+name+"\n") || strings.Contains(out, "pausetui core") {
		t.Errorf("it prints\n%s", out)
	}
	for _, want := range []string{"outer/inner: Fail", "panic: guarded", "goroutine ", "path\tgithub.com/pausetui/pausetui/pause"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "labels:{") {
		t.Error("the trace still has labels")
	}
	t.Run("trace", func(t *testing.T) { readsBack(t, text) })
	t.Run("journal", func(t *testing.T) {
		_, text := fileOf(t, filepath.Join(dir, "*.jsonl"))
		var line struct {
			V                  int
			At                 time.Time
			Kind, Trace, Build string
			Blocks             []flight
		}
		if err := json.Unmarshal([]byte(text), &line); err != nil || strings.Count(text, "\n") != 1 {
			t.Fatalf("%v: %s", err, text)
		}
		if line.V != 1 || line.Kind != "crash" || line.At.IsZero() || !strings.Contains(line.Build, "path\t") {
			t.Errorf("the journal says %s", text)
		}
		if len(line.Blocks) != 1 || line.Blocks[0].Block != "outer/inner" || line.Blocks[0].Intent != "Fail" || len(line.Blocks[0].Goroutines) != 1 {
			t.Errorf("blocks: %+v", line.Blocks)
		}
		readsBack(t, line.Trace)
	})
}

// readsBack has pausetui read a report, as `pausetui trace` does.
func readsBack(t *testing.T, text string) {
	t.Helper()
	read, err := trace.Read(t.Context(), strings.NewReader(text))
	if err != nil || len(read.Traces) != 1 {
		t.Fatalf("%v: %d traces in\n%s", err, len(read.Traces), text)
	}
	got := read.Traces[0]
	if got.Panic.Message != "guarded" || got.Truncated {
		t.Errorf("the panic is %+v, truncated: %v", got.Panic, got.Truncated)
	}
	for _, f := range got.Goroutines[0].Frames {
		if strings.Contains(f.Function, "pause.crash") {
			return
		}
	}
	t.Errorf("no frame of the program: %+v", got.Goroutines[0].Frames)
}

// TestGuardNamesTheCore lets the kernel write a core where it writes files.
func TestGuardNamesTheCore(t *testing.T) {
	pattern, err := os.ReadFile(corePattern)
	if err != nil || strings.ContainsAny(string(pattern[:1]), "|@/") {
		t.Skipf("cores are not written into the working directory here: %q, %v", pattern, err)
	}
	dir := t.TempDir()
	out := crashed(t, dir, "PAUSETUI_CRASH=.", "GOTRACEBACK=crash")
	cores, _ := filepath.Glob(filepath.Join(dir, "*core*"))
	if len(cores) == 0 {
		t.Skipf("no core is written here:\n%s", out)
	}
	if want := fmt.Sprintf("\n\tpausetui core %s %s\n", os.Args[0], filepath.Base(cores[0])); !strings.Contains(out, want) {
		t.Errorf("it prints\n%s\nwant %q", out, want)
	}
}

func TestNamesOfCores(t *testing.T) {
	for _, row := range []struct {
		pattern string
		usesPID bool
		want    string
	}{
		{"core", false, "core"},
		{"core", true, "core.47"},
		{"/var/cores/%e.%p-%t", true, "/var/cores/*.47-*"},
		{"100%%-%P", false, "100%-*"},
		{"core%", false, "core%"},
		{"|/usr/lib/systemd/systemd-coredump %P", true, ""},
		{"@/run/coredump.socket", false, ""},
		{"", true, ""},
	} {
		if got := coreNames(row.pattern, row.usesPID, "47"); got != row.want {
			t.Errorf("%q, %v: %q, want %q", row.pattern, row.usesPID, got, row.want)
		}
	}
}

func TestCommandsCanBePasted(t *testing.T) {
	if got, want := command("pausetui", "core", "/tmp/my app", "it's"), `pausetui core '/tmp/my app' 'it'\''s'`; got != want {
		t.Errorf("got %s, want %s", got, want)
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
