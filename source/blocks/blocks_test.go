package blocks

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/source/workspace"
)

const program = `package main

import (
	"context"
	"fmt"

	"github.com/pausetui/pausetui/pause"
)

type index struct{ n int }

func (x *index) add() { x.n++ }
func (x index) get() int { return x.n }

const limit = 3

func parse(text string) int { return len(text) * limit }
func other() int            { return 7 }
func verbose() bool         { return false }
func fill(m map[string]int) { m["a"] = 1 }
func refill(m map[string]int) { m["a"] = 2 }
func whole(context.Context) (int, error) { return other(), nil }

func work(ctx context.Context, text string) {
	pause.Run(ctx, "parse", "", func(context.Context) (int, error) { return parse(text), nil }, pause.Inputs(text))
	pause.Run(ctx, "unnamed", "", func(context.Context) (int, error) { return parse(text), nil })
	pause.Run(ctx, "whole", "", whole)
	total, idx := 0, &index{}
	pause.Run(ctx, "sets", "", func(context.Context) (int, error) { total++; return 1, nil })
	pause.Run(ctx, "changes", "", func(context.Context) (int, error) { idx.add(); return 1, nil })
	for i := range 3 {
		pause.Run(ctx, "loop", "", func(context.Context) (int, error) { return i, nil })
		pause.Run(ctx, "named", "", func(context.Context) (int, error) { return i + idx.get(), nil }, pause.Inputs(i))
	}
	seven := other()
	pause.Run(ctx, "derived", "", func(context.Context) (int, error) { return seven, nil })
	mode := 1
	if verbose() {
		mode = 2
	}
	pause.Run(ctx, "conditional", "", func(context.Context) (int, error) { return mode, nil })
	filled := map[string]int{}
	fill(filled)
	pause.Run(ctx, "filled", "", func(context.Context) (int, error) { return filled["a"], nil })
	fmt.Println(total)
}

func main() { work(context.Background(), "abc") }
`

// describe loads a program of some files and returns the blocks of main.go by id.
func describe(t *testing.T, files map[string]string) map[string]Code {
	t.Helper()
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	testsupport.Write(t, filepath.Join(dir, "go.sum"), testsupport.Read(t, filepath.Join(repository, "go.sum")))
	testsupport.Write(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26.0\n\nrequire github.com/pausetui/pausetui v0.0.0\n\nreplace github.com/pausetui/pausetui => "+repository+"\n")
	for name, text := range files {
		testsupport.Write(t, filepath.Join(dir, name), text)
	}
	ws, err := workspace.Find(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	code, err := ws.Load(context.Background(), workspace.LoadSpec{Dir: dir, Patterns: []string{"."}})
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range code.Packages {
		for _, err := range pkg.Errors {
			t.Fatal(err)
		}
	}
	byID := map[string]Code{}
	lines := strings.Split(files["main.go"], "\n")
	for place, c := range Describe(code, "base") {
		for i, line := range lines {
			if strings.HasSuffix(place, "main.go:"+strconv.Itoa(i+1)) {
				id := "whole"
				if _, rest, ok := strings.Cut(line, `ctx, "`); ok {
					id, _, _ = strings.Cut(rest, `"`)
				}
				byID[id] = c
			}
		}
	}
	return byID
}

func TestDescribe(t *testing.T) {
	was := describe(t, map[string]string{"main.go": program})
	for id, why := range map[string]string{"parse": "", "whole": "", "named": "", "derived": "", "conditional": "", "filled": "", "unnamed": "text, a parameter",
		"sets": "sets total", "changes": "changes idx", "loop": "i, a loop variable"} {
		if c := was[id]; why == "" && c.Hash == "" || !strings.Contains(c.Why, why) {
			t.Errorf("%s: %+v, want %q", id, c, why)
		}
	}
	for change, blocks := range map[[2]string]string{
		{"package main\n", "// A comment.\n\npackage main\n\n"}: "",
		{"limit = 3", "limit = 4"}:                              "parse",
		{"return 7", "return 8"}:                                "whole derived",
		{"return x.n ", "return -x.n "}:                         "named",
		{"seven := other()", "seven := parse(\"x\")"}:           "derived",
		{"if verbose()", "if !verbose()"}:                       "conditional",
		{"\tfill(filled)", "\trefill(filled)"}:                  "filled",
		{"m[\"a\"] = 1", "m[\"a\"] = 3"}:                        "filled",
	} {
		now := describe(t, map[string]string{"main.go": strings.Replace(program, change[0], change[1], 1)})
		for id, c := range was {
			if changed := now[id] != c; changed != strings.Contains(blocks, id) {
				t.Errorf("%q: %s changed: %v", change[1], id, changed)
			}
		}
	}
}
