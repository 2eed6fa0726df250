package prompts_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/source/evidence"
)

// roles has two packages: what a function of app does wrong, one of lib does right.
var roles = map[string]string{
	"go.mod": "module example.com/roles\n\ngo 1.24\n",
	"lib/lib.go": `package lib

import (
	"io/fs"
	"strings"
	"time"
)

type Shape interface{ Area(scale *int) int }

type Square struct{ side *int }

func (s Square) Area(scale *int) int {
	if scale == nil {
		return 0
	}
	return *scale
}

func Indent(n int) string {
	if n < 0 {
		n = 0
	}
	if n == 0 {
		return ""
	}
	return strings.Repeat(" ", n)
}

func Fill(n int) string { return strings.Repeat(" ", max(0, n-1)) }

func Plain(n int) string { return strings.Repeat(" ", n) }

func Rule(n int) string {
	if n > 0 {
		return strings.Repeat("-", n)
	}
	return ""
}

func Sizes(list []fs.DirEntry) (n int64) {
	for _, e := range list {
		info, err := e.Info()
		if err != nil {
			continue
		}
		n += info.Size()
	}
	return n
}

func Tick(n int, loud bool) *time.Ticker {
	if loud {
		return nil
	}
	return time.NewTicker(time.Duration(n))
}
`,
	"app.go": `package main

import (
	"io/fs"
	"strings"
	"time"

	"example.com/roles/lib"
)

type circle struct{}

func (circle) Area(scale *int) int {
	return 3 * *scale // area
}

type other struct{}

func (other) Area(scale int) int {
	if scale == 0 {
		return 1
	}
	return 3
}

var _ lib.Shape = circle{}

func repeat(n int) string {
	return strings.Repeat("\n", n-1) // repeat
}

func size(e fs.DirEntry) int64 {
	info, _ := e.Info()
	return info.Size() // size
}

func tick(n int) *time.Ticker {
	return time.NewTicker(time.Duration(n)) // tick
}

func main() {}
`}

func TestRelatedShowsOtherPackages(t *testing.T) {
	w := project(t, roles)
	code := load(t, w)
	const title = "Where other functions make the same call"
	for _, test := range []struct {
		mark, function, below string
		class                 debugger.Class
		blamed                string
		has, lacks            []string
	}{
		{mark: "// area", function: "main.circle.Area", class: debugger.NilDereference, blamed: "scale",
			has:   []string{title, "lib/lib.go:14, in Square.Area\n```go\nif scale == nil {\n\treturn 0\n}\n```"},
			lacks: []string{"other.Area"}}, // implements nothing that circle does
		{mark: "// repeat", function: "main.repeat", below: "strings.Repeat", class: debugger.Custom,
			has:   []string{title, "in Indent\n```go\nif n == 0 {\n\treturn \"\"\n}\nreturn strings.Repeat(\" \", n)\n", "in Fill\n", "max(0, n-1)", "[… 1 more left out]"},
			lacks: []string{"Plain"}}, // checks nothing
		{mark: "// size", function: "main.size", class: debugger.NilDereference, blamed: "info",
			has: []string{title, "in Sizes\n```go\ninfo, err := e.Info()\nif err != nil {\n\tcontinue\n}\n```"}},
		{mark: "// tick", function: "main.tick", below: "time.NewTicker", class: debugger.Custom,
			lacks: []string{title}}, // Tick checks something else
	} {
		frames := []debugger.Frame{{Function: test.function, User: true, File: w.Abs("app.go"), Line: lineIn(roles["app.go"], test.mark), Loaded: true}}
		if test.below != "" {
			frames = append([]debugger.Frame{{Function: test.below, Loaded: true}}, frames...)
			frames[1].Index = 1
		}
		c := evidence.Case{Workspace: w, Code: code, Diagnosis: evidence.Diagnosis{Expr: test.blamed}, Stop: debugger.Stop{Reason: debugger.ReasonPanic, Goroutine: 1,
			Panic: &debugger.Panic{Class: test.class, Culprit: len(frames) - 1}, Frames: frames}}
		text := gather(t, c, prompts.Options{Git: -1}).Section(prompts.SectionRelated)
		for _, want := range test.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q does not stand there:\n%s", test.function, want, text)
			}
		}
		for _, other := range test.lacks {
			if strings.Contains(text, other) {
				t.Errorf("%s: %q stands there:\n%s", test.function, other, text)
			}
		}
	}
}
