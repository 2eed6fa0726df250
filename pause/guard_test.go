package pause

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

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
