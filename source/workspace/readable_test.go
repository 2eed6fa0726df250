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
		"m/go.mod": "module example.org/m\n", "m/m.go": "package m\n", "m/.git/config": "token", "m/.env": "token", "m/sub/.git/x.go": "package x\n", "m/.x.go": "package m\n", "m/notes.txt": "token", "m/asm.s": "",
		"lib/lib.go": "package lib\n", "lib/.env": "token", "lib/private/p.go": "package p\n", "m/vendor/x/x.go": "package x\n",
		"go/src/fmt/print.go": "package fmt\n", "mod/x@v1.0.0/x.go": "package x\n", "dep/dep.go": "package dep\n",
		"private/p.go": "package p\n", "private/deep/p.go": "package p\n",
	} {
		testsupport.Write(t, filepath.Join(top, filepath.FromSlash(name)), text)
	}
	at := func(name string) string { return filepath.Join(top, filepath.FromSlash(name)) }
	for link, to := range map[string]string{"m/link.go": "../private/p.go", "m/dir": "../private", "m/same.go": "m.go", "dep/link.go": "../private/p.go", "m/env.go": ".env"} {
		if err := os.Symlink(to, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	w := Workspace{Root: at("m"), Modules: []Module{{Path: "example.org/m", Dir: at("m")}, {Path: "example.org/lib", Dir: at("lib"), ReadOnly: true}}, GoRoot: at("go"), ModCache: at("mod")}
	dirs := map[string]string{"example.org/dep": at("dep"), "example.org/lib": at("lib")}
	for file, want := range map[string]bool{
		at("m/m.go"): true, at("m/same.go"): true, at("m/vendor/x/x.go"): true, at("go/src/fmt/print.go"): true, at("m/asm.s"): true, at("lib/lib.go"): true, at("dep/dep.go"): true,
		at("private/p.go"): false, at("private/deep/p.go"): false, at("m/link.go"): false, at("m/dir/p.go"): false, at("dep/link.go"): false,
		at("m") + "/../private/p.go": false, at("m/.git/config"): false, at("m/none.go"): false,
		at("mod/x@v1.0.0/x.go"): false, at("m/.env"): false, at("m/env.go"): false, at("m/sub/.git/x.go"): false, at("m/.x.go"): false, at("m/notes.txt"): false, at("lib/.env"): false, at("lib/private/p.go"): false, "m.go": false, "": false,
	} {
		if got := w.Readable(file, dirs); got != want {
			t.Errorf("%q: %v", file, got)
		}
	}
	if w.Readable(at("lib/lib.go"), nil) {
		t.Error("a module outside of the repository is readable though nothing is built from it")
	}
	if (Workspace{}).Readable(at("m/m.go"), nil) {
		t.Error("the zero value reads")
	}
}
