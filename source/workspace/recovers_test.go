package workspace

import (
	"slices"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

func TestRecovers(t *testing.T) {
	dir := t.TempDir()
	testsupport.Files(t, dir, map[string]string{
		"main.go":          "package main\n\nfunc main() {\n\tdefer func() {\n\t\tif r := recover(); r != nil {\n\t\t\tprintln(\"crash\")\n\t\t}\n\t}()\n}\n",
		"main_test.go":     "package main\n\nfunc init() { recover() }\n",
		"other.go":         "package main\n\n// recover() is not called here.\nfunc f(recover func(int)) { recover(1) }\n",
		"vendor/x/x.go":    "package x\n\nfunc init() { recover() }\n",
		"testdata/bad.go":  "package bad\n\nfunc init() { recover() }\n",
		"inner/broken.go":  "package inner\n\nfunc init() { recover()\n",
		"inner/working.go": "package inner\n\nfunc init() { _ = recover() }\n",
	})
	w := Workspace{Root: dir, Modules: []Module{{Dir: dir}}}
	if got, want := w.Recovers(9), []string{"inner/working.go:3", "main.go:5"}; !slices.Equal(got, want) {
		t.Errorf("recovers at %q, want %q", got, want)
	}
	if got := w.Recovers(1); len(got) != 1 {
		t.Errorf("want 1 at most, not %q", got)
	}
}
