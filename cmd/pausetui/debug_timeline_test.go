package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// Earlier stops are looked at as they were, with the source of then, also after
// a fix was applied between them, and when the session is resumed.
func TestDebugLooksBack(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := program(t, twoBugsProgram)
	x := startTerminal(t, dir, 140, 40, nil, "debug", "--offline", ".")
	x.wait("nil-map-write")
	x.wait("? unproved") // the other bug comes next: a rerun cannot be clean
	x.keys("2", "j")     // its caller: looked at, and so recorded
	x.wait("▸ main")
	x.approve()
	x.wait("index-out-of-range")
	x.keys("<")
	x.wait("viewing stop 1 of 2")
	x.wait("assignment to entry in nil map")
	x.wait("s.books = nil map")
	x.wait("return &Shelf{}") // the fix has changed it since
	x.keys("c")
	x.wait("this is an earlier stop: esc returns to the present")
	x.keys("2", "j")
	x.wait("▸ main")
	x.keys(">")
	x.gone("viewing stop")
	x.wait("index out of range")
	has(t, get(t, filepath.Join(dir, "main.go")), "make(map[string][]string)")
	x.leave()
	kept, err := os.ReadDir(glob(t, dir, "*-sources"))
	if err != nil || len(kept) != 2 {
		t.Errorf("%d versions of the source are kept, want 2: %v", len(kept), err)
	}

	x = startTerminal(t, dir, 140, 40, nil, "sessions", "resume", "--offline")
	x.wait("index-out-of-range")
	x.keys("<", "<")
	x.wait("viewing stop 1 of 3")
	x.wait("s.books = nil map")
	x.keys(escape)
	x.gone("viewing stop")
	x.leave()
}

// glob is the one entry of a module's logs that matches.
func glob(t *testing.T, dir, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "debug", pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%q: %v", found, err)
	}
	return found[0]
}
