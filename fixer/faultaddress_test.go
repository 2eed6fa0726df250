package fixer_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/source/workspace"
)

// The address of a trace tells which of several pointers was nil.
func TestTheAddressTellsThePointer(t *testing.T) {
	t.Parallel()
	const source = `
-- go.mod --
module example.com/fixture

go 1.25
-- main.go --
package main

type base struct{ unit string }

type item struct {
	*base
	name  string
	price *int
	next  *item
	log   logger
}

type logger interface {
	flush()
	print(string)
}

func total(it *item) int {
	return *it.price // price
}

func last(it *item) string {
	return it.next.next.name // chain
}

func say(it *item) {
	it.log.print(it.name) // call
}

func unit(it *item) string {
	return it.unit // embedded
}

func within[T any](v T) T {
	type inner struct{ before, v T }
	var in *inner
	copied := *in // generic
	return copied.v
}

func main() {
	_ = within[int]
	it := &item{}
	it.next = &item{}
	println(total(it), last(it), unit(it))
	say(it)
}
`
	dir := testsupport.Module(t, source)
	file := filepath.Join(dir, "main.go")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	space, err := workspace.Find(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	code, err := space.Load(t.Context(), workspace.LoadSpec{Dir: dir, Patterns: []string{"."}})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for _, c := range []struct {
		mark, function string
		address        uint64
		want           string
	}{
		{"// price", "main.total", 0x18, "it is nil"},
		{"// price", "main.total", 0, "it.price is nil"},
		{"// chain", "main.last", 0x20, "it or it.next is nil"},
		{"// chain", "main.last", 0x8, "it.next.next is nil"},
		{"// chain", "main.last", 0x10, "it.next.next is nil"}, // its length
		{"// call", "main.say", 0x20, "it.log is nil"},
		{"// call", "main.say", 0x28, "it is nil"},
		{"// embedded", "main.unit", 0, "it is nil"},
		{"// generic", "main.within[...]", 0, "in is nil"},
	} {
		line := 1 + slices.IndexFunc(lines, func(l string) bool { return strings.HasSuffix(l, c.mark) })
		stop := debugger.Stop{Reason: debugger.ReasonPanic, Goroutine: 1, Frames: []debugger.Frame{{Function: c.function, File: file, Line: line, User: true}},
			Panic: &debugger.Panic{Class: debugger.NilDereference, Message: "runtime error: invalid memory address or nil pointer dereference", Fault: &c.address}}
		diagnosis, _, err := fixer.Propose(t.Context(), evidence.Case{Stop: stop, FromTrace: true, Workspace: space, Code: code})
		if err != nil || !strings.HasPrefix(diagnosis.Sentence, c.want) {
			t.Errorf("%s at %#x: %q, %v; want %q", c.function, c.address, diagnosis.Sentence, err, c.want)
		}
	}
}
