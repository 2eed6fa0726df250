package fixer_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/source/workspace"
)

const written = `package main

type cache struct {
	made    map[string]int // set to nil by drop
	lost    *int           // set to what may be nil
	nothing *int           // set nowhere
}

var pool *cache // set by setup

func newCache() *cache { return &cache{made: map[string]int{}, lost: find()} }

func (c *cache) drop() { c.made = nil }

func find() *int { return nil }

func setup() { pool = newCache() }

func (c *cache) fill() {
	c.made["a"] = 1 // MADE
	println(*c.lost) // LOST
	println(*c.nothing) // NOTHING
	pool.fill() // POOL
	println(*pool.lost) // THROUGH
	println(*idle.lost) // IDLE
}

type redirect struct {
	at   int
	word *cache
}

func list(all []*redirect) {
	for _, r := range all {
		if r.at > 0 {
			println("far")
		}
		println(r.word.made["a"]) // USED
	}
	for _, r := range all {
		if len(all) > 3 && r.at > 0 {
			println("far")
		}
		println(r.word.made["a"]) // MAYBE
	}
}

func main() { newCache().fill() }

var idle *cache
`

// diagnose explains a stop on a line of written.
func diagnose(t *testing.T, class debugger.Class, mark string) evidence.Diagnosis {
	t.Helper()
	d, _, err := fixer.Propose(t.Context(), stopIn(t, class, mark))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func stopIn(t *testing.T, class debugger.Class, mark string) evidence.Case {
	t.Helper()
	p := program{dir: t.TempDir(), pkg: "."}
	write(t, p.dir+"/go.mod", "module example.com/fixture\n\ngo 1.25\n")
	write(t, p.dir+"/main.go", written)
	w, err := workspace.Find(t.Context(), p.dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	code, err := w.Load(t.Context(), workspace.LoadSpec{Dir: p.dir, Patterns: []string{"."}})
	if err != nil {
		t.Fatal(err)
	}
	receiver := debugger.Variable{Name: "c", Type: "*main.cache", Kind: reflect.Pointer, Children: []debugger.Variable{{Type: "main.cache", Kind: reflect.Struct, Children: []debugger.Variable{
		{Name: "made", Kind: reflect.Map, Nil: true}, {Name: "lost", Kind: reflect.Pointer, Nil: true}, {Name: "nothing", Kind: reflect.Pointer, Nil: true}}}}}
	line := 1 + strings.Count(written[:strings.Index(written, mark)], "\n")
	return evidence.Case{Workspace: w, Code: code, Stop: debugger.Stop{
		Reason: debugger.ReasonPanic, Goroutine: 1, Panic: &debugger.Panic{Class: class, Message: "nil"},
		Frames: []debugger.Frame{{Function: "main.(*cache).fill", User: true, File: p.dir + "/main.go", Line: line, Loaded: true, Args: []debugger.Variable{receiver}}}}}
}

// The diagnosis names what does write the bad value, and makes up nothing.
func TestTheDiagnosisNamesWritersThatExist(t *testing.T) {
	for mark, c := range map[string]struct {
		class        debugger.Class
		says, origin string
	}{
		"// MADE":    {debugger.NilMapWrite, "c.made is nil; in the source, cache.drop (main.go:13) sets it to nil", "main.go:13"},
		"// LOST":    {debugger.NilDereference, "c.lost is nil; it is set in newCache (main.go:11)", ""},
		"// NOTHING": {debugger.NilDereference, "c.nothing is nil because newCache (main.go:11) never sets nothing", "main.go:11"},
		"// IDLE":    {debugger.NilDereference, "idle is nil because idle is declared without a value (main.go:50)", "main.go:50"},
	} {
		if d := diagnose(t, c.class, mark); d.Sentence != c.says || d.Origin != c.origin {
			t.Errorf("%s: %q (%s), want %q (%s)", mark, d.Sentence, d.Origin, c.says, c.origin)
		}
	}
	for mark, bad := range map[string]string{"// USED": "r.word", "// MAYBE": "r"} {
		stop := stopIn(t, debugger.NilDereference, mark)
		stop.Stop.Frames[0].Function, stop.Stop.Frames[0].Args = "main.list", nil
		if d, _, err := fixer.Propose(t.Context(), stop); err != nil || d.Expr != bad {
			t.Errorf("%s, without values: %q is nil, want %q: %v", mark, d.Expr, bad, err)
		}
	}
	if d := diagnose(t, debugger.NilDereference, "// THROUGH"); strings.Contains(d.Sentence, "never given") || d.Origin == "main.go:24" {
		t.Errorf("of a variable that setup sets: %q (%s)", d.Sentence, d.Origin)
	}
}
