package navigate

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/source/workspace"
)

// layout is two modules of the user's: a program that uses most of the language,
// a package that it does not use, and tests.
const layout = `
-- .git/HEAD --
-- app/go.mod --
module example.org/app

go 1.26

require example.org/lib v0.0.0

replace example.org/lib => ../lib
-- app/main.go --
package main

import (
	"fmt"
	"strings"

	"example.org/app/store"
	other "example.org/lib"
)

type runner interface{ Run() error }

type quick struct{ store.Base }

func (q *quick) Run() error { return nil }

type slow struct{ name string }

func (s slow) Run() error { return fmt.Errorf("slow %s", s.name) }

func work(r runner) error {
outer:
	for i := range 3 {
		if i == 2 {
			break outer
		}
	}
	return r.Run()
}

func describe(v any) string {
	switch x := v.(type) {
	case int:
		return fmt.Sprint(x)
	case string:
		return strings.Repeat(x, 2)
	}
	return ""
}

func main() {
	q := &quick{store.Base{ID: 1}}
	fmt.Println(q.ID, q.Describe(), len(other.Names))
	go work(q)
	defer work(slow{name: "a"})
	f := describe
	fmt.Println(f(store.First([]int{1})), describe(1))
	s := store.Stack[string]{}
	s.Push("x")
	s.Push("y")
	var err error = work(q)
	_ = err.Error()
	_ = (*quick).Run
	func() { s.Push("z") }()
}
-- app/store/store.go --
// Package store keeps things.
package store

// Base is embedded.
type Base struct{ ID int }

// Describe says what it is.
func (b Base) Describe() string { return "base" }

// First is the first.
func First[T any](list []T) T { return list[0] }

// Stack is generic.
type Stack[T any] struct{ items []T }

// Push adds.
func (s *Stack[T]) Push(v T) { s.items = append(s.items, v) }
-- app/store/store_test.go --
package store

import "testing"

func TestFirst(t *testing.T) { _ = First([]int{1}) }
-- app/unused/unused.go --
package unused

import "example.org/app/store"

func make() store.Base { return store.Base{} }

var _ = make
-- lib/go.mod --
module example.org/lib

go 1.26
-- lib/lib.go --
package lib

// Names are names.
var Names = []string{"a"}
`

// fixture writes the modules and loads the program.
func fixture(t *testing.T) (*Program, string) {
	t.Helper()
	root := testsupport.Module(t, layout)
	app := filepath.Join(root, "app")
	ctx := context.Background()
	w, err := workspace.Find(ctx, app, nil)
	if err != nil {
		t.Fatal(err)
	}
	spec := workspace.LoadSpec{Dir: app, Patterns: []string{"."}}
	code, err := w.Load(ctx, spec)
	if err != nil {
		t.Fatal(err)
	}
	return NewProgram(w, code, spec), root
}

// at finds a name in the first line of a file that holds a text; in "a|b" the
// name is searched for after a.
func at(t *testing.T, file, text, name string) At {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, split := strings.Cut(text, "|")
	for i, line := range strings.Split(string(data), "\n") {
		start := strings.Index(line, before+rest)
		if start < 0 {
			continue
		}
		if split {
			start += len(before)
		}
		column := word([]byte(line[start:]), name)
		if column < 0 {
			break
		}
		return At{Place{file, i + 1, start + column + 1}, name}
	}
	t.Fatalf("%s has no %s in %q", file, name, text)
	return At{}
}

// short writes hits as "main.go:12 name note: text", their text cut.
func short(root string, list []Hit) []string {
	var out []string
	for _, h := range list {
		file, err := filepath.Rel(root, h.File)
		if err != nil || strings.HasPrefix(file, "..") {
			_, file, _ = strings.Cut(filepath.ToSlash(h.File), "/src/")
		}
		line := file + " " + h.Name
		if h.Note != "" {
			line += " (" + h.Note + ")"
		}
		out = append(out, line+": "+h.Text)
	}
	return out
}

