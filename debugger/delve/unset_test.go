//go:build linux

package delve

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/advice"
)

// TestUnsetVariablesAreMarked stops a real program in the middle of statements
// that declare something.
func TestUnsetVariablesAreMarked(t *testing.T) {
	t.Parallel()
	target := launch(t, "unset")
	stop := resume(t, target, debugger.Continue)
	want := map[string]string{"main.inner": "quotient", "main.outer": ""}
	for _, f := range stop.Frames {
		names, ok := want[f.Function]
		if !ok {
			continue
		}
		delete(want, f.Function)
		loaded, err := target.Load(t.Context(), debugger.FrameRef{Goroutine: stop.Goroutine, Frame: f.Index})
		if err != nil {
			t.Fatal(err)
		}
		var unset []string
		for _, v := range loaded.Variables() {
			if v.Unset {
				unset = append(unset, v.Name)
			}
			if text, ok := v.TypedNil(); v.Name == "wrapped" && (!ok || text != "error(*io/fs.PathError) nil" && text != "error(*fs.PathError) nil") {
				t.Errorf("wrapped is shown as %q, %v", text, ok)
			}
		}
		if got := strings.Join(unset, " "); got != names {
			t.Errorf("%s: unset are %q, want %q", f.Function, got, names)
		}
	}
	if len(want) > 0 {
		t.Errorf("not on the stack: %v", want)
	}
}

// What a closure has captured is not there yet where a breakpoint on its first line
// stops.
func TestCapturedVariablesAreMarked(t *testing.T) {
	t.Parallel()
	target := launch(t, "iterates")
	set(t, target, debugger.Breakpoint{Location: "main.count.func1"})
	at := debugger.FrameRef{Goroutine: resume(t, target, debugger.Continue).Goroutine}
	for _, want := range []bool{true, false} {
		frame, err := target.Load(t.Context(), at)
		if err != nil {
			t.Fatal(err)
		}
		if n := find(t, frame, "n"); n.Unset != want || n.Captured != want || !want && n.Value != "3" {
			t.Errorf("line %d: n is %q, unset: %v", frame.Line, n.Value, n.Unset)
		}
		move(t, target, debugger.Move{Motion: debugger.Next})
	}
}

// An expression with what a closure has captured has no value before it is there.
func TestCapturedVariablesHaveNoValue(t *testing.T) {
	t.Parallel()
	target := launch(t, "captures")
	set(t, target, debugger.Breakpoint{Location: "main.counters.func1"})
	for range 3 {
		at := debugger.FrameRef{Goroutine: resume(t, target, debugger.Continue).Goroutine}
		for _, expr := range []string{"i", "c+i", "b.n", "*b", "-i * 2"} {
			if v, err := target.Evaluate(t.Context(), at, expr); !errors.Is(err, debugger.ErrCaptured) {
				t.Errorf("%s is %q, %v", expr, v.Value, err)
			}
			if _, text, err := target.Print(t.Context(), at, expr, "%x"); !errors.Is(err, debugger.ErrCaptured) {
				t.Errorf("%s is printed %q, %v", expr, text, err)
			}
		}
		if _, err := target.Children(t.Context(), at, debugger.Variable{Name: "b", Expr: "b", Kind: reflect.Pointer}, debugger.Page{}); !errors.Is(err, debugger.ErrCaptured) {
			t.Errorf("b is opened: %v", err)
		}
		if err := target.SetVariable(t.Context(), at, "c", "1"); !errors.Is(err, debugger.ErrCaptured) {
			t.Errorf("c is set: %v", err)
		}
		if v, err := target.Evaluate(t.Context(), at, "1+2"); err != nil || v.Value != "3" {
			t.Errorf("1+2 is %q, %v", v.Value, err)
		}
		move(t, target, debugger.Move{Motion: debugger.Next})
		if v, err := target.Evaluate(t.Context(), at, "c+i"); err != nil {
			t.Errorf("c+i is %q, %v", v.Value, err)
		}
	}
}

// A condition on what a closure has captured is evaluated where that can be read.
func TestConditionsOnCapturedVariables(t *testing.T) {
	t.Parallel()
	for _, b := range []debugger.Breakpoint{{Location: "main.counters.func1"}, {Location: "main.go:13"}} {
		target := launch(t, "captures")
		b.Cond, b.Print = "i == 2", []string{"i", "b.n"}
		made := set(t, target, b)
		if made.Why == "" || b.Location != "main.go:13" && made.Line != 14 {
			t.Errorf("%s: it is at line %d, %q", b.Location, made.Line, made.Why)
		}
		stops := 0
		for {
			stop := resume(t, target, debugger.Continue)
			if stop.Ended() {
				break
			}
			at := debugger.FrameRef{Goroutine: stop.Goroutine}
			if v, err := target.Evaluate(t.Context(), at, "i"); err != nil || v.Value != "2" {
				t.Errorf("%s: i is %q, %v", b.Location, v.Value, err)
			}
			stops++
		}
		if want := map[string]int{"main.counters.func1": 2, "main.go:13": 3}[b.Location]; stops != want {
			t.Errorf("%s: it stops %d times, want %d", b.Location, stops, want)
		}
	}
}

// Locals that a breakpoint prints are marked as those of a frame are.
func TestCapturedLocalsArePrintedAsSuch(t *testing.T) {
	t.Parallel()
	target := launch(t, "captures")
	set(t, target, debugger.Breakpoint{Location: "main.counters.func1", Locals: true})
	stop := resume(t, target, debugger.Continue)
	for _, name := range []string{"c", "i"} {
		k := slices.IndexFunc(stop.Printed, func(v debugger.Variable) bool { return v.Name == name })
		if k < 0 || !stop.Printed[k].Captured {
			t.Errorf("%s: printed %+v", name, stop.Printed)
		}
	}
}

// Where no place can be read, that is said when the condition is made.
func TestConditionsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	target := launch(t, "captures")
	if _, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{Location: "main.short.func1", Cond: "i == 2"}); !errors.Is(err, errNotRead) {
		t.Errorf("on one line: %v", err)
	}
	made := set(t, target, debugger.Breakpoint{Location: "main.counters.func1", Cond: "2 > 1"})
	if made.Line != 13 || made.Why != "" {
		t.Errorf("nothing captured: at line %d, %q", made.Line, made.Why)
	}
	made.Cond = "c > 1"
	if err := target.AmendBreakpoint(t.Context(), made); !errors.Is(err, errNotRead) || !strings.Contains(advice.Of(err), "line 14") {
		t.Errorf("changed: %v, %q", err, advice.Of(err))
	}
	made.Cond, made.Print = "", []string{"c+i"}
	if err := target.AmendBreakpoint(t.Context(), made); !errors.Is(err, errNotRead) {
		t.Errorf("to print it: %v", err)
	}
}
