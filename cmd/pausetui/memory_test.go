package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// TestAFixIsRemembered: approved and judged fixed, it is offered first when the
// program stops at the same fault again, also where the code has moved; and it is
// proved again.
func TestAFixIsRemembered(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	source := strings.Replace(twoBugsProgram, "i <= len", "i < len", 1)
	dir := program(t, source)
	x := offline(t, dir)
	x.wait("make books in NewShelf")
	x.wait("✓ repairs", "✓ verified · repairs")
	x.approve()
	x.wait("✓ fixed")
	x.leave()
	moved := strings.Replace(source, "// Shelf holds", "// Author writes books.\ntype Author string\n\n// Shelf holds", 1)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(moved), 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := run(t, dir, "fix", "--offline", ".")
	if code != 3 || !strings.Contains(stdout, "memory/") || !strings.Contains(stdout, "This change fixed the same panic on") || !strings.Contains(stdout, "was adapted to it") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	listed, _, _ := run(t, dir, "sessions", "memory", "list")
	if !strings.Contains(listed, "make books in NewShelf") || !strings.Contains(listed, "1×") {
		t.Errorf("remembered are: %s", listed)
	}
	shared := filepath.Join(t.TempDir(), "fixes.jsonl")
	if _, stderr, code := run(t, dir, "sessions", "memory", "export", shared); code != 0 {
		t.Fatal(stderr)
	}
	id := strings.Fields(strings.Split(listed, "\n")[1])[0]
	if _, stderr, code := run(t, dir, "sessions", "memory", "forget", id); code != 0 {
		t.Fatal(stderr)
	}
	if stdout, _, _ := run(t, dir, "fix", "--offline", "."); strings.Contains(stdout, "memory/") {
		t.Errorf("a forgotten fix is offered: %s", stdout)
	}
	if stdout, stderr, _ := run(t, dir, "sessions", "memory", "import", shared); !strings.Contains(stdout, "1 taken") {
		t.Errorf("imported: %s%s", stdout, stderr)
	}
}
