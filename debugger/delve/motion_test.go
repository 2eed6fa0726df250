//go:build linux

package delve

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/goroutines"
	"github.com/pausetui/pausetui/internal/testsupport"
)

// lineOf finds the first line of a fixture's source that holds text.
func lineOf(t *testing.T, file, text string) int {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(source)) {
		if n++; strings.Contains(line, text) {
			return n
		}
	}
	t.Fatalf("no %q in %s", text, file)
	return 0
}

func TestBreakpointsAndSteps(t *testing.T) {
	t.Parallel()
	target := launch(t, "ends", "count")
	file := filepath.Join(testdata(t), "ends", "main.go")
	line := lineOf(t, file, "sum := a + b")
	set, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{File: file, Line: line, Cond: "b == 3", Text: "sum := a + b"})
	if err != nil || set.ID <= 0 || set.Line != line || set.Function != "main.add" || set.Text == "" {
		t.Fatalf("%+v, %v", set, err)
	}
	stop := resume(t, target, debugger.Continue)
	frame, _ := stop.SelectedFrame()
	if stop.Reason != debugger.ReasonBreakpoint || stop.Breakpoint == nil || stop.Breakpoint.ID != set.ID ||
		frame.Line != line || find(t, frame, "b").Value != "3" {
		t.Fatalf("%q at %s:%d, %+v", stop.Reason, frame.Function, frame.Line, stop.Breakpoint)
	}
	stop = resume(t, target, debugger.Next)
	frame, _ = stop.SelectedFrame()
	if stop.Reason != debugger.ReasonStep || frame.Line != line+1 || find(t, frame, "sum").Value == "0" {
		t.Errorf("next: %q at line %d", stop.Reason, frame.Line)
	}
	stop = resume(t, target, debugger.StepOut)
	if frame, _ = stop.SelectedFrame(); stop.Reason != debugger.ReasonStep || frame.Function != "main.count" {
		t.Errorf("step out: %q in %s", stop.Reason, frame.Function)
	}
	if err := target.ClearBreakpoint(t.Context(), set.ID); err != nil {
		t.Error(err)
	}
	if err := target.ClearBreakpoint(t.Context(), set.ID); err == nil {
		t.Error("cleared twice")
	}
	named, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{Location: "main.add"})
	if err != nil || named.Function != "main.add" || named.Location != "main.add" {
		t.Fatalf("%+v, %v", named, err)
	}
	if stop = resume(t, target, debugger.Continue); stop.Breakpoint == nil || stop.Breakpoint.ID != named.ID {
		t.Errorf("at main.add: %q %+v", stop.Reason, stop.Breakpoint)
	}
	if err := target.ClearBreakpoint(t.Context(), named.ID); err != nil {
		t.Error(err)
	}
	if stop = resume(t, target, debugger.Continue); stop.Reason != debugger.ReasonExited || stop.Exit.Code != 0 {
		t.Errorf("at last: %q %+v", stop.Reason, stop.Exit)
	}
}

func TestBadBreakpoints(t *testing.T) {
	t.Parallel()
	target := launch(t, "ends", "ok")
	for _, bad := range []debugger.Breakpoint{
		{Location: "main.nothere"}, {Location: "nofile.go:3"}, {File: "/no/such.go", Line: 1},
		{File: filepath.Join(testdata(t), "ends", "main.go"), Line: 100000}, {},
	} {
		if set, err := target.SetBreakpoint(t.Context(), bad); err == nil {
			t.Errorf("%+v: set at %+v", bad, set)
		}
	}
	if _, err := target.Resume(t.Context(), "fly"); err == nil {
		t.Error("an unknown motion")
	}
}

func TestStepIntoAPanic(t *testing.T) {
	t.Parallel()
	target := launch(t, "panics", "pointer error")
	if _, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{Location: "main.main"}); err != nil {
		t.Fatal(err)
	}
	stop := resume(t, target, debugger.Continue)
	for range 20 {
		if stop.Reason != debugger.ReasonStep && stop.Reason != debugger.ReasonBreakpoint {
			break
		}
		stop = resume(t, target, debugger.Next)
	}
	if stop.Reason != debugger.ReasonPanic || stop.Panic.Value.Type != "*main.codeError" {
		t.Errorf("%q %+v", stop.Reason, stop.Panic)
	}
}

func TestPanicValuesHaveFields(t *testing.T) {
	t.Parallel()
	target := launch(t, "panics", "pointer error")
	stop := resume(t, target, debugger.Continue)
	value := stop.Panic.Value
	code, ok := value.Deref().Child("Code")
	if !ok || code.Value != "7" || stop.Panic.Class != debugger.CustomError {
		t.Fatalf("%s: %+v", stop.Panic.Class, value)
	}
	at := debugger.FrameRef{Goroutine: stop.Goroutine, Frame: stop.Selected}
	for _, expr := range []string{code.Expr, convert.Operand(value.Expr) + ".Code"} {
		if again, err := target.Evaluate(t.Context(), at, expr); err != nil || again.Value != "7" {
			t.Errorf("%s: %q, %v", expr, again.Value, err)
		}
	}
}

func TestPanicChains(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		culprit string
		class   debugger.Class
		chain   int
	}{
		"nested":      {"main.(*index).add", debugger.NilMapWrite, 1},
		"repanicked":  {"main.item", debugger.IndexOutOfRange, 0},
		"rewrapped":   {"main.item", debugger.IndexOutOfRange, 1},
		"handler bug": {"main.(*index).add", debugger.NilMapWrite, 1},
	} {
		t.Run(name, func(t *testing.T) {
			target := launch(t, "panics", name)
			stop := resume(t, target, debugger.Continue)
			if name == "nested" { // where the first one begins, a function is deferred
				stop = resume(t, target, debugger.Continue)
			}
			frame, _ := stop.SelectedFrame()
			if frame.Function != want.culprit || stop.Panic.Class != want.class || len(stop.Panic.Chain) != want.chain {
				t.Errorf("%s in %s, chain %+v", stop.Panic.Class, frame.Function, stop.Panic.Chain)
			}
		})
	}
}

