package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// editorScript writes an editor that changes the candidate in two places.
func editorScript(t *testing.T, lines string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "editor.sh")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+lines+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// Candidates are rejected with a reason, edited, narrowed down, and each new
// one is proved before it is applied.
func TestDebugReviewsCandidates(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := program(t, twoBugsProgram)
	script := editorScript(t, `sed -i 's/"all is well"/"all is changed"/; s/i <= len/i < len/' "$1"`)
	x := offline(t, dir, "VISUAL=", "EDITOR="+script)
	x.wait("nil-map-write")
	x.wait("make books in NewShelf")
	x.wait("6 Fixes · 2")
	x.keys("6", "\r")
	x.wait("Fix 1 ·")
	x.keys("t", "t") // split and back
	x.keys("]")
	x.wait("Fix 2 ·")
	x.keys("x")
	x.wait("Reject fix")
	x.keys("t", "o", "o", " ", "l", "a", "t", "e", "\r")
	x.gone("Reject fix")
	x.keys("[")
	x.wait("Fix 1 ·")
	x.wait("rerun")
	x.keys("e")
	x.wait("edit of fix")
	x.wait("made from fix 1")
	x.wait("all is changed")
	x.keys("G") // the last hunk
	x.keys(" ")
	x.wait("Hunks are left out")
	x.keys("\r")
	x.wait("(in part)")
	x.gone("all is changed")
	x.waitMatch(regexp.MustCompile(`\(in part\)[ ─]+✓ (verified|repairs)`))
	x.approve()
	x.wait("✓ fixed")
	x.leave()
	source := get(t, filepath.Join(dir, "main.go"))
	has(t, source, "make(map[string][]string)", "i < len", `"all is well"`)
	if strings.Contains(source, "all is changed") {
		t.Error("the hunk that was left out was applied")
	}
	has(t, logOf(t, dir), "too late", "rejected", "edit of fix", "(in part)", "## Judgement: fixed")
}

// An edit that changes nothing makes no candidate; one that breaks the code
// makes one that says so before it can be approved.
func TestDebugEditsForNothing(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	for _, c := range []struct{ name, script, screen, question string }{
		{"same", "true", "nothing was changed in the editor", "✓ verified · repairs:"},
		{"broken", `echo 'func (' >> "$1"`, "✗ failed", "It is not verified: parse"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := offline(t, program(t, crowdProgram), "VISUAL=", "EDITOR="+editorScript(t, c.script))
			x.wait("✓ verified", "✓ repairs")
			x.keys("6", "\r", "e")
			x.wait(c.screen)
			x.keys("a")
			x.wait(c.question)
			x.keys("n")
			x.gone("Approve fix")
			x.leave()
		})
	}
}

// Without a working editor there is a clear message, and the session goes on.
func TestDebugWithoutAnEditor(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	for name, editor := range map[string]string{"missing": "/nonexistent/editor", "failing": "false"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := offline(t, program(t, twoBugsProgram), "VISUAL=", "EDITOR="+editor)
			x.wait("make books in NewShelf")
			x.keys("6", "e")
			x.wait("Nothing was edited")
			x.wait("$EDITOR")
			x.keys("\r")
			x.gone("Nothing was edited")
			x.keys("5")
			x.wait("nil-map-write")
			x.leave()
		})
	}
}
