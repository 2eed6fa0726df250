//go:build linux

package delve

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
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

// A preempted goroutine is at the very instruction, not at the one before as if that were a call.
func TestPreemptedAtTheFirstInstructionOfALine(t *testing.T) {
	t.Parallel()
	target := launch(t, "frameless", "lines")
	resume(t, target, debugger.Continue)
	all, _, err := target.Goroutines(t.Context(), debugger.Page{Count: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range all {
		if g.User.Function != "main.lines" {
			continue
		}
		frames, _, err := target.Frames(t.Context(), g.ID, debugger.Page{})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(frames, func(f debugger.Frame) bool { return f.Function == "main.lines" })
		if line := lineAt(t, target, g.User.PC); at < 0 || frames[at].Line != line || g.User.Line != line {
			t.Errorf("it was preempted in line %d, is listed in line %d, and is shown in %+v", line, g.User.Line, frames)
		}
		return
	}
	t.Fatalf("no goroutine was preempted: %+v", all)
}

// Where there is no stack for a call, the caller is shown, and the arguments are those of the call.
func TestOverflowsBetweenFunctions(t *testing.T) {
	t.Parallel()
	for _, flags := range []string{"-gcflags=-N -l", "-gcflags="} {
		binary := filepath.Join(t.TempDir(), "spilled")
		if out, err := exec.Command("go", "build", "-o", binary, flags, "./testdata/spilled").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		target := launchWith(t, Config{Binary: binary, Args: []string{"between"}})
		stop := resume(t, target, debugger.Continue)
		names := ours(t, target, stop.Goroutine)
		for i := range names[1:] {
			if names[i] == names[i+1] {
				t.Fatalf("%s: %q", flags, names)
			}
		}
		at := slices.IndexFunc(stop.Frames, func(f debugger.Frame) bool { return f.Function == names[0] })
		ref := debugger.FrameRef{Goroutine: stop.Goroutine, Frame: stop.Frames[at].Index}
		frame, err := target.Load(t.Context(), ref)
		if err != nil || len(frame.Args) != 3 || len(frame.Locals) != 0 {
			t.Fatalf("%s: %+v, %v", flags, frame, err)
		}
		for i, want := range []string{strings.TrimPrefix(names[0], "main."), "0.5", "7"} {
			if frame.Args[i].Value != want {
				t.Errorf("%s: an argument of %s is %+v", flags, names[0], frame.Args[i])
			}
		}
	}
}

// An inlined call whose first instruction panics is in the stack.
func TestInlinedCallsAtTheFirstInstruction(t *testing.T) {
	t.Parallel()
	binary := filepath.Join(t.TempDir(), "spilled")
	if out, err := exec.Command("go", "build", "-o", binary, "./testdata/spilled").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	target := launchWith(t, Config{Binary: binary, Args: []string{"inlined"}})
	stop := resume(t, target, debugger.Continue)
	if got := ours(t, target, stop.Goroutine); !slices.Equal(got, []string{"main.firstOf", "main.calls", "main.main"}) {
		t.Errorf("the panic came in %q", got)
	}
}

// What a closure has captured is not there before it begins.
func TestNothingIsReadBeforeTheFunctionBegins(t *testing.T) {
	t.Parallel()
	target := launch(t, "spilled", "closure")
	stop := resume(t, target, debugger.Continue)
	at := slices.IndexFunc(stop.Frames, func(f debugger.Frame) bool { return strings.HasPrefix(f.Function, "main.") })
	ref := debugger.FrameRef{Goroutine: stop.Goroutine, Frame: stop.Frames[at].Index}
	frame, err := target.Load(t.Context(), ref)
	if err != nil || len(frame.Locals) != 2 {
		t.Fatalf("%+v, %v", frame, err)
	}
	for _, local := range frame.Locals {
		if v, err := target.Evaluate(t.Context(), ref, local.Name); local.Unreadable != ask.ErrNotBegun.Error() || !errors.Is(err, ask.ErrNotBegun) {
			t.Errorf("%+v is read as %+v, %v", local, v, err)
		}
	}
	if v, err := target.Evaluate(t.Context(), ref, "n > 0"); err != nil || v.Value != "true" {
		t.Errorf("its argument is %+v, %v", v, err)
	}
}

// lineAt is the line of an instruction.
func lineAt(t *testing.T, target *Target, pc uint64) int {
	t.Helper()
	found, err := target.Locate(t.Context(), debugger.FrameRef{Goroutine: -1}, fmt.Sprintf("*%#x", pc), false)
	if err != nil || len(found) != 1 {
		t.Fatalf("%#x is %+v, %v", pc, found, err)
	}
	return found[0].Line
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

// Whether a function has begun is asked once a stop, not with each expression.
func TestWhatWaitsForStackIsAskedOnce(t *testing.T) {
	t.Parallel()
	target := launch(t, "spilled", "overflow")
	stop := resume(t, target, debugger.Continue)
	at := slices.IndexFunc(stop.Frames, func(f debugger.Frame) bool { return f.Function == "main.depth" })
	asked := func(further int) uint64 {
		t.Helper()
		calls := reflect.ValueOf(target.srv.Client).Elem().FieldByName("rpc").Elem().FieldByName("seq")
		before := calls.Uint()
		ref := debugger.FrameRef{Goroutine: stop.Goroutine, Frame: stop.Frames[at].Index + further}
		if v, err := target.Evaluate(t.Context(), ref, "name"); err != nil || v.Value != "deep" {
			t.Errorf("name is %+v, %v", v, err)
		}
		return calls.Uint() - before
	}
	asked(1)
	for _, further := range []int{1, 2, 30} {
		if n := asked(further); n != 1 {
			t.Errorf("%d calls for an expression, %d frames further", n, further)
		}
	}
}
