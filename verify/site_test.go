package verify

import (
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/verdict"
)

// The debugger names the functions with their type arguments, a trace without.
func TestAStopInAGenericFunctionComesAgain(t *testing.T) {
	f := crashing(t, "generic")
	f.subject.Stop = f.at(t, debugger.Panic{Class: debugger.IndexOutOfRange, Message: "runtime error: index out of range [2] with length 2"},
		"main.go", "main.Last[go.shape.[]int]", "return xs[len(xs)]")
	v := f.prove(t, execute.Options{}, f.edits(t, "main.go", "xs[len(xs)]\n", "xs[len(xs)-1]\n", "main.go", "]int]{}", "]int]{entries: map[string]map[string][]int{}}"))
	expect(t, v, verdict.Rerun, verdict.Pass, "ran to the end, exit 0")
}

// Which line of a recursion is innermost depends on where the stack was full.
func TestARecursionIsKnownByItsFunctions(t *testing.T) {
	f := crashing(t, "recursion")
	for _, culprit := range []string{"main.show", "main.more"} {
		stop := f.subject.Stop
		for stop.Frames[0].Function != culprit {
			stop.Frames = stop.Frames[1:]
		}
		p := *stop.Panic
		p.Culprit, stop.Panic = stop.Frames[0].Index, &p
		stop.Frames = stop.Frames[:20]
		stop.Frames[0].Line++ // of another statement of the function
		g := f
		g.subject.Stop = stop
		all := g.verifier(t, execute.Options{})
		v := check(t, all, f.edit(t, "main.go", "\tif n == nil {", "\tif n == nil || seen > 3 {"))
		expect(t, v, verdict.Rerun, verdict.Pass, "ran to the end, exit 0")
		v = check(t, all, f.edit(t, "main.go", "n.next, seen)\n", "n.next, seen+1)\n"))
		expect(t, v, verdict.Rerun, verdict.Fail, "it still happens: fatal error: stack overflow")
	}
}

// A program that prints more than the sandbox lets one print still comes to its
// crash, which is at the end of what it prints.
func TestACrashAfterMuchOutputIsFound(t *testing.T) {
	testsupport.Slow(t)
	f := lay(t, "recursion", t.TempDir())
	f.compile(t, "./loud", false)
	f.subject.Ran = 8 * time.Second // printing takes its time
	f.subject.Stop = f.at(t, debugger.Panic{Class: debugger.NilMapWrite, Message: "assignment to entry in nil map"}, "loud/main.go", "main.main", "counts[\"a\"]++")
	v := f.prove(t, execute.Options{}, f.edit(t, "loud/main.go", "\tvar counts map[string]int", "\tcounts := map[string]int{}"))
	expect(t, v, verdict.Rerun, verdict.Pass, "ran to the end, exit 0")
}