func TestDefinition(t *testing.T) {
	p, root := fixture(t)
	for _, c := range []struct{ file, text, name, want string }{
		{"app/main.go", "go work(q)", "work", "app/main.go work: func work(r runner) error {"},
		{"app/main.go", "go work(q)", "q", `app/main.go q: q := &quick{store.Base{ID: 1}}`},
		{"app/main.go", "q.Describe()", "Describe", `app/store/store.go store.Base.Describe: func (b Base) Describe() string { return "base" }`},
		{"app/main.go", "Println(q.ID", "ID", "app/store/store.go ID: type Base struct{ ID int }"},
		{"app/main.go", "quick{store.Base{ID", "ID", "app/store/store.go ID: type Base struct{ ID int }"},
		{"app/main.go", "type quick struct", "Base", "app/store/store.go store.Base: type Base struct{ ID int }"},
		{"app/main.go", "store.First", "First", "app/store/store.go store.First: func First[T any](list []T) T { return list[0] }"},
		{"app/main.go", `s.Push("x")`, "Push", "app/store/store.go store.(*Stack).Push: func (s *Stack[T]) Push(v T) { s.items = append(s.items, v) }"},
		{"app/store/store.go", "s.items, v", "items", "app/store/store.go items: type Stack[T any] struct{ items []T }"},
		{"app/main.go", "break outer", "outer", "app/main.go outer: outer:"},
		{"app/main.go", "Sprint(x)", "x", "app/main.go x: switch x := v.(type) {"},
		{"app/main.go", "switch x", "x", "app/main.go x: switch x := v.(type) {"},
		{"app/main.go", "return r.Run", "Run", "app/main.go runner.Run: type runner interface{ Run() error }"},
		{"app/main.go", "len(other", "other", "lib/lib.go package lib: package lib"},
		{"app/main.go", "other.Names", "Names", `lib/lib.go lib.Names: var Names = []string{"a"}`},
		{"app/main.go", `"example.org/app/|store"`, "store", "app/store/store.go package store: package store"},
		{"app/main.go", `"fmt"`, "fmt", "fmt/doc.go package fmt: package fmt"},
		{"app/main.go", "strings.Repeat", "Repeat", "strings/strings.go strings.Repeat: func Repeat(s string, count int) string {"},
		{"app/main.go", "len(other", "len", "builtin/builtin.go len: func len(v Type) int"},
		{"app/main.go", "var err error", "error", "builtin/builtin.go error: type error interface {"},
		{"app/main.go", "err.Error()", "Error", "builtin/builtin.go error.Error: Error() string"},
		{"app/store/store_test.go", "_ = First", "First", "app/store/store.go store.First: func First[T any](list []T) T { return list[0] }"},
		{"app/store/store_test.go", "testing.T", "T", "testing/testing.go testing.T: type T struct {"},
		{"app/unused/unused.go", "{ return store.Base", "Base", "app/store/store.go store.Base: type Base struct{ ID int }"},
	} {
		got, err := p.Definition(context.Background(), at(t, filepath.Join(root, c.file), c.text, c.name))
		if err != nil {
			t.Errorf("%s in %q: %v", c.name, c.text, err)
			continue
		}
		if list := short(root, got.Hits); len(list) != 1 || list[0] != c.want {
			t.Errorf("%s in %q:\n got %q\nwant %q", c.name, c.text, list, c.want)
		}
	}
}

// From a library's source one can go on into the next library.
func TestDefinitionGoesOn(t *testing.T) {
	p, root := fixture(t)
	ctx := context.Background()
	println, err := p.Definition(ctx, at(t, filepath.Join(root, "app/main.go"), "fmt.Println", "Println"))
	if err != nil {
		t.Fatal(err)
	}
	fprintln, err := p.Definition(ctx, at(t, println.Hits[0].File, "return Fprintln", "Fprintln"))
	if err != nil {
		t.Fatal(err)
	}
	if got := fprintln.Hits[0]; got.Text != "func Fprintln(w io.Writer, a ...any) (n int, err error) {" {
		t.Errorf("got %+v", got)
	}
	writer, err := p.Definition(ctx, at(t, fprintln.Hits[0].File, "func Fprintln(w io.Writer", "Writer"))
	if err != nil || writer.Hits[0].Text != "type Writer interface {" {
		t.Errorf("got %+v, %v", writer, err)
	}
}

func TestImplementations(t *testing.T) {
	p, root := fixture(t)
	got, err := p.Definition(context.Background(), at(t, filepath.Join(root, "app/main.go"), "interface{ Run()", "Run"))
	want := []string{"app/main.go (*quick).Run: func (q *quick) Run() error { return nil }",
		`app/main.go slow.Run: func (s slow) Run() error { return fmt.Errorf("slow %s", s.name) }`}
	if list := short(root, got.Hits); err != nil || !slices.Equal(list, want) || got.Title != "Implementations of runner.Run" {
		t.Errorf("%s: %q, %v", got.Title, list, err)
	}
}

