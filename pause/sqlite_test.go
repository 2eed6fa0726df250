package pause_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/pause"
)

// run is the work of the example.
var run = func(context.Context) error { return nil }

func openStore(t *testing.T, file string) *store {
	t.Helper()
	s, err := open(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.db.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestStoreInSQLite(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.db")
	var s pause.Store = openStore(t, file)
	if _, err := s.Get("a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty store says %v", err)
	}
	for _, text := range []string{"one", "two", ""} {
		if err := s.Put("a", []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Put("b", []byte("\x00\xff")); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, file) // as the next run does
	for key, want := range map[string]string{"a": "", "b": "\x00\xff"} {
		if got, err := s.Get(key); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", key, got, err)
		}
	}
	if err := s.Drop(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get("a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after Drop: %v", err)
	}
}

// TestExampleDropsAfterSuccessOnly: what a run that fails or panics has stored is
// for the next.
func TestExampleDropsAfterSuccessOnly(t *testing.T) {
	before := run
	defer func() { run = before }()
	file := filepath.Join(t.TempDir(), "results.db")
	s := openStore(t, file)
	for _, row := range []struct {
		name string
		run  func(context.Context) error
		left bool
	}{
		{"panic", func(context.Context) error { panic("in main") }, true},
		{"error", func(context.Context) error { return errors.New("no") }, true},
		{"success", func(context.Context) error { return nil }, false},
	} {
		if err := s.Put("a", []byte("result")); err != nil {
			t.Fatal(err)
		}
		run = row.run
		func() {
			defer func() { _ = recover() }()
			_ = importAll(file)
		}()
		if _, err := s.Get("a"); (err == nil) != row.left {
			t.Errorf("%s: %v", row.name, err)
		}
	}
}

// TestTheDocumentShowsTheExample: what docs/blocks.md shows of it is compiled.
func TestTheDocumentShowsTheExample(t *testing.T) {
	code, err := os.ReadFile("sqlite_example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../docs/blocks.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n## A store in SQLite\n")
	_, shown, fenced := strings.Cut(section, "```go\n")
	shown, _, ended := strings.Cut(shown, "```\n")
	from := strings.Index(string(code), "// store keeps")
	to := strings.Index(string(code), "\nfunc ExampleUse")
	if !found || !fenced || !ended || from < 0 || to < 0 {
		t.Fatal("the document or the example has other parts")
	}
	if want := string(code)[from:to]; shown != want {
		t.Errorf("docs/blocks.md shows\n%s\nthe example is\n%s", shown, want)
	}
}
