package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/sessiontest"
)

// hostileLogs is a module whose logs somebody else has written.
func hostileLogs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "go.mod"), "module example.org/m\n\ngo 1.26\n")
	if err := os.Mkdir(filepath.Join(dir, "debug"), 0o755); err != nil {
		t.Fatal(err)
	}
	var journal bytes.Buffer
	for i, b := range sessiontest.Hostile() {
		body, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		line, err := json.Marshal(map[string]any{"seq": i + 1, "at": "2026-11-20T17:02:03Z", "actor": sessiontest.Attack, "kind": b.Kind(), "body": json.RawMessage(body)})
		if err != nil {
			t.Fatal(err)
		}
		journal.Write(append(line, '\n'))
	}
	put(t, filepath.Join(dir, "debug", "20261120-170203-nil-map-write.jsonl"), journal.String())
	front, err := json.Marshal(sessiontest.Attack)
	if err != nil {
		t.Fatal(err)
	}
	head := "---\n"
	for _, key := range []string{"session", "date", "target", "class", "message", "culprit", "fingerprint", "outcome", "judgement"} {
		head += key + ": " + string(front) + "\n"
	}
	put(t, filepath.Join(dir, "debug", "20261120-170204-exit.md"), head+"---\n")
	put(t, filepath.Join(dir, "debug", "20261120-170204-exit.jsonl"), "")
	for i, name := range []string{"\x1b]0;title\a", "\u009b31m", "\u202egpj", "a\nPRETEND"} {
		put(t, filepath.Join(dir, "debug", "20261120-17030"+string(rune('0'+i))+"-"+name+".jsonl"), journal.String())
	}
	return dir
}

// What a journal of somebody else's says does not steer the terminal.
func TestHostileLogsAreListed(t *testing.T) {
	t.Parallel()
	dir := hostileLogs(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"sessions", "list"}, {"sessions", "list", "--json"}, {"__complete", "sessions", "resume", ""}, {"sessions", "undo", "20261120-17"},
		{"sessions", "undo", "20261120-170203-nil-map-write"}, {"prompts", "render", "default"}} {
		cmd := exec.Command(exe, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), asMain+"=1")
		out, _ := cmd.CombinedOutput() // some are refused
		if bad := sessiontest.Escaped(string(out)); bad != "" || bytes.ContainsRune(out, '\x1b') {
			t.Errorf("%q: %s\n%q", args, bad, out)
		}
		if sessiontest.Pretends(string(out)) {
			t.Errorf("%q: a line that is not ours:\n%s", args, out)
		}
		if args[1] == "list" && !strings.Contains(string(out), "20261120-170203-nil-map-write") {
			t.Errorf("%q: the session is not listed: %q", args, out)
		}
	}
	if list, err := session.List(filepath.Join(dir, "debug")); err != nil || len(list) != 2 {
		t.Errorf("%d sessions, %v: names that are not ours are no sessions", len(list), err)
	}
}
