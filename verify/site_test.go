package verify

import (
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/verify/verdict"
)

// The debugger names the functions with their type arguments, a trace without.
func TestAStopInAGenericFunctionComesAgain(t *testing.T) {
	f := crashing(t, "generic")
	f.subject.Stop = f.at(t, debugger.Panic{Class: debugger.IndexOutOfRange, Message: "runtime error: index out of range [2] with length 2"},
		"main.go", "main.Last[go.shape.[]int]", "return xs[len(xs)]")
	v := f.prove(t, Options{}, f.edits(t, "main.go", "xs[len(xs)]\n", "xs[len(xs)-1]\n", "main.go", "]int]{}", "]int]{entries: map[string]map[string][]int{}}"))
	expect(t, v, verdict.Rerun, verdict.Pass, "ran to the end, exit 0")
}
