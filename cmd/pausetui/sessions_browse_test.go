package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/cli/sessions"
	"github.com/pausetui/pausetui/internal/testsupport"
)

// keptLogs is a module with the logs that the repository keeps.
func keptLogs(t *testing.T) string {
	t.Helper()
	dir := program(t, "package main\n\nfunc main() {}\n")
	testsupport.KeptLogs(t, filepath.Join(dir, "debug"))
	return dir
}

func TestSessionsAreFound(t *testing.T) {
	t.Parallel()
	dir := keptLogs(t)
	for _, tt := range []struct {
		args []string
		want []string
		code int
	}{
		{[]string{"search", "assignment", "class:nil*"}, []string{"20261123-114836-nil-map-write", "fixed"}, 0},
		{[]string{"search", "klass:x"}, []string{`unknown filter "klass"`, "did you mean class:?"}, 1},
		{[]string{"show", "20261123-114836"}, []string{"class: nil-map-write", "## "}, 0},
		{[]string{"stats"}, []string{"6 sessions", "the built-in fixer"}, 0},
		{[]string{"--plain"}, []string{"20261123-115308-deadlock"}, 0},
		{nil, []string{"20261123-115308-deadlock"}, 0}, // there is no terminal
		{[]string{"rm", "20261123-115308-deadlock"}, []string{"--yes"}, 1},
		{[]string{"rm", "--yes", "20261123-115308-deadlock"}, []string{"deleted 20261123-115308-deadlock"}, 0},
		{[]string{"show", "20261123-115308-deadlock"}, []string{"there is no such session"}, 1},
	} {
		stdout, stderr, code := run(t, dir, append([]string{"sessions"}, tt.args...)...)
		if code != tt.code {
			t.Errorf("%q: exit %d: %s", tt.args, code, stderr)
		}
		for _, w := range tt.want {
			if !strings.Contains(stdout+stderr, w) {
				t.Errorf("%q does not say %q: %s%s", tt.args, w, stdout, stderr)
			}
		}
	}
}

func TestSessionsAsJSON(t *testing.T) {
	t.Parallel()
	dir := keptLogs(t)
	stdout, _, _ := run(t, dir, "sessions", "search", "--json", "--limit", "2")
	var list []sessions.Listed
	if err := json.Unmarshal([]byte(stdout), &list); err != nil || len(list) != 2 || list[0].ID != "20261123-115308-deadlock" {
		t.Errorf("%v: %s", err, stdout)
	}
	stdout, _, _ = run(t, dir, "sessions", "show", "--json", "latest")
	first, _, _ := strings.Cut(stdout, "\n")
	var event struct{ Kind string }
	if err := json.Unmarshal([]byte(first), &event); err != nil || event.Kind != "started" {
		t.Errorf("%v: %s", err, first)
	}
}

func TestTheBrowserOpensASession(t *testing.T) {
	t.Parallel()
	dir := keptLogs(t)
	x := startTerminal(t, dir, 120, 36, nil, "sessions")
	x.wait("6 sessions")
	x.keys("n", "i", "l", "-", "m", "a", "p")
	x.wait("1 session")
	x.keys("\r")
	x.wait("esc list")
	x.wait("make bySupplier in NewInventory")
	x.keys(escape)
	x.wait("enter open")
	x.keys(escape)
	x.wait("6 sessions")
	x.keys(escape)
	if code := x.exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

// TestACrashIsHandedOver: a bundle of one clone is taken in by another, where the
// session is resumed, its fix proved, approved and judged.
func TestACrashIsHandedOver(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	source := strings.Replace(twoBugsProgram, "i <= len", "i < len", 1)
	mine, theirs := program(t, source), program(t, source)
	if _, stderr, code := run(t, mine, "fix", "--offline", "."); code != 3 {
		t.Fatal(stderr)
	}
	file := filepath.Join(t.TempDir(), "crash.pausetui")
	_, stderr, code := run(t, mine, "sessions", "export", "--format", "bundle", "latest", "-o", file)
	if code != 1 || !strings.Contains(stderr, "session.jsonl") || !strings.Contains(stderr, "--yes") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if _, stderr, code := run(t, mine, "sessions", "export", "--format", "bundle", "latest", "--yes", "-o", file); code != 0 {
		t.Fatal(stderr)
	}
	stdout, stderr, code := run(t, theirs, "sessions", "import", file)
	if code != 0 || !strings.Contains(stdout, "taken in") {
		t.Fatalf("exit %d: %s%s", code, stdout, stderr)
	}
	if _, stderr, code := run(t, theirs, "sessions", "import", file); code != 1 || !strings.Contains(stderr, "is here already") {
		t.Errorf("twice: exit %d, %s", code, stderr)
	}
	if left, _ := filepath.Glob(filepath.Join(theirs, "debug", ".import-*")); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
	if found, _, _ := run(t, theirs, "sessions", "search", "class:nil-map-write"); !strings.Contains(found, "nil-map-write") {
		t.Errorf("found: %s", found)
	}
	x := startTerminal(t, theirs, 140, 40, nil, "sessions", "resume", "--trust-journal", "--offline", "latest")
	x.wait("make books in NewShelf")
	x.wait("✓ repairs", "✓ verified · repairs")
	x.approve()
	x.wait("✓ fixed")
	x.leave()
	if get(t, filepath.Join(mine, "main.go")) != source || get(t, filepath.Join(theirs, "main.go")) == source {
		t.Error("the fix is not in the clone that took the session in")
	}
}

// TestPastSessionsFromTheDebugger: a key shows them, and the stop is there
// afterwards.
func TestPastSessionsFromTheDebugger(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := keptLogs(t)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(twoBugsProgram), 0o600); err != nil {
		t.Fatal(err)
	}
	x := offline(t, dir)
	x.wait("make books in NewShelf")
	x.keys("H")
	x.wait("7 sessions") // with the one that runs
	x.keys(escape)
	x.wait("make books in NewShelf")
	x.leave()
}
