// Package testsupport has what tests of many packages need: modules on disk, waits for
// conditions, and the choice between a representative part of the cases and all of them.
//
// Only tests import it. It knows nothing of the other packages of this module, so
// that a test of each of them can use it. Scripted model servers are next to their
// providers, in llm/ollama/ollamatest and llm/openai/openaitest.
package testsupport

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// WholeVariable names the environment variable that has all cases run.
const WholeVariable = "PAUSETUI_WHOLE"

// Whole reports whether all cases of a campaign shall run, not only those that
// represent the others.
func Whole() bool { return os.Getenv(WholeVariable) != "" }

// Slow skips a test that takes long, and whose code other tests run too, unless
// all tests shall run.
func Slow(t testing.TB) {
	t.Helper()
	if !Whole() {
		t.Skip("slow; " + WholeVariable + "=1 runs it")
	}
}

// Patience bounds each wait: the machine may be busy.
const Patience = 90 * time.Second

// Eventually waits until a condition holds, and fails the test if it does not.
func Eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	Until(t, func() string {
		if holds() {
			return ""
		}
		return what
	})
}

// Until waits until a check finds nothing missing, and fails the test with what is
// missing at the end. It looks often at first, and then every 20 ms.
func Until(t testing.TB, missing func() string) {
	t.Helper()
	pause, deadline := 50*time.Microsecond, time.Now().Add(Patience)
	for what := missing(); what != ""; what = missing() {
		if time.Now().After(deadline) {
			t.Fatalf("it did not happen in %v: %s", Patience, what)
		}
		time.Sleep(pause)
		pause = min(2*pause, 20*time.Millisecond)
	}
}

// Closed waits for a channel to be closed or to deliver, and fails the test if
// it does not.
func Closed[T any](t testing.TB, what string, c <-chan T) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(Patience):
		t.Fatalf("it did not happen in %v: %s", Patience, what)
	}
}

// TempDir is a temporary directory by its real path, as debuggers and the go
// command report it.
func TempDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Module writes the files of a txtar archive into a temporary directory, which
// it returns.
func Module(t testing.TB, archive string) string {
	t.Helper()
	dir := TempDir(t)
	Extract(t, dir, txtar.Parse([]byte(archive)))
	return dir
}

// Extract writes the files of an archive below a directory.
func Extract(t testing.TB, dir string, archive *txtar.Archive) {
	t.Helper()
	for _, f := range archive.Files {
		Write(t, filepath.Join(dir, filepath.FromSlash(f.Name)), string(f.Data))
	}
}

// Files writes files below a directory, by their names with slashes.
func Files(t testing.TB, dir string, texts map[string]string) {
	t.Helper()
	for name, text := range texts {
		Write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
}

// KeptLogs copies the session logs that the repository keeps, and not those of sessions
// that somebody has run in this checkout, for a test of a package two levels down.
func KeptLogs(t testing.TB, dir string) {
	t.Helper()
	const logs, kept = "../../debug", "20261123-*"
	files, err := filepath.Glob(filepath.Join(logs, kept))
	if err != nil || len(files) == 0 {
		t.Fatalf("no logs are kept in %s: %v", logs, err)
	}
	for _, file := range append(files, filepath.Join(logs, "README.md")) {
		Write(t, filepath.Join(dir, filepath.Base(file)), Read(t, file))
	}
}

// Write writes a file and makes the directories that it is in.
func Write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Read returns the text of a file.
func Read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
