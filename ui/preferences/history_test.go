package preferences

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestHistory(t *testing.T) {
	h := &History{Path: filepath.Join(t.TempDir(), "state", "shop-1")}
	if lines, err := h.Load(); err != nil || len(lines) != 0 {
		t.Fatalf("of a new module: %q, %v", lines, err)
	}
	for i := range 2 * maxLines {
		if err := h.Add(fmt.Sprint("print ", i)); err != nil {
			t.Fatal(err)
		}
	}
	lines, err := h.Load()
	if err != nil || len(lines) != maxLines || lines[maxLines-1] != fmt.Sprint("print ", 2*maxLines-1) {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	info, err := os.Stat(h.Path)
	if err != nil || info.Mode().Perm() != 0o600 || info.Size() > 20_000 {
		t.Errorf("the file: %v, %v", info, err)
	}
	if again, err := (&History{Path: h.Path}).Load(); err != nil || len(again) != maxLines {
		t.Errorf("read again: %d lines, %v", len(again), err)
	}
}
