package trace

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

const app = `
-- go.mod --
module example.org/app
-- cmd/app/main.go --
package main

func main() {
	run()
}

func run() { store.New().Add("x") }
-- main.go --
package main

func main() {}
-- store/index.go --
package store

type Index[T any] struct{ terms map[string]T }

func (x *Index[T]) Add(term string) {
	func() {
		x.terms[term]++
	}()
}

func helper() {
}
`

func TestLocate(t *testing.T) {
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(app)).Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	goroot := filepath.Join(dir, "goroot")
	if err := os.MkdirAll(filepath.Join(goroot, "src", "net", "http"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(goroot, "src", "net", "http", "server.go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	home := Home{Modules: []Module{{"example.org/app", dir}}, GoRoot: goroot, ModCache: filepath.Join(dir, "mod")}
	for name, tt := range map[string]struct {
		function, file string
		line           int
		want           string // the file below dir; empty: not found
		user           bool
		err            string
	}{
		"another machine's":   {"example.org/app/store.(*Index[...]).Add", "/build/src/store/index.go", 6, "store/index.go", true, ""},
		"a closure":           {"example.org/app/store.(*Index[...]).Add.func1", "/build/src/store/index.go", 7, "store/index.go", true, ""},
		"trimmed":             {"example.org/app/store.(*Index[...]).Add", "example.org/app/store/index.go", 6, "store/index.go", true, ""},
		"main by its path":    {"main.run", "/home/ci/work/cmd/app/main.go", 7, "cmd/app/main.go", true, ""},
		"main of windows":     {"main.run", "C:/work/cmd/app/main.go", 7, "cmd/app/main.go", true, ""},
		"main by the longest": {"main.main", "/x/cmd/app/main.go", 4, "cmd/app/main.go", true, ""},
		"the root's main":     {"main.main", "/x/main.go", 3, "main.go", true, ""},
		"changed":             {"example.org/app/store.(*Index[...]).Add", "/b/store/index.go", 11, "store/index.go", true, "in helper, and was in (*Index).Add"},
		"shorter":             {"example.org/app/store.(*Index[...]).Add", "/b/store/index.go", 99, "store/index.go", true, "it has"},
		"gone":                {"example.org/app/store.Old", "/b/store/old.go", 3, "", false, "/b/store/old.go is not in this module"},
		"the library":         {"net/http.(*conn).serve", "/usr/local/go/src/net/http/server.go", 1, "goroot/src/net/http/server.go", false, ""},
		"a dependency":        {"github.com/a/b.F", "/home/ci/go/pkg/mod/github.com/a/b@v1.0.0/b.go", 1, "", false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			text := "panic: x\n\ngoroutine 1 [running]:\n" + tt.function + "(0x1)\n\t" + tt.file + ":" + strconv.Itoa(tt.line) + " +0x1d\n"
			tr := read(t, text).Traces[0].Locate(home)
			f := tr.Goroutines[0].Frames[0]
			want := tt.file
			if tt.want != "" {
				want = filepath.Join(dir, tt.want)
			}
			if f.File != want || f.User != tt.user || !strings.Contains(f.Err, tt.err) || f.Err != "" && tt.err == "" {
				t.Errorf("%s, user %v, %q; want %s", f.File, f.User, f.Err, want)
			}
			if culprit := tr.Panic.Culprit; (culprit == 0) != tt.user {
				t.Errorf("culprit %d", culprit)
			}
		})
	}
}

// TestLinksThatLeadOut: a repository may have links to anything of the person's.
func TestLinksThatLeadOut(t *testing.T) {
	dir := t.TempDir()
	module, outside := filepath.Join(dir, "m"), filepath.Join(dir, "outside")
	for _, d := range []string{module, outside} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(outside, "id.c"), []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"id.c": "../outside/id.c", "sub": "../outside"} {
		if err := os.Symlink(to, filepath.Join(module, link)); err != nil {
			t.Fatal(err)
		}
	}
	home := Home{Modules: []Module{{"example.org/app", module}}}
	for function, file := range map[string]string{
		"main.a": filepath.Join(module, "id.c"), "main.init": filepath.Join(module, "sub", "id.c"),
		"example.org/app.F": "/build/id.c", "example.org/app/sub.F": "/build/sub/id.c",
	} {
		text := "panic: x\n\ngoroutine 1 [running]:\n" + function + "(0x1)\n\t" + file + ":1 +0x1d\n"
		if f := read(t, text).Traces[0].Locate(home).Goroutines[0].Frames[0]; f.User || f.Err == "" {
			t.Errorf("%s in %s is the user's", function, f.File)
		}
	}
}