func TestTestPanics(t *testing.T) {
	t.Parallel()
	binary := testBinary(t, "suite")
	for test, message := range map[string]string{
		"TestIndex": "runtime error: index out of range [3] with length 0",
		"TestBelow": "runtime error: index out of range [1] with length 1",
	} {
		t.Run(test, func(t *testing.T) {
			target := launchWith(t, Config{Binary: binary, Args: []string{"-test.run=^" + test + "$"}})
			stop := resume(t, target, debugger.Continue)
			frame, _ := stop.SelectedFrame()
			if stop.Reason != debugger.ReasonPanic || stop.Panic.Message != message ||
				!strings.HasSuffix(frame.Function, "suite.lookUp") || find(t, frame, "list").Type != "[]string" {
				t.Errorf("%q %+v in %v", stop.Reason, stop.Panic, functions(stop.Frames))
			}
		})
	}
}

// TestValuesOfAPackage: types are named by their package's path here.
func TestValuesOfAPackage(t *testing.T) {
	t.Parallel()
	binary := testBinary(t, "suite")
	target := launchWith(t, Config{Binary: binary, Args: []string{"-test.run=^TestValue$"}, CheckGoVersion: true})
	stop := resume(t, target, debugger.Continue)
	if stop.Panic == nil || stop.Panic.Class != debugger.CustomError || stop.Panic.Message != "record first with 1" {
		t.Fatalf("%q %+v", stop.Reason, stop.Panic)
	}
	at := debugger.FrameRef{Goroutine: stop.Goroutine, Frame: stop.Selected}
	var walk func(v debugger.Variable)
	walk = func(v debugger.Variable) {
		again, err := target.Evaluate(t.Context(), at, v.Expr)
		if err != nil || again.Value != v.Value || again.Type != v.Type {
			t.Errorf("%s: %q of type %s, again %q of type %s, %v", v.Expr, v.Value, v.Type, again.Value, again.Type, err)
		}
		for _, c := range v.Children {
			walk(c)
		}
	}
	walk(stop.Panic.Value)
	frame, _ := stop.SelectedFrame()
	walk(find(t, frame, "err"))

	target = launchWith(t, Config{Binary: binary, Args: []string{"-test.run=^TestStruct$"}})
	stop = resume(t, target, debugger.Continue)
	if !strings.HasPrefix(stop.Panic.Message, "(suite.part) 0x") || stop.Panic.Class != debugger.Custom {
		t.Errorf("%s: %q", stop.Panic.Class, stop.Panic.Message)
	}
}

func TestGoroutinesPage(t *testing.T) {
	t.Parallel()
	target := launch(t, "ends", "many")
	stop := resume(t, target, debugger.Continue)
	if stop.Goroutines < 1200 {
		t.Errorf("%d goroutines", stop.Goroutines)
	}
	seen := map[debugger.GoroutineID]bool{}
	waiting, system := 0, 0
	for start, more := 0, true; more; {
		var page []debugger.Goroutine
		var err error
		page, more, err = target.Goroutines(t.Context(), debugger.Page{Start: start})
		if err != nil || len(page) == 0 || len(page) > goroutines.PageSize {
			t.Fatalf("after %d: %d, %v", start, len(page), err)
		}
		for _, g := range page {
			seen[g.ID] = true
			if g.State == "waiting" && g.WaitReason == "sleep" && g.GoAt.User {
				waiting++
			}
			if g.System {
				system++
			}
		}
		start += len(page)
	}
	if len(seen) < 1201 || waiting < 1000 || system == 0 {
		g, _, _ := target.Goroutines(t.Context(), debugger.Page{Start: 20, Count: 1})
		t.Errorf("%d goroutines, %d sleeping, %d of the runtime; %s", len(seen), waiting, system, fmt.Sprintf("%+v", g))
	}
}

func TestFramesPage(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	target := launch(t, "ends", "overflow")
	stop := resume(t, target, debugger.Continue)
	first, more, err := target.Frames(t.Context(), stop.Goroutine, debugger.Page{Count: 10})
	if err != nil || !more || len(first) != 10 {
		t.Fatalf("%d frames, more %v, %v", len(first), more, err)
	}
	later, _, err := target.Frames(t.Context(), stop.Goroutine, debugger.Page{Start: 5, Count: 10})
	if err != nil || later[0].Index != 5 || later[0].PC != first[5].PC {
		t.Errorf("page from 5: %+v, %v", later, err)
	}
	loaded, err := target.Load(t.Context(), debugger.FrameRef{Goroutine: stop.Goroutine, Frame: stop.Selected + 1})
	if err != nil || !loaded.Loaded || loaded.Index != stop.Selected+1 || find(t, loaded, "n").Kind == 0 {
		t.Errorf("load: %+v, %v", loaded, err)
	}
	for _, at := range []debugger.FrameRef{{Goroutine: stop.Goroutine, Frame: 1 << 40}, {Goroutine: 424242, Frame: 0}} {
		if _, err := target.Load(t.Context(), at); err == nil || errors.Is(err, debugger.ErrGone) {
			t.Errorf("%+v: %v", at, err)
		}
	}
}
