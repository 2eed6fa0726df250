package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// The main job in a real terminal: stop, proof, approval, restart, judgement,
// log, undo.
func TestDebugFixesAPanic(t *testing.T) {
	dir := module(t, "inventory")
	source := filepath.Join(dir, "inventory.go")
	before, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	x := startTerminal(t, dir, 120, 36, nil, "debug", "--offline", ".")
	x.wait("nil-map-write")
	x.wait("assignment to entry in nil map")
	x.wait("1 ✓ verified", "1 ✓ repairs")
	x.wait("2 ✓ verified", "2 ✓ repairs") // the order is settled
	x.keys("6", "\r")
	x.wait("make bySupplier in NewInventory", "NewInventory")
	x.keys("a")
	x.wait("[y]", "y ")
	x.keys("\r") // enter never confirms
	if now, _ := os.ReadFile(source); string(now) != string(before) {
		t.Fatal("enter confirmed the approval")
	}
	x.keys("y")
	x.wait("✓ fixed")
	if now, _ := os.ReadFile(source); string(now) == string(before) {
		t.Error("the source was not changed")
	}
	x.keys("u")
	x.keys("y")
	x.wait("undone", "as before")
	testsupport.Eventually(t, "undo restores the source", func() bool { return get(t, source) == string(before) })
	x.keys("q")
	if code := x.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	logs, _ := filepath.Glob(filepath.Join(dir, "debug", "*-nil-map-write.md"))
	if len(logs) != 1 {
		t.Fatalf("logs: %q", logs)
	}
	text, _ := os.ReadFile(logs[0])
	for _, want := range []string{"## Stop 1: nil-map-write", "**approved fix ", "## Judgement: fixed", "**undone fix ", "session ended: quit"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the log lacks %q:\n%s", want, text)
		}
	}
}
