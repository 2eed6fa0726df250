package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// run runs the program to its end, without a terminal.
func run(t *testing.T, dir string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asMain+"=1", "PWD="+dir, stateHome(t))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run()
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// journalOf is the only journal of the module.
func journalOf(t *testing.T, dir string) string {
	t.Helper()
	journals, _ := filepath.Glob(filepath.Join(dir, "debug", "*.jsonl"))
	if len(journals) != 1 {
		t.Fatalf("journals: %q", journals)
	}
	return journals[0]
}

// A session goes on after a kill that tore its journal: what was applied can
// be undone, the last first, there and without a terminal.
func TestResumeAfterAKill(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := program(t, twoBugsProgram)
	path := filepath.Join(dir, "main.go")
	x := offline(t, dir)
	x.wait("make books in NewShelf")
	x.wait("? unproved")
	x.approve()
	x.wait("index-out-of-range")
	first := get(t, path)
	x.gone("make books in NewShelf")
	x.wait("✓ verified", "✓ repairs")
	if _, stderr, code := run(t, dir, "sessions", "undo"); code != 1 || !strings.Contains(stderr, "still runs") {
		t.Errorf("undo beside a session at work: exit %d, %s", code, stderr)
	}
	x.approve()
	x.wait("✓ fixed")
	second := get(t, path)
	if err := x.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	x.exit()
	journal, err := os.OpenFile(journalOf(t, dir), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := journal.WriteString(`{"v":1,"seq":99,"at":"20`); err != nil {
		t.Fatal(err)
	}
	if err := journal.Close(); err != nil {
		t.Fatal(err)
	}
	if stdout, _, _ := run(t, dir, "sessions", "list"); !strings.Contains(stdout, "killed") || !strings.Contains(stdout, " fixed ") {
		t.Errorf("list:\n%s", stdout)
	}

	x = startTerminal(t, dir, 140, 40, nil, "sessions", "resume", "--offline", "2")
	x.wait("all is well") // the fixed program runs again
	x.wait("EXITED")
	x.keys("u")
	x.wait("Undo the applied change?")
	if get(t, path) != second {
		t.Fatal("resuming changed the source")
	}
	x.keys("y")
	x.wait("undone")
	if got := get(t, path); got != first {
		t.Errorf("undo did not restore the state before the second fix:\n%s", got)
	}
	x.leave()

	stdout, stderr, code := run(t, dir, "sessions", "undo", "latest")
	if code != 0 || !strings.HasPrefix(stdout, "main.go\n") {
		t.Errorf("undo: exit %d, %q, %s", code, stdout, stderr)
	}
	if got := get(t, path); got != twoBugsProgram {
		t.Errorf("undo did not restore the state before the first fix:\n%s", got)
	}
	if _, stderr, code := run(t, dir, "sessions", "undo"); code != 1 || !strings.Contains(stderr, "nothing to undo") {
		t.Errorf("a third undo: exit %d, %s", code, stderr)
	}
	log := logOf(t, dir)
	has(t, log, "## Stop 1: nil-map-write", "## Stop 2: index-out-of-range", "## Resumed", "bytes were cut off", "undone", "session ended: quit")
	if strings.Count(log, "**undone ") != 2 {
		t.Errorf("want two undos in:\n%s", log)
	}
}

// What was typed is typed again, breakpoints are kept, and a candidate of
// before can be approved.
func TestResumeOfASessionThatEnded(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := program(t, echoProgram)
	x := offline(t, dir)
	x.wait("ready")
	x.keys("i")
	x.wait("typing into it")
	x.keys("b", "o", "o", "m", "\r")
	x.wait("nil-map-write")
	x.wait("✓ verified", "✓ repairs")
	x.leave()

	x = startTerminal(t, dir, 140, 40, nil, "sessions", "resume") // offline, as before
	x.wait("offline: built-in fixer only")
	x.wait("nil-map-write") // the same input leads to the same stop
	x.wait("✓ verified", "✓ repairs")
	x.approve()
	x.wait("counted 1")
	x.wait("✓ fixed")
	x.leave()
	has(t, get(t, filepath.Join(dir, "main.go")), "make(map[string]int)")
	has(t, logOf(t, dir), "## Stop 1: nil-map-write", "## Resumed", "## Stop 2: nil-map-write", "launched, round 3", "## Judgement: fixed")
	if _, stderr, code := run(t, dir, "sessions", "resume"); code != 1 || !strings.Contains(stderr, "not a terminal") {
		t.Errorf("without a terminal: exit %d, %s", code, stderr)
	}

	// A module that was moved: its events name files by their place.
	moved := filepath.Join(t.TempDir(), "moved")
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := run(t, moved, "sessions", "undo"); code != 1 || !strings.Contains(stderr, "no longer exists") || !strings.Contains(stderr, "hint: move it back") {
		t.Errorf("moved: exit %d, %s", code, stderr)
	}
	if err := os.Rename(moved, dir); err != nil { // the clean-up wants it
		t.Fatal(err)
	}
}
