package build

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/advice"
)

// TestAKilledGoCommandIsNoCompileError: a go command that somebody kills says nothing about
// the source, and the error says what happened.
func TestAKilledGoCommandIsNoCompileError(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte("#!/bin/sh\nkill -9 $$\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := Spec{Dir: dir, Env: []string{"PATH=" + dir}}
	ended, err := compileTo(t.Context(), s, &overlay{}, &strings.Builder{}, "", "build")
	if err == nil || !strings.Contains(err.Error(), "killed") || advice.Of(err) == "" {
		t.Errorf("a build: %+v, %v", ended, err)
	}
	if _, ok, err := run(t.Context(), s, &bytes.Buffer{}, "list"); ok || err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("a list: %t, %v", ok, err)
	}
}
