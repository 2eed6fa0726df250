package tour

import (
	"os"
	"path/filepath"
	"testing"
)

// TestTheTourIsCalledSo: its program has the name of its directory.
func TestTheTourIsCalledSo(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir, err := makeProgram()
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Base(dir) != "tour" {
		t.Errorf("the program is in %q", dir)
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		t.Error(err)
	}
}
