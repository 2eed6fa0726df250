package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// TestOnlySourceIsReadable: a pasted trace or a debug server may name any file.
func TestOnlySourceIsReadable(t *testing.T) {
	top := testsupport.TempDir(t)
	for name, text := range map[string]string{
		"m/go.mod": "module example.org/m\n", "m/m.go": "package m\n", "m/.git/config": "token", "m/vendor/x/x.go": "package x\n",
		"go/src/fmt/print.go": "package fmt\n", "mod/x@v1.0.0/x.go": "package x\n", "dep/dep.go": "package dep\n",
		"private/p.go": "package p\n", "private/deep/p.go": "package p\n",
	} {
		testsupport.Write(t, filepath.Join(top, filepath.FromSlash(name)), text)
	}
	at := func(name string) string { return filepath.Join(top, filepath.FromSlash(name)) }
	for link, to := range map[string]string{"m/link.go": "../private/p.go", "m/dir": "../private", "m/same.go": "m.go", "dep/link.go": "../private/p.go"} {
		if err := os.Symlink(to, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	w := Workspace{Root: at("m"), Modules: []Module{{Path: "example.org/m", Dir: at("m")}}, GoRoot: at("go"), ModCache: at("mod")}
	dirs := map[string]string{"example.org/dep": at("dep")}
	for file, want := range map[string]bool{
		at("m/m.go"): true, at("m/same.go"): true, at("m/vendor/x/x.go"): true, at("go/src/fmt/print.go"): true, at("mod/x@v1.0.0/x.go"): true, at("dep/dep.go"): true,
		at("private/p.go"): false, at("private/deep/p.go"): false, at("m/link.go"): false, at("m/dir/p.go"): false, at("dep/link.go"): false,
		at("m") + "/../private/p.go": false, at("m/.git/config"): false, at("m/none.go"): false, "m.go": false, "": false,
	} {
		if got := w.Readable(file, dirs); got != want {
			t.Errorf("%q: %v", file, got)
		}
	}
	if (Workspace{}).Readable(at("m/m.go"), nil) {
		t.Error("the zero value reads")
	}
}
