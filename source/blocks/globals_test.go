package blocks

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// globals is a program whose blocks read package-level variables.
var globals = map[string]string{
	"data/a.csv": "1,a\n",
	"limit/limit.go": `package limit

var Max = 1
`,
	"add.s": "",
	"main.go": `package main

import (
	"context"
	"embed"
	"example.com/m/limit"
	"fmt"
	"log"
	"os"
	"strings"
	"sync/atomic"

	"github.com/pausetui/pausetui/pause"
)

//go:embed data/*.csv

// exports are the files.
var exports embed.FS

var (
	prices  map[string]int
	makers  = map[string]func() int{}
	width   int
	level   int
	words   []string
	names   []string
	cache   = map[string]int{}
	holders []holder
	logger  *log.Logger
	calls   atomic.Int64
	rates   = load()
)

type holder struct{ list []string }

func init() { prices = map[string]int{"a": 10} }

func init() { register("x", three) }

func register(name string, f func() int) { makers[name] = f }
func three() int                         { return 3 }
func load() []int                        { return []int{1} }
func define(at *int, n int)              { *at = n }
func verbose() bool                      { return len(os.Args) > 4 }
func shared() []string                   { return words }
func fill(list []string)                 { list[0] = "filled" }
func remember(key string) int            { cache[key] = 1; return cache[key] }
func keep()                              { holders = append(holders, holder{names}) }
func count() int64                       { return calls.Add(1) }
func add(a, b int) int

func setup(n int) {
	if n > 5 {
		return
	}
	define(&width, 40)
	fill(shared())
	limit.Max = n * 2
}

func main() {
	ctx := context.Background()
	size := 7
	setup(size)
	if verbose() {
		level = 2
	}
	logger = log.New(os.Stderr, "m: ", 0)
	run(ctx)
}

func run(ctx context.Context) {
	pause.Run(ctx, "embedded", "", func(context.Context) (int, error) { b, err := exports.ReadFile("data/a.csv"); return len(b), err })
	pause.Run(ctx, "prices", "", func(context.Context) (int, error) { return prices["a"], nil })
	pause.Run(ctx, "makers", "", func(context.Context) (int, error) { return makers["x"](), nil })
	pause.Run(ctx, "width", "", func(context.Context) (int, error) { return width, nil })
	pause.Run(ctx, "level", "", func(context.Context) (int, error) { return level, nil })
	pause.Run(ctx, "words", "", func(context.Context) (string, error) { return strings.Join(words, " "), nil })
	pause.Run(ctx, "limit", "", func(context.Context) (int, error) { return limit.Max, nil })
	pause.Run(ctx, "rates", "", func(context.Context) (int, error) { return rates[0], nil })
	pause.Run(ctx, "logged", "", func(context.Context) (int, error) { logger.Print("block"); return 1, nil })
	pause.Run(ctx, "remembers", "", func(context.Context) (int, error) { return remember("x"), nil })
	pause.Run(ctx, "named", "", func(context.Context) (int, error) { return prices["b"], nil }, pause.Inputs(prices))
	pause.Run(ctx, "kept", "", func(context.Context) (int, error) { return len(names), nil })
	pause.Run(ctx, "assembly", "", func(context.Context) (int, error) { return add(1, 2), nil })
	fmt.Println(count())
	keep()
}
`}

func TestDescribeGlobals(t *testing.T) {
	was := describe(t, globals)
	for id, why := range map[string]string{
		"remembers": "it sets cache, a package-level variable",
		"kept":      "it depends on names, a package-level variable that is passed on",
		"assembly":  "it calls add, which is not written in Go",
	} {
		if c := was[id]; c.Hash != "" || !strings.Contains(c.Why, why) {
			t.Errorf("%s: %+v, want %q", id, c, why)
		}
	}
	type change struct{ file, old, new string }
	for _, row := range []struct {
		blocks  string
		changes []change
	}{
		{"embedded", []change{{"data/a.csv", "1,a", "2,a"}}},
		{"embedded prices width words limit", []change{{"data/b.csv", "", "3,b\n"}, {"main.go", `"a": 10`, `"a": 11`}, {"main.go", "n > 5", "n > 6"}}},
		{"embedded makers level", []change{{"main.go", "embed data/*.csv", "embed data"}, {"main.go", "return 3 ", "return 4 "}, {"main.go", "> 4 ", "> 5 "}}},
		{"makers rates width words limit", []change{{"main.go", `"x", three)`, `"y", three)`}, {"main.go", "[]int{1}", "[]int{2}"}, {"main.go", "size := 7", "size := 8"}}},
		{"width words", []change{{"main.go", "*at = n", "*at = n + 1"}, {"main.go", `"filled"`, `"full"`}, {"main.go", "n * 2", "n * 2 // the same"}}},
	} {
		t.Run(row.blocks, func(t *testing.T) {
			t.Parallel()
			files := maps.Clone(globals)
			for _, c := range row.changes {
				if !strings.Contains(files[c.file], c.old) {
					t.Fatalf("%s lacks %q", c.file, c.old)
				}
				files[c.file] = strings.Replace(files[c.file], c.old, c.new, 1)
			}
			now := describe(t, files)
			for id, c := range was {
				if changed, want := now[id] != c, slices.Contains(strings.Fields(row.blocks), id); changed != want {
					t.Errorf("%s changed: %v, want %v", id, changed, want)
				}
			}
		})
	}
}
