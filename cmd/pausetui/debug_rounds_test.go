package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// One bug behind another: the next stop has its own candidates, and undo takes
// back exactly the last change.
func TestDebugGoesOnToTheNextBug(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := program(t, twoBugsProgram)
	path := filepath.Join(dir, "main.go")
	x := offline(t, dir)
	x.wait("nil-map-write")
	x.wait("make books in NewShelf")
	x.wait("? unproved") // proved as far as it goes: the other bug comes next
	x.approve()
	x.wait("index-out-of-range")
	first := get(t, path)
	has(t, first, "make(map[string][]string)", "i <= len")
	x.gone("make books in NewShelf")
	x.wait("✓ verified", "✓ repairs")
	x.approve()
	x.wait("✓ fixed")
	x.shows("all is well")
	second := get(t, path)
	if second == first {
		t.Error("the second fix was not applied")
	}
	x.keys("u")
	x.wait("Undo the applied change?")
	x.keys("\r") // enter never confirms
	if get(t, path) != second {
		t.Fatal("enter confirmed the undo")
	}
	x.keys("y")
	x.wait("undone", "as they were")
	if get(t, path) != first {
		t.Errorf("undo did not restore the state before the second fix:\n%s", get(t, path))
	}
	x.leave()
	logs := logOf(t, dir)
	has(t, logs, "## Stop 1: nil-map-write", "## Stop 2: index-out-of-range", "## Judgement: fixed", "undone")
	if strings.Count(logs, "**approved ") != 2 {
		t.Errorf("want two approvals in:\n%s", logs)
	}
}
