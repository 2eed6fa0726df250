package trace

import (
	"context"
	"errors"
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

func locate(t *testing.T, tr Trace, h Home) Trace {
	t.Helper()
	located, err := tr.Locate(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	return located
}

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
			tr := locate(t, read(t, text).Traces[0], home)
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
		if f := locate(t, read(t, text).Traces[0], home).Goroutines[0].Frames[0]; f.User || f.Err == "" {
			t.Errorf("%s in %s is the user's", function, f.File)
		}
	}
}

// Stacks repeat, so each line is looked up once for each function that it calls.
func TestRepeatedStacksAreLookedUpOnce(t *testing.T) {
	home := bigProgram(t, 0)
	tr := read(t, bigTrace(3*29*loops)).Traces[0] // each kind three times
	l := newLocator(home)
	for i := range tr.Goroutines {
		if err := l.goroutine(t.Context(), &tr.Goroutines[i]); err != nil {
			t.Fatal(err)
		}
	}
	if len(l.files) != loops+1 || len(l.places) > 29*loops*4+10 {
		t.Errorf("%d files and %d places", len(l.files), len(l.places))
	}
	last := tr.Goroutines[len(tr.Goroutines)-1].Frames[0]
	if last.Err != "" || len(last.Args) != 3 || last.Args[1].Name != "id" || last.Args[1].Value != "0" || !last.User {
		t.Errorf("%+v", last)
	}
	first := tr.Goroutines[1].Frames[1]
	if other := tr.Goroutines[1+29*loops].Frames[1]; first.File != other.File || first.Args[0].Value == other.Args[0].Value {
		t.Errorf("the arguments are mixed up: %+v, %+v", first.Args, other.Args)
	}
}

func TestALineIsAskedWhatItCalls(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.go"), "package app\n\nfunc F() {\n\tG()\n}\n\nfunc G() {\n\tpanic(1)\n}\n\nfunc H() {\n\tx := 1\n\t_ = x\n\n\n}\n")
	text := "panic: x\n"
	for i, stack := range []string{"G 8,F 4", "G 8,H 12", "H 12,F 4", "F 4,H 12"} {
		text += "\ngoroutine " + strconv.Itoa(i+1) + " [running]:\n"
		for f := range strings.SplitSeq(stack, ",") {
			name, line, _ := strings.Cut(f, " ")
			text += "example.org/app." + name + "()\n\t/b/a.go:" + line + " +0x1d\n"
		}
	}
	tr := locate(t, read(t, text).Traces[0], Home{Modules: []Module{{"example.org/app", dir}}})
	for i, want := range []string{"", "the line does not call G", "the line does not call H", "the line does not call F"} {
		if got := tr.Goroutines[i].Frames[1].Err; (got == "") != (want == "") || !strings.HasSuffix(got, want) {
			t.Errorf("stack %d: %q, want %q", i, got, want)
		}
	}
	if missing := tr.Missing(); len(missing) != 3 {
		t.Errorf("missing %q", missing)
	}
}

func TestLocateEndsWithItsContext(t *testing.T) {
	tr := read(t, plain).Traces[0]
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tr.Locate(ctx, Home{}); !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
}
