//go:build unix

package bench

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A directory of cases may come from anywhere: nothing in it is waited for, and no
// case writes outside of the directory that it is laid out in.
func TestHostileCases(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "index-fifo.txtar"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"nil-map-write-up": "../../out", "nil-map-write-root": "/tmp/out", "nil-map-write-dot": "."} {
		text := "x\n-- case.toml --\nclass = \"nil-map-write\"\nkind = \"program\"\n\n[[hidden.run]]\nfiles = {\"" + path + "\" = \"x\"}\n"
		if err := os.WriteFile(filepath.Join(dir, name+".txtar"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cases, err := Load(os.DirFS(dir))
	if len(cases) > 0 || err == nil || strings.Count(err.Error(), "is not a clean relative path") != 3 || !strings.Contains(err.Error(), "is not a file") {
		t.Errorf("%d cases, %v", len(cases), err)
	}
}
