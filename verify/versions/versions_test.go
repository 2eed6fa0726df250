package versions

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/syntax"
)

const before = `package main

import (
	"fmt"
	"os"
	"os/exec"
)

type list struct{ items []int }

// first is the first item.
func (l *list) first() int {
	return l.items[0]
}

func find(rows [][]int, want int) (at int) {
rows:
	for i, r := range rows {
		for _, v := range r {
			if v == want {
				at = i
				break rows
			}
		}
	}
	return at
}

func show(s string) {
	defer func() { fmt.Println("recovered:", recover()) }()
	_ = s[3]
}

var early = find([][]int{{1}, {2}}, 3)

func main() {
	if len(os.Args) == 1 { // it starts itself, as tests of whole programs do
		own, _ := os.Executable()
		text, _ := exec.Command(own, "again").Output()
		fmt.Printf("%s", text)
	}
	fmt.Println(early, find([][]int{{1}, {2}}, 3))
	show("ab")
	fmt.Println((&list{}).first())
}
`

// TestEachVersionIsAsBuiltAlone builds one program of three candidates and compares what
// each prints with the candidate's own program.
func TestEachVersionIsAsBuiltAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "main.go")
	change := func(pairs ...string) []syntax.Change {
		return []syntax.Change{{File: path, Before: before, After: strings.NewReplacer(pairs...).Replace(before)}}
	}
	candidates := [][]syntax.Change{
		change("return l.items[0]", "if len(l.items) == 0 {\n\t\treturn -1\n\t}\n\treturn l.items[0]"),
		change("rows:\n\tfor i", "at = -1\nrows:\n\tfor i", "_ = s[3]", "if len(s) > 3 { _ = s[3] } // else\n\tprintln() // ends"),
		change(`"os"`, "\"os\"\n\t\"strings\"", "return l.items[0]", "fmt.Println(strings.ToUpper(\"none\"))\n\tos.Exit(7)\n\treturn 0"),
		change("type list struct{ items []int }", "type list struct{ items []int; more bool }"), // has no place
		change("return at\n", "panic(at)\n"),
	}
	p := Join(dir, candidates)
	if _, ok := p.Directory(3); ok {
		t.Error("another type is in the program")
	}
	build := func(name string, files map[string]string) string {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(at, 0o700); err != nil {
			t.Fatal(err)
		}
		files["go.mod"] = "module example.org/versions\n\ngo 1.21\n"
		for file, text := range files {
			if err := os.WriteFile(filepath.Join(at, filepath.Base(file)), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command("go", "build", "-o", "program", ".")
		cmd.Dir = at
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		return filepath.Join(at, "program")
	}
	joined := build("joined", p.Files)
	run := func(binary, in string) string {
		dir := filepath.Join(filepath.Dir(binary), in)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		at := filepath.Join(dir, "run")
		if err := os.Link(binary, at); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(at)
		out, _ := cmd.CombinedOutput()
		text, _, _ := strings.Cut(string(out), "goroutine 1")
		return text + cmd.ProcessState.String()
	}
	if got, want := run(joined, "as-it-is"), run(build("alone", map[string]string{"main.go": before}), ""); got != want {
		t.Errorf("without a candidate:\n%s\nalone:\n%s", got, want)
	}
	for i, changes := range candidates {
		in, ok := p.Directory(i)
		if !ok {
			continue
		}
		if got, want := run(joined, in), run(build("alone"+in, map[string]string{"main.go": changes[0].After}), ""); got != want {
			t.Errorf("candidate %d:\n%s\nalone:\n%s", i, got, want)
		}
	}
}

func TestWhatHasNoPlace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]syntax.Change{
		"a new function":         {File: "/d/a.go", Before: "package p\n", After: "package p\n\nfunc f() {}\n"},
		"a test":                 {File: "/d/a_test.go", Before: "package p\nfunc f() {}\n", After: "package p\nfunc f() { g() }\n"},
		"another directory":      {File: "/e/a.go", Before: "package p\nfunc f() {}\n", After: "package p\nfunc f() { g() }\n"},
		"another parameter":      {File: "/d/a.go", Before: "package p\nfunc f(a int) {}\n", After: "package p\nfunc f(b int) {}\n"},
		"cgo":                    {File: "/d/a.go", Before: "package p\nimport \"C\"\nfunc f() {}\n", After: "package p\nimport \"C\"\nfunc f() { g() }\n"},
		"a directive":            {File: "/d/a.go", Before: "package p\nfunc f() {}\n", After: "package p\n//go:noinline\nfunc f() { g() }\n"},
		"an import like a local": {File: "/d/a.go", Before: "package p\nfunc f(os int) {}\n", After: "package p\nimport \"os\"\nfunc f(os int) {}\nvar _ = os.Args\n"},
		"what does not parse":    {File: "/d/a.go", Before: "package p\nfunc f() {}\n", After: "package p\nfunc f() { }}\n"},
	} {
		if p := Join("/d", [][]syntax.Change{{c}}); len(p.Files) > 0 {
			t.Errorf("%s: %v", name, p.Files)
		}
	}
}