func TestCallers(t *testing.T) {
	p, root := fixture(t)
	for _, c := range []struct {
		file, text, name string
		want             []string
	}{
		{"app/main.go", "func work", "work", []string{"app/main.go main (go): go work(q)",
			`app/main.go main (defer): defer work(slow{name: "a"})`, "app/main.go main: var err error = work(q)"}},
		{"app/main.go", "func (q *quick) Run", "Run", []string{"app/main.go work (may call): return r.Run()",
			"app/main.go main (as a value): _ = (*quick).Run"}},
		{"app/main.go", "r.Run()", "Run", []string{"app/main.go work: return r.Run()"}},
		{"app/main.go", "func describe", "describe", []string{"app/main.go main (as a value): f := describe",
			"app/main.go main: fmt.Println(f(store.First([]int{1})), describe(1))"}},
		{"app/store/store.go", "func (s *Stack", "Push", []string{`app/main.go main: s.Push("x")`, `app/main.go main: s.Push("y")`,
			`app/main.go main: func() { s.Push("z") }()`}},
		{"app/store/store.go", "func First", "First", []string{"app/main.go main: fmt.Println(f(store.First([]int{1})), describe(1))"}},
		{"app/main.go", "strings.Repeat", "Repeat", []string{"app/main.go describe: return strings.Repeat(x, 2)"}},
		{"app/main.go", "q.Describe()", "Describe", []string{`app/main.go main: fmt.Println(q.ID, q.Describe(), len(other.Names))`}},
		{"app/main.go", "break outer", "outer", []string{"app/main.go main (go): go work(q)", // the function around it
			`app/main.go main (defer): defer work(slow{name: "a"})`, "app/main.go main: var err error = work(q)"}},
	} {
		got, err := p.Callers(context.Background(), at(t, filepath.Join(root, c.file), c.text, c.name))
		if list := short(root, got.Hits); err != nil || !slices.Equal(list, c.want) {
			t.Errorf("%s in %q: %v\n got %q\nwant %q", c.name, c.text, err, list, c.want)
		}
	}
}

// In a library's own source the library is looked through as well.
func TestCallersInALibrary(t *testing.T) {
	p, root := fixture(t)
	ctx := context.Background()
	println, err := p.Definition(ctx, at(t, filepath.Join(root, "app/main.go"), "fmt.Println", "Println"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Callers(ctx, at(t, println.Hits[0].File, "return Fprintln", "Fprintln"))
	if err != nil || len(got.Hits) != 1 || got.Hits[0].Name != "fmt.Println" || !strings.Contains(got.Note, "in fmt itself") {
		t.Errorf("%+v, %v", got, err)
	}
}

// An edited file is found its way in as it is now.
func TestDefinitionAfterAnEdit(t *testing.T) {
	p, root := fixture(t)
	file := filepath.Join(root, "app/main.go")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(data), "func main() {", "func added() string { return describe(2) }\n\nfunc main() {\n\tadded()", 1)
	if err := os.WriteFile(file, []byte(edited), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := p.Definition(context.Background(), at(t, file, "\tadded()", "added"))
	if err != nil || got.Hits[0].Text != "func added() string { return describe(2) }" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestNoAnswer(t *testing.T) {
	p, root := fixture(t)
	main := filepath.Join(root, "app/main.go")
	for _, c := range []struct {
		at   At
		want error
	}{
		{At{Place{main, 1, 1}, ""}, ErrNoName},
		{At{Place{main, 9999, 1}, ""}, ErrChanged},
		{At{Place{filepath.Join(root, "none.go"), 1, 1}, "x"}, workspace.ErrNotInProgram},
	} {
		if got, err := p.Definition(context.Background(), c.at); !errors.Is(err, c.want) {
			t.Errorf("%+v: %+v, %v, want %v", c.at, got, err, c.want)
		}
	}
	if _, err := p.Callers(context.Background(), At{Place: Place{main, 3, 1}}); !errors.Is(err, ErrNoFunction) {
		t.Errorf("callers of an import: %v", err)
	}
}
