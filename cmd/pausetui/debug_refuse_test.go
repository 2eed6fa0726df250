package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// Approving refuses, and writes nothing, when the file is not what the
// candidate was made for or cannot be written.
func TestDebugRefusesToWrite(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	for _, c := range []struct {
		name, want string
		spoil      func(path string) error
	}{
		{"changed", "main.go changed since: 2 lines added, 0 removed", func(path string) error {
			return os.WriteFile(path, []byte(twoBugsProgram+"\n// changed meanwhile\n"), 0o644)
		}},
		{"gone", "main.go is gone", os.Remove},
		{"read-only", "read-only", func(path string) error { return os.Chmod(path, 0o444) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := program(t, twoBugsProgram)
			path := filepath.Join(dir, "main.go")
			x := offline(t, dir)
			x.wait("make books in NewShelf")
			if err := c.spoil(path); err != nil {
				t.Fatal(err)
			}
			before, _ := os.ReadFile(path)
			x.approve()
			x.wait("nothing was changed")
			x.shows(c.want, "nil-map-write")
			if after, _ := os.ReadFile(path); string(after) != string(before) {
				t.Errorf("the file was written:\n%s", after)
			}
			x.leave()
			has(t, logOf(t, dir), c.want)
			if left, _ := filepath.Glob(filepath.Join(dir, "main.go?*")); len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, ".pausetui-*")); len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}
