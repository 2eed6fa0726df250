//go:build linux

package delve

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// stopInBody runs a fixture to its panic, in the body of a loop over a function.
func stopInBody(t *testing.T, args ...string) (*Target, debugger.FrameRef, debugger.Frame) {
	target := launch(t, "iterates", args...)
	stop := resume(t, target, debugger.Continue)
	f, ok := stop.SelectedFrame()
	if !ok || stop.Panic == nil {
		t.Fatalf("stopped: %+v", stop)
	}
	at := debugger.FrameRef{Goroutine: stop.Goroutine, Frame: f.Index}
	frame, err := target.Load(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	return target, at, frame
}

// The body of a loop over a function sees the variables around it, also at a panic.
func TestVariablesAroundALoopBody(t *testing.T) {
	t.Parallel()
	target, at, frame := stopInBody(t)
	var names []string
	for _, v := range frame.Locals {
		names = append(names, v.Name)
		if strings.Contains(v.Expr, "0x") { // it would be of this call alone
			t.Errorf("%s is asked for as %s", v.Name, v.Expr)
		}
	}
	if got := strings.Join(names, " "); got != "words best total unused i j" {
		t.Errorf("variables: %s", got)
	}
	for expr, want := range map[string]string{"total": "1", "i + j": "2", "len(words) * i + total": "3", "unused": "3", "words[j]": "bb"} {
		if v, err := target.Evaluate(t.Context(), at, expr); err != nil || v.Value != want {
			t.Errorf("%s: %q, %v", expr, v.Value, err)
		}
	}
	if err := target.SetVariable(t.Context(), at, "total", "9"); err != nil {
		t.Error(err)
	}
	if v, err := target.Evaluate(t.Context(), at, "total"); err != nil || v.Value != "9" || v.Name != "total" {
		t.Errorf("total was set: %s = %q, %v", v.Name, v.Value, err)
	}
	if got := debugger.ShortFunction(frame.Function); got != "main.longest" {
		t.Errorf("the function is %s", got)
	}
}

// Of several calls of the function around it, the variables are those of the one
// whose loop it is.
func TestVariablesAroundALoopBodyOfARecursiveIterator(t *testing.T) {
	t.Parallel()
	target, at, _ := stopInBody(t, "tree")
	for expr, want := range map[string]string{"name": "a", "t.name": "a", "t.left.name": "a"} {
		if v, err := target.Evaluate(t.Context(), at, expr); err != nil || v.Value != want {
			t.Errorf("%s: %q, %v", expr, v.Value, err)
		}
	}
}

// A step that began in the body of a loop goes on past a tracepoint, wherever in the
// loop's function, in the iterator or in the body that is.
func TestStepsFromALoopBodyPassTracepoints(t *testing.T) {
	source := filepath.Join(testdata(t), "iterates", "main.go")
	line := func(text string) int { return lineOf(t, source, text) }
	for _, test := range []struct {
		motion debugger.Motion
		from   int // in the body, when i is 1
		trace  string
		want   string // the function, and a text of the line
		text   string
	}{
		{debugger.StepOut, line("if i == 1 {"), "return total", "sums", "first := sum(3)"},
		{debugger.StepOut, line("if i == 1 {"), "total *= 2", "sums", "first := sum(3)"},
		{debugger.StepOut, line("if i == 1 {"), "if !yield(i) {", "sums", "first := sum(3)"},
		{debugger.StepOut, line("if i == 1 {"), "total++", "sums", "first := sum(3)"},
		{debugger.Next, line("continue"), "if !yield(i) {", "sum-range1", "for i := range count(n) {"},
	} {
		t.Run(fmt.Sprintf("%s past %s", test.motion, test.trace), func(t *testing.T) {
			t.Parallel()
			passed := 0
			target := launchWith(t, Config{Binary: fixture(t, "iterates"), Args: []string{"sums", "first := sum(3)"}, Traced: func(debugger.TraceHit) { passed++ }})
			b := set(t, target, debugger.Breakpoint{File: source, Line: test.from, Cond: "i == 1"})
			if f, _ := at(resume(t, target, debugger.Continue)); f != "sum-range1" {
				t.Fatalf("stopped in %s", f)
			}
			remove(t, target, b)
			set(t, target, debugger.Breakpoint{File: source, Line: line(test.trace), Trace: true})
			stop := move(t, target, debugger.Move{Motion: test.motion})
			f, l := at(stop)
			if f != test.want || l != line(test.text) || stop.Reason != debugger.ReasonStep || passed == 0 {
				t.Errorf("in %s:%d (%s), %d passed", f, l, stop.Reason, passed)
			}
		})
	}
}
