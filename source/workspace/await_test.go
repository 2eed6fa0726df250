package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// A go command that a stop waits for does not go on at the priority that it was
// given while nothing waited.
func TestTheGoCommandBeginsAgainOnceItIsAwaited(t *testing.T) {
	dir := t.TempDir()
	began := filepath.Join(dir, "began")
	script := "#!/bin/sh\nmkdir " + began + " 2>/dev/null && exec sleep 1000\necho listed\n"
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	awaited := make(chan struct{})
	var out []byte
	var err error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		out, err = goUntilAwaited(t.Context(), awaited, dir, nil, "list")
	}()
	testsupport.Eventually(t, "the first one runs", func() bool {
		_, err := os.Stat(began)
		return !errors.Is(err, os.ErrNotExist)
	})
	close(awaited)
	<-ended
	if err != nil || string(out) != "listed\n" {
		t.Errorf("%q, %v", out, err)
	}
	if out, err = goUntilAwaited(t.Context(), awaited, dir, nil, "list"); err != nil || string(out) != "listed\n" {
		t.Errorf("awaited from the beginning: %q, %v", out, err)
	}
}
