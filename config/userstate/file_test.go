package userstate

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pausetui/pausetui/internal/regular"
)

type numbers struct {
	header
	List []int `json:"list"`
}

func TestFilesRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", Name("/src/app")+".json")
	load := func(root string) (n numbers, err error) { return n, read(path, forRoot(2, root), &n) }
	if n, err := load("/src/app"); err != nil || n.List != nil {
		t.Fatalf("before any: %v, %v", n, err)
	}
	if err := replace(path, numbers{forRoot(2, "/src/app/"), []int{1, 2}}); err != nil {
		t.Fatal(err)
	}
	if n, err := load("/src/app"); err != nil || len(n.List) != 2 || n.Root != "/src/app" {
		t.Errorf("read %+v, %v", n, err)
	}
	if n, err := load("/other/app"); err != nil || n.List != nil {
		t.Errorf("another root reads %+v, %v", n, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := errors.Join(remove(path), remove(path)); err != nil {
		t.Error(err)
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.json")
	for name, text := range map[string]string{
		"broken": "{", "empty": "", "of another version": `{"version":3}`, "large": `{"version":2}` + strings.Repeat(" ", maxFile),
		"of another shape": `{"version":2,"list":"x"}`,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := read(path, header{Version: 2}, &numbers{}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("a file that is %s: %v", name, err)
		}
	}
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := read(fifo, header{Version: 2}, &numbers{}); !errors.Is(err, regular.ErrNotRegular) {
		t.Errorf("a FIFO: %v", err)
	}
}

func TestNamesTellModulesApart(t *testing.T) {
	if Name("/a/app") == Name("/b/app") || Name("/a/app") != Name("/a/app/") || !strings.HasPrefix(Name("/a/app"), "app-") {
		t.Errorf("%s %s", Name("/a/app"), Name("/b/app"))
	}
}
