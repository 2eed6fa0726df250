package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

func TestTheFileOfALocationIsCompleted(t *testing.T) {
	real, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(real, "link")
	testsupport.Write(t, filepath.Join(real, "app", "cmd", "a.go"), "package main\n")
	testsupport.Write(t, filepath.Join(real, "lib", "b.go"), "package lib\n")
	if err := os.Symlink(filepath.Join(real, "app"), link); err != nil {
		t.Skip(err)
	}
	through := Workspace{Dir: filepath.Join(link, "cmd"), Root: link, Modules: []Module{{Dir: link}, {Dir: filepath.Join(real, "lib")}}}
	straight := Workspace{Dir: filepath.Join(real, "app"), Root: filepath.Join(real, "app")}
	for _, tt := range []struct {
		w          Workspace
		text, want string
	}{
		{through, "./a.go:13", link + "/cmd/a.go:13"},
		{through, "../../lib/b.go:7", real + "/lib/b.go:7"},
		{through, real + "/app/cmd/a.go:1", link + "/cmd/a.go:1"},
		{straight, link + "/cmd/a.go:1", real + "/app/cmd/a.go:1"},
		{straight, "./cmd/missing.go:1", real + "/app/cmd/missing.go:1"},
		{straight, "a.go:13", "a.go:13"},
		{straight, "main.run", "main.run"},
		{straight, "./a.go", "./a.go"},
		{straight, "main.(*T).run:3", "main.(*T).run:3"},
		{straight, "/elsewhere/x.go:3", "/elsewhere/x.go:3"},
	} {
		if got := tt.w.Location(tt.text); got != tt.want {
			t.Errorf("%s in %s: %s, want %s", tt.text, tt.w.Dir, got, tt.want)
		}
	}
}
