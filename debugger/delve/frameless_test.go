//go:build linux

package delve

import (
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// A function without a frame of its own hides neither its caller nor its arguments.
func TestFunctionsWithoutAFrame(t *testing.T) {
	t.Parallel()
	target := launch(t, "frameless")
	stop := resume(t, target, debugger.Continue)
	if got := ours(t, target, stop.Goroutine); !slices.Equal(got, []string{"main.touch", "main.get", "main.main"}) {
		t.Errorf("the panic came in %q", got)
	}
	at := slices.IndexFunc(stop.Frames, func(f debugger.Frame) bool { return f.Function == "main.touch" })
	if at < 0 {
		t.Fatalf("%+v", stop.Frames)
	}
	e, err := target.Evaluate(t.Context(), debugger.FrameRef{Goroutine: stop.Goroutine, Frame: stop.Frames[at].Index}, "e.meta == nil")
	if err != nil || e.Value != "true" {
		t.Errorf("its argument is read as %+v, %v", e, err)
	}
}

// Arguments are read where the first instruction after they were written to the stack has panicked,
// and where there is no stack left for a call.
func TestArgumentsAtTheFirstInstruction(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		args     []string
		function string
		exprs    []string
	}{
		{nil, "main.(*list).push", []string{"r == nil", "e != nil"}},
		{[]string{"overflow"}, "main.depth", []string{`name == "deep"`}},
	} {
		target := launch(t, "spilled", tc.args...)
		stop := resume(t, target, debugger.Continue)
		at := slices.IndexFunc(stop.Frames, func(f debugger.Frame) bool { return f.Function == tc.function })
		if at < 0 {
			t.Fatalf("%+v", stop.Frames)
		}
		for _, expr := range tc.exprs {
			if v, err := target.Evaluate(t.Context(), debugger.FrameRef{Goroutine: stop.Goroutine, Frame: stop.Frames[at].Index}, expr); err != nil || v.Value != "true" {
				t.Errorf("%s is %+v, %v", expr, v, err)
			}
		}
	}
}

func TestPreemptedFunctionsWithoutAFrame(t *testing.T) {
	t.Parallel()
	target := launch(t, "frameless", "preempted")
	resume(t, target, debugger.Continue)
	all, _, err := target.Goroutines(t.Context(), debugger.Page{Count: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range all {
		if strings.HasPrefix(g.Start.Function, "main.work") {
			if got := ours(t, target, g.ID); !slices.Equal(got, []string{"main.spin", "main.work", "main.main.gowrap1"}) {
				t.Errorf("it was preempted in %q", got)
			}
			return
		}
	}
	t.Fatalf("no goroutine is at work: %+v", all)
}

// ours are the functions of package main that a goroutine is in, the innermost first.
func ours(t *testing.T, target *Target, id debugger.GoroutineID) (names []string) {
	t.Helper()
	frames, _, err := target.Stack(t.Context(), id, debugger.StackQuery{Depth: 50})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range frames {
		if strings.HasPrefix(f.Function, "main.") {
			names = append(names, f.Function)
		}
	}
	return names
}
