//go:build linux

package delve

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/process"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/internal/advice"
)

// movesSource is the source of the fixture that the tests of motions run.
func movesSource(t testing.TB) string {
	t.Helper()
	return filepath.Join(testdata(t), "moves", "main.go")
}

// set sets a breakpoint that must be settable.
func set(t testing.TB, target *Target, b debugger.Breakpoint) debugger.Breakpoint {
	t.Helper()
	got, err := target.SetBreakpoint(t.Context(), b)
	if err != nil {
		t.Fatalf("%+v: %v (%s)", b, err, advice.Of(err))
	}
	return got
}

// remove clears one that is there.
func remove(t testing.TB, target *Target, b debugger.Breakpoint) {
	t.Helper()
	if err := target.ClearBreakpoint(t.Context(), b.ID); err != nil {
		t.Fatal(err)
	}
}

func move(t testing.TB, target *Target, m debugger.Move) debugger.Stop {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	stop, err := target.Move(ctx, m)
	if err != nil {
		t.Fatal(err)
	}
	return stop
}

// at says where a stop is, as "function:line".
func at(stop debugger.Stop) (function string, line int) {
	f, _ := stop.SelectedFrame()
	return strings.TrimPrefix(f.Function, "main."), f.Line
}

func TestRunToCursor(t *testing.T) {
	t.Parallel()
	target := launch(t, "moves", "loop")
	set(t, target, debugger.Breakpoint{Location: "main.loop"})
	resume(t, target, debugger.Continue)
	line := lineOf(t, movesSource(t), "return i + total")
	stop := move(t, target, debugger.Move{Motion: debugger.ContinueTo, File: movesSource(t), Line: line})
	if _, l := at(stop); stop.Reason != debugger.ReasonStep || l != line || stop.Breakpoint != nil {
		t.Fatalf("%q at line %d, %+v", stop.Reason, l, stop.Breakpoint)
	}
	// One of the person's is on the way: its condition does not hold there, and
	// holds again afterwards.
	mine := set(t, target, debugger.Breakpoint{File: movesSource(t), Line: line, Cond: "i == 7"})
	stop = move(t, target, debugger.Move{Motion: debugger.ContinueTo, File: movesSource(t), Line: line})
	if f, _ := stop.SelectedFrame(); find(t, f, "i").Value != "1" {
		t.Errorf("i = %s", find(t, f, "i").Value)
	}
	stop = resume(t, target, debugger.Continue)
	if f, _ := stop.SelectedFrame(); stop.Breakpoint == nil || stop.Breakpoint.ID != mine.ID || find(t, f, "i").Value != "7" {
		t.Errorf("%q %+v at i = %s", stop.Reason, stop.Breakpoint, find(t, f, "i").Value)
	}
	// A temporary one does not stay, also where the run ended elsewhere.
	if err := target.Ready(t.Context(), debugger.Move{Motion: debugger.ContinueTo, Location: "main.nothere"}); err == nil {
		t.Error("ready to run to nowhere")
	}
	remove(t, target, mine)
	if stop = resume(t, target, debugger.Continue); stop.Reason != debugger.ReasonExited {
		t.Errorf("%q", stop.Reason)
	}
}

func TestStepIntoChosenCall(t *testing.T) {
	t.Parallel()
	target := launch(t, "moves", "calls")
	line := lineOf(t, movesSource(t), "sum := double(")
	set(t, target, debugger.Breakpoint{File: movesSource(t), Line: line})
	stop := resume(t, target, debugger.Continue)
	ref := debugger.FrameRef{Goroutine: stop.Goroutine, Frame: stop.Selected}
	list, err := target.Calls(t.Context(), ref)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, c := range list {
		texts = append(texts, c.Text)
	}
	if got, want := strings.Join(texts, " | "), "c.add(1) | double(c.add(1)) | a.add(2) | half(4) | twice(3)"; got != want {
		t.Fatalf("calls %s, want %s\n%+v", got, want, list)
	}
	for i, want := range []string{"(*counter).add", "double", "(*counter).add", "calls.func1", "twice[go.shape.int]"} {
		t.Run(list[i].Text, func(t *testing.T) {
			target := launch(t, "moves", "calls")
			set(t, target, debugger.Breakpoint{File: movesSource(t), Line: line})
			stop := resume(t, target, debugger.Continue)
			stop = move(t, target, debugger.Move{Motion: debugger.StepCall, Callee: list[i].PC, Goroutine: stop.Goroutine})
			if f, _ := at(stop); f != want || stop.Reason != debugger.ReasonStep {
				t.Errorf("%q in %s, want %s", stop.Reason, f, want)
			}
			if f, _ := stop.SelectedFrame(); i == 2 && find(t, f, "n").Value != "2" {
				t.Errorf("in the first call of add: n = %s", find(t, f, "n").Value)
			}
		})
	}
}

// The second call of a recursive line is reached in inner frames first.
func TestStepIntoSecondOfRecursiveCalls(t *testing.T) {
	t.Parallel()
	target := launch(t, "moves", "calls")
	line := lineOf(t, movesSource(t), "return fib(n-1) + fib(n-2)")
	set(t, target, debugger.Breakpoint{File: movesSource(t), Line: line, Cond: "n == 5"})
	stop := resume(t, target, debugger.Continue)
	list, err := target.Calls(t.Context(), debugger.FrameRef{Goroutine: stop.Goroutine, Frame: stop.Selected})
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	stop = move(t, target, debugger.Move{Motion: debugger.StepCall, Callee: list[1].PC})
	if f, _ := stop.SelectedFrame(); f.Function != "main.fib" || find(t, f, "n").Value != "3" {
		t.Errorf("in %s, n = %s, want 3 = 5-2", f.Function, find(t, f, "n").Value)
	}
}

func TestStepOutShowsResults(t *testing.T) {
	t.Parallel()
	target := launch(t, "moves", "calls")
	set(t, target, debugger.Breakpoint{Location: "main.(*counter).add"})
	resume(t, target, debugger.Continue)
	stop := move(t, target, debugger.Move{Motion: debugger.StepOut})
	if f, _ := at(stop); f != "calls" || len(stop.Returned) != 1 || stop.Returned[0].Value != "1" || stop.Returned[0].Name != "" {
		t.Errorf("in %s with %+v", f, stop.Returned)
	}
}

// A step begins in the frame that is looked at, not in those inside of it.
func TestStepInOuterFrame(t *testing.T) {
	t.Parallel()
	target := launch(t, "moves", "returns")
	set(t, target, debugger.Breakpoint{Location: "main.parse"})
	resume(t, target, debugger.Continue)
	line := lineOf(t, movesSource(t), "n, err := parse(text)")
	stop := move(t, target, debugger.Move{Motion: debugger.Next, Frame: 1})
	if f, l := at(stop); f != "returns" || l != line+1 {
		t.Errorf("next in the caller: %s line %d, want %d", f, l, line+1)
	}
}

// A call without results is the last instruction of its line: who returns from
// it is on the next line already.
func TestNextInOuterFrameAfterTheLastInstruction(t *testing.T) {
	t.Parallel()
	for _, motion := range []debugger.Motion{debugger.Next, debugger.StepIn} {
		target := launch(t, "moves", "watched")
		set(t, target, debugger.Breakpoint{Location: "main.bump"})
		resume(t, target, debugger.Continue)
		line := lineOf(t, movesSource(t), "local += 2")
		stop := move(t, target, debugger.Move{Motion: motion, Frame: 1})
		if f, l := at(stop); f != "scoped" || l != line || stop.Reason != debugger.ReasonStep {
			t.Errorf("%s in the caller: %s line %d (%s), want %d", motion, f, l, stop.Reason, line)
		}
		stop = move(t, target, debugger.Move{Motion: motion})
		if f, l := at(stop); f != "scoped" || l != line+1 {
			t.Errorf("%s after it: %s line %d, want %d", motion, f, l, line+1)
		}
	}
	target := launch(t, "moves", "watched")
	set(t, target, debugger.Breakpoint{Location: "main.bump"})
	marked := set(t, target, debugger.Breakpoint{File: movesSource(t), Line: lineOf(t, movesSource(t), "local += 2")})
	resume(t, target, debugger.Continue)
	stop := move(t, target, debugger.Move{Motion: debugger.Next, Frame: 1})
	if stop.Reason != debugger.ReasonBreakpoint || stop.Breakpoint == nil || stop.Breakpoint.ID != marked.ID {
		t.Errorf("where a breakpoint stands: %s at %+v", stop.Reason, stop.Breakpoint)
	}
}

func TestCallFunction(t *testing.T) {
	t.Parallel()
	target := launch(t, "moves", "calls")
	set(t, target, debugger.Breakpoint{Location: "main.double"})
	stop := resume(t, target, debugger.Continue)
	_, line := at(stop)
	stop = move(t, target, debugger.Move{Motion: debugger.CallFunction, Expr: "fib(6)"})
	if _, l := at(stop); stop.Reason != debugger.ReasonCall || l != line || len(stop.Returned) != 1 || stop.Returned[0].Value != "8" || stop.Called != "fib(6)" {
		t.Errorf("%q at %d, %+v", stop.Reason, l, stop.Returned)
	}
	stop = move(t, target, debugger.Move{Motion: debugger.CallFunction, Expr: "pick(2)"})
	if want := "pick(2) panics: runtime error: index out of range [2] with length 1"; stop.Fault != want || stop.Called != "pick(2)" || len(stop.Returned) > 0 {
		t.Errorf("a call that panics: %q, returned %+v", stop.Fault, stop.Returned)
	}
	stop = move(t, target, debugger.Move{Motion: debugger.CallFunction, Expr: "nothere(6)"})
	if _, l := at(stop); stop.Fault == "" || l != line {
		t.Errorf("a call of nothing: %+v", stop)
	}
	stop = move(t, target, debugger.Move{Motion: debugger.CallFunction, Expr: "main.(*nobody).do(6)"})
	if stop.Reason == debugger.ReasonBreakpoint || !strings.Contains(stop.Fault, "type") || strings.Contains(stop.Fault, "condition") {
		t.Errorf("a call of a type that there is not: %s, %q", stop.Reason, stop.Fault)
	}
}

// A step on a line that panics ends at the panic, not in the function that is
// deferred; from there it goes on in that.
func TestAStepThatPanicsStopsAtThePanic(t *testing.T) {
	t.Parallel()
	target := launch(t, "moves", "failing")
	line := lineOf(t, movesSource(t), "fmt.Println(list[len(os.Args)])")
	set(t, target, debugger.Breakpoint{File: movesSource(t), Line: line})
	resume(t, target, debugger.Continue)
	stop := move(t, target, debugger.Move{Motion: debugger.Next})
	f, _ := stop.SelectedFrame()
	if stop.Panic == nil || stop.Panic.Class != debugger.IndexOutOfRange || f.Function != "main.failing" || f.Line != line {
		t.Fatalf("%s in %s:%d, %+v", stop.Reason, f.Function, f.Line, stop.Panic)
	}
	stop = move(t, target, debugger.Move{Motion: debugger.Next})
	if f, _ := stop.SelectedFrame(); stop.Panic != nil || f.Function != "main.handle" {
		t.Errorf("the next step: %s in %s, %+v", stop.Reason, f.Function, stop.Panic)
	}
}

// A step that panics does not go on to the end of the program where no deferred function is
// the user's.
func TestAStepThatPanicsStopsBeforeTheEnd(t *testing.T) {
	t.Parallel()
	line := lineOf(t, movesSource(t), "fmt.Println(s.by)")
	for _, motion := range []debugger.Motion{debugger.Next, debugger.StepIn, debugger.StepOut} {
		target := launch(t, "moves", "closing")
		set(t, target, debugger.Breakpoint{File: movesSource(t), Line: line})
		resume(t, target, debugger.Continue)
		stop := move(t, target, debugger.Move{Motion: motion})
		if f, l := at(stop); stop.Panic == nil || stop.Panic.Thrown || f != "closing" || l != line {
			t.Errorf("%s: %s in %s:%d, %+v", motion, stop.Reason, f, l, stop.Panic)
		}
	}
}

// Steps from a panic go to what is deferred, and to where the function that has recovered
// returns; steps out go there at once.
func TestStepsFromAPanic(t *testing.T) {
	t.Parallel()
	for motion, want := range map[debugger.Motion][]string{
		debugger.Next:    {"handle", "handle", "handle", "handle", "graze.func2", "graze.func2", "graze.func2", "graze.func2", "recovering", "recovering"},
		debugger.StepOut: {"recovering"},
	} {
		target := launchWith(t, Config{Binary: fixture(t, "moves"), Args: []string{"recovering"}, Panics: debugger.PanicsAll})
		if stop := resume(t, target, debugger.Continue); stop.Panic == nil || !stop.Panic.Thrown {
			t.Fatalf("%s, %+v", stop.Reason, stop.Panic)
		}
		var got []string
		for range want {
			stop := move(t, target, debugger.Move{Motion: motion})
			f, _ := at(stop)
			got = append(got, f)
			if stop.Reason != debugger.ReasonStep {
				t.Errorf("%s: %s in %s", motion, stop.Reason, f)
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s leads to %q, want %q", motion, got, want)
		}
	}
	target := launch(t, "moves", "recovering")
	set(t, target, debugger.Breakpoint{File: movesSource(t), Line: lineOf(t, movesSource(t), `panic("full")`)})
	resume(t, target, debugger.Continue)
	stop := move(t, target, debugger.Move{Motion: debugger.Next})
	if stop.Panic == nil || stop.Selected == 0 {
		t.Fatalf("%s at %q", stop.Reason, functions(stop.Frames))
	}
	stop = move(t, target, debugger.Move{Motion: debugger.StepOut, Frame: stop.Frames[stop.Selected].Index})
	if f, _ := at(stop); f != "recovering" {
		t.Errorf("a step out of the function that panicked leads to %s", f)
	}
}

// A call assigns what only the target's own code can make.
func TestCallAssignsANewString(t *testing.T) {
	t.Parallel()
	target := launch(t, "moves", "calls")
	set(t, target, debugger.Breakpoint{Location: "main.greet"})
	stop := resume(t, target, debugger.Continue)
	here := debugger.FrameRef{Goroutine: stop.Goroutine}
	if err := target.SetVariable(t.Context(), here, "name", `"somebody else"`); !errors.Is(err, debugger.ErrNeedsCall) {
		t.Fatalf("set without a call: %v", err)
	}
	m := debugger.Move{Motion: debugger.CallFunction, Expr: `name = "somebody else"`}
	if err := target.Ready(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if stop := move(t, target, m); stop.Fault != "" || stop.Reason != debugger.ReasonCall {
		t.Errorf("%q: %s", stop.Reason, stop.Fault)
	}
	if v, err := target.Evaluate(t.Context(), here, "name"); err != nil || v.Value != "somebody else" {
		t.Errorf("name is %q, %v", v.Value, err)
	}
}

func TestJump(t *testing.T) {
	t.Parallel()
	target := launch(t, "moves", "watched")
	from := lineOf(t, movesSource(t), "c.add(i)")
	set(t, target, debugger.Breakpoint{File: movesSource(t), Line: from})
	stop := resume(t, target, debugger.Continue)
	here := debugger.FrameRef{Goroutine: stop.Goroutine}
	stop, err := target.SetNext(t.Context(), here, "main.go:"+strconv.Itoa(lineOf(t, movesSource(t), "scoped()")))
	if err != nil {
		t.Fatal(err)
	}
	if _, l := at(stop); l != lineOf(t, movesSource(t), "scoped()") {
		t.Errorf("at line %d", l)
	}
	if _, err := target.SetNext(t.Context(), here, "main.fib"); err == nil {
		t.Error("jumped into another function")
	}
}

func TestReverseNeedsARecording(t *testing.T) {
	t.Parallel()
	target := launch(t, "moves", "loop")
	for _, m := range []debugger.Motion{debugger.Rewind, debugger.ReverseNext} {
		if err := target.Ready(t.Context(), debugger.Move{Motion: m}); err == nil || advice.Of(err) == "" {
			t.Errorf("%s: %v", m, err)
		}
	}
	if stop := move(t, target, debugger.Move{Motion: debugger.ReverseNext}); stop.Fault == "" {
		t.Errorf("%+v", stop)
	}
}

func TestErrorReturns(t *testing.T) {
	t.Parallel()
	for function, want := range map[string][]string{"main.parse": {"", "x"}, "main.named": {"13"}} {
		t.Run(function, func(t *testing.T) {
			target := launch(t, "moves", "returns")
			b := set(t, target, debugger.Breakpoint{Location: function, OnError: true})
			for _, text := range want {
				stop := resume(t, target, debugger.Continue)
				f, _ := stop.SelectedFrame()
				if stop.Breakpoint == nil || stop.Breakpoint.ID != b.ID || find(t, f, "text").Value != text {
					t.Fatalf("%q in %s, text %q, want %q", stop.Reason, f.Function, find(t, f, "text").Value, text)
				}
				if n := len(stop.Returned); n != 2 || stop.Returned[1].Nil {
					t.Errorf("returned %+v", stop.Returned)
				}
			}
			if stop := resume(t, target, debugger.Continue); stop.Reason != debugger.ReasonExited {
				t.Errorf("then %q", stop.Reason)
			}
		})
	}
}

// Where several goroutines return at once, those without an error pass; those
// that fail at the same moment are one stop.
func TestErrorReturnsOfACrowd(t *testing.T) {
	t.Parallel()
	target := launch(t, "moves", "crowd")
	set(t, target, debugger.Breakpoint{Location: "main.check", OnError: true})
	failed := 0
	for {
		stop := resume(t, target, debugger.Continue)
		if stop.Reason == debugger.ReasonExited {
			break
		}
		failed += 1 + len(stop.Also)
		if n := len(stop.Returned); n != 2 || stop.Returned[1].Nil {
			t.Errorf("after %d: returned %+v", failed, stop.Returned)
		}
	}
	if failed != 8 {
		t.Errorf("%d of 8 were shown", failed)
	}
}

func TestRegexpAndHitCounts(t *testing.T) {
	t.Parallel()
	target := launch(t, "moves", "loop")
	both := set(t, target, debugger.Breakpoint{Location: `/^main\.(loop|tick)$/`})
	if both.Places != 2 || both.Location == "" || len(both.Lines) != 1 {
		t.Fatalf("%+v", both)
	}
	for file, lines := range both.Lines {
		if len(lines) != 2 || !both.IsAt(file, lines[0]) || !both.IsAt(file, lines[1]) || both.IsAt(file, 1) {
			t.Errorf("lines %d of %s", lines, file)
		}
	}
	if f, _ := at(resume(t, target, debugger.Continue)); f != "loop" {
		t.Errorf("first in %s", f)
	}
	if f, _ := at(resume(t, target, debugger.Continue)); f != "tick" {
		t.Errorf("then in %s", f)
	}
	remove(t, target, both)
	b := set(t, target, debugger.Breakpoint{Location: "main.tick", HitCond: "% 100", Cond: "i > 500"})
	stop := resume(t, target, debugger.Continue)
	if f, _ := stop.SelectedFrame(); find(t, f, "i").Value != "600" {
		t.Errorf("i = %s, want 600", find(t, f, "i").Value)
	}
	if hits, err := target.BreakpointHits(t.Context()); err != nil || hits[b.ID] != 100 {
		t.Errorf("hits %v, %v", hits, err)
	}
	b.HitCond, b.Disabled = "", true
	if err := target.AmendBreakpoint(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if stop = resume(t, target, debugger.Continue); stop.Reason != debugger.ReasonExited {
		t.Errorf("a disabled one: %q", stop.Reason)
	}
}

// Generic functions are found by an expression before the program has begun, and as stacks name
// their instances.
func TestGenericFunctionsAreFound(t *testing.T) {
	t.Parallel()
	target := launch(t, "moves", "calls")
	for _, location := range []string{`/main\.twice/`, "main.twice[int]", "main.twice[...]"} {
		if b := set(t, target, debugger.Breakpoint{Location: location}); b.Places == 0 || b.Line == 0 {
			t.Errorf("%s: %+v", location, b)
		} else {
			remove(t, target, b)
		}
	}
}

func TestTracepoints(t *testing.T) {
	t.Parallel()
	var hits []debugger.TraceHit // written by the target's only resume, read when it has ended
	target := launchWith(t, Config{Binary: fixture(t, "moves"), Args: []string{"loop"},
		Traced: func(h debugger.TraceHit) { hits = append(hits, h) }})
	set(t, target, debugger.Breakpoint{Location: "main.tick", Trace: true, Print: []string{"i", "i*2", "nope"}, Args: true, Stack: 2})
	set(t, target, debugger.Breakpoint{Location: "main.tick", Trace: true, OnReturn: true, Cond: "i == 3"})
	line := lineOf(t, movesSource(t), "tick(i)")
	set(t, target, debugger.Breakpoint{File: movesSource(t), Line: line, Cond: "i == 10"})
	stop := resume(t, target, debugger.Continue)
	if _, l := at(stop); l != line || len(hits) != 11 {
		t.Fatalf("at line %d after %d hits", l, len(hits))
	}
	h := hits[2]
	if h.Function != "main.tick" || len(h.Values) != 4 || h.Values[0].Value != "2" || h.Values[2].Value != "4" || h.Values[3].Unreadable == "" || len(h.Stack) < 2 {
		t.Errorf("%+v", h)
	}
	if r := hits[4]; !r.Returns || len(r.Values) != 1 || r.Values[0].Value != "3" {
		t.Errorf("returns %+v", r)
	}
	// A tracepoint inside of a step does not end it.
	stop = resume(t, target, debugger.Next)
	if f, _ := at(stop); f != "loop" || stop.Reason != debugger.ReasonStep || len(hits) != 12 {
		t.Errorf("next over a tracepoint: %q in %s, %d hits", stop.Reason, f, len(hits))
	}
}

// A tracepoint in the wrapper of a method value lies between a method and its caller.
func TestAStepOutOfAMethodValueEndsInItsCaller(t *testing.T) {
	t.Parallel()
	for _, motion := range []debugger.Motion{debugger.Next, debugger.StepOut} {
		target := launch(t, "moves", "method")
		set(t, target, debugger.Breakpoint{Location: "main.(*scale).times-fm", Trace: true, OnReturn: true})
		set(t, target, debugger.Breakpoint{File: movesSource(t), Line: lineOf(t, movesSource(t), "return n * s.by")})
		resume(t, target, debugger.Continue)
		stop := resume(t, target, motion)
		if f, line := at(stop); f != "apply" || line != lineOf(t, movesSource(t), "r := f(n)") || stop.Reason != debugger.ReasonStep {
			t.Errorf("%s: %q in %s, line %d", motion, stop.Reason, f, line)
		}
	}
}

// skipUnwatched skips a test where the system offers no watchpoints.
func skipUnwatched(t *testing.T, err error) {
	t.Helper()
	if errors.Is(err, errNoWatch) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if !process.ProcessorWatches() {
		t.Skip("this machine's watchpoints never fire")
	}
}

// A watchpoint that may never stop says so when it is set.
func TestAWatchpointSaysWhetherItFires(t *testing.T) {
	t.Parallel()
	target := launch(t, "moves", "watched")
	set(t, target, debugger.Breakpoint{Location: "main.watched"})
	resume(t, target, debugger.Continue)
	w, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{Watch: "total"})
	if errors.Is(err, errNoWatch) {
		t.Skip(err)
	}
	if err != nil || (w.Why == "") != process.ProcessorWatches() {
		t.Errorf("%v: %q on a machine that reports writes: %v", err, w.Why, process.ProcessorWatches())
	}
}

func TestWatchpoints(t *testing.T) {
	t.Parallel()
	target := launch(t, "moves", "watched")
	b := set(t, target, debugger.Breakpoint{Location: "main.watched"})
	resume(t, target, debugger.Continue)
	w, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{Watch: "total", WatchKind: debugger.WatchWrite})
	skipUnwatched(t, err)
	if w.Watch != "main.total" { // by which it can be watched from the next run's first frame
		t.Errorf("total is watched as %s", w.Watch)
	}
	remove(t, target, b)
	resume(t, target, debugger.Continue)
	stop := resume(t, target, debugger.Continue)
	if stop.Reason != debugger.ReasonWatch || stop.Watched == nil || stop.Watched.Was != "0" || stop.Watched.Now != "1" || stop.Breakpoint.ID != w.ID {
		t.Fatalf("%q %+v", stop.Reason, stop.Watched)
	}
	remove(t, target, w)
	scoped := set(t, target, debugger.Breakpoint{File: movesSource(t), Line: lineOf(t, movesSource(t), "bump(&local)")})
	stop = resume(t, target, debugger.Continue)
	here := debugger.FrameRef{Goroutine: stop.Goroutine}
	set(t, target, debugger.Breakpoint{Watch: "local", At: here})
	remove(t, target, scoped)
	var seen []string
	for range 5 {
		stop = resume(t, target, debugger.Continue)
		if stop.Watched == nil {
			break
		}
		if stop.Watched.Gone {
			seen = append(seen, "gone")
			continue
		}
		seen = append(seen, stop.Watched.Was+"→"+stop.Watched.Now)
	}
	if got := strings.Join(seen, " "); got != "0→1 1→3 gone" {
		t.Errorf("saw %s", got)
	}
	if _, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{Watch: "main.cases"}); err == nil && stop.Reason != debugger.ReasonExited {
		t.Error("watched a map")
	}
}

func TestWatchLimits(t *testing.T) {
	t.Parallel()
	target := launch(t, "moves", "watched")
	set(t, target, debugger.Breakpoint{Location: "main.watched"})
	resume(t, target, debugger.Continue)
	_, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{Watch: "main.total"})
	skipUnwatched(t, err)
	for _, expr := range []string{"main.one", "main.two", "main.three", "main.four"} {
		if _, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{Watch: expr}); err != nil && strings.Contains(err.Error(), "four values") {
			return
		} else if err != nil {
			t.Log(err)
		}
	}
	t.Error("five watchpoints were set")
}

func TestConditionsThatFail(t *testing.T) {
	t.Parallel()
	target := launch(t, "moves", "loop")
	for _, bad := range []debugger.Breakpoint{
		{Location: "main.tick", Cond: "i ="}, {Location: "main.tick", HitCond: "sometimes"}, {Location: "main.tick", HitCond: "% 0"},
		{Location: "main.tick", Name: "7"}, {Location: "main.tick", Print: []string{"a b"}},
	} {
		if _, err := target.SetBreakpoint(t.Context(), bad); err == nil {
			t.Errorf("%+v was set", bad)
		}
	}
	b := set(t, target, debugger.Breakpoint{Location: "main.tick", Cond: "nothere == 1"})
	stop := resume(t, target, debugger.Continue)
	if stop.Breakpoint == nil || stop.Breakpoint.ID != b.ID || !strings.Contains(stop.Fault, "there is no nothere here") {
		t.Fatalf("%q %+v %q", stop.Reason, stop.Breakpoint, stop.Fault)
	}
	b.Cond = "i == 3"
	if err := target.AmendBreakpoint(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	stop = resume(t, target, debugger.Continue)
	if f, _ := stop.SelectedFrame(); stop.Fault != "" || find(t, f, "i").Value != "3" {
		t.Errorf("%q %q", stop.Reason, stop.Fault)
	}
}

// A step that ends at a breakpoint which would not have stopped there is a step.
func TestAStepOntoABreakpointThatDoesNotCount(t *testing.T) {
	t.Parallel()
	source := movesSource(t)
	target := launch(t, "moves", "loop")
	set(t, target, debugger.Breakpoint{File: source, Line: lineOf(t, source, "for i := range 1000")})
	resume(t, target, debugger.Continue)
	at := debugger.Breakpoint{File: source, Line: lineOf(t, source, "		tick(i)")}
	for _, tt := range []struct {
		change debugger.Breakpoint
		want   debugger.Reason
	}{
		{debugger.Breakpoint{Cond: "i == 500"}, debugger.ReasonStep},
		{debugger.Breakpoint{HitCond: "> 400"}, debugger.ReasonStep},
		{debugger.Breakpoint{Trace: true}, debugger.ReasonStep},
		{debugger.Breakpoint{Cond: "i < 500"}, debugger.ReasonBreakpoint},
		{debugger.Breakpoint{HitCond: ">= 1"}, debugger.ReasonBreakpoint},
		{debugger.Breakpoint{Cond: "nothere == 1"}, debugger.ReasonBreakpoint},
	} {
		b := tt.change
		b.File, b.Line = at.File, at.Line
		b = set(t, target, b)
		stop := resume(t, target, debugger.Next)
		if f, _ := stop.SelectedFrame(); stop.Reason != tt.want || f.Line != at.Line || (stop.Breakpoint != nil) != (tt.want == debugger.ReasonBreakpoint) {
			t.Errorf("%+v: %s at line %d, %+v", tt.change, stop.Reason, f.Line, stop.Breakpoint)
		}
		remove(t, target, b)
		resume(t, target, debugger.Next)
	}
}

func TestNoCodeOnLine(t *testing.T) {
	t.Parallel()
	target := launch(t, "moves", "loop")
	line := lineOf(t, movesSource(t), "// parse returns its error")
	_, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{File: movesSource(t), Line: line})
	var none *debugger.NoCode
	if !errors.As(err, &none) || none.Nearest != line+1 {
		t.Fatalf("%v: %+v", err, none)
	}
	_, err = target.SetBreakpoint(t.Context(), debugger.Breakpoint{Location: "moves/main.go:" + strconv.Itoa(line)})
	if !errors.As(err, &none) {
		t.Errorf("by location: %v", err)
	}
	first := set(t, target, debugger.Breakpoint{Location: "main.tick"})
	if _, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{File: first.File, Line: first.Line}); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("twice: %v", err)
	}
}

// A line of two functions has two places. Where one has a breakpoint already, a second
// one is at the other: nothing is set that could not be cleared.
func TestABreakpointWhereThereIsOneInPart(t *testing.T) {
	t.Parallel()
	target := launch(t, "moves", "calls")
	line := lineOf(t, movesSource(t), "half := func")
	addrs := func() (all []uint64) {
		out, err := rpc.Call[rpc2.ListBreakpointsOut](t.Context(), target.srv.Client, "ListBreakpoints", rpc2.ListBreakpointsIn{All: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range out.Breakpoints {
			if b.Line == line {
				all = append(all, b.Addrs...)
			}
		}
		return all
	}
	for range 8 { // Delve's order is another each time
		first := set(t, target, debugger.Breakpoint{Location: "main.calls.func1"})
		second := set(t, target, debugger.Breakpoint{File: movesSource(t), Line: line})
		if first.Line != line || second.Function != "main.calls" || second.Places != 1 || len(addrs()) != 2 {
			t.Errorf("set are %+v and %+v, at %x", first, second, addrs())
		}
		if _, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{File: movesSource(t), Line: line}); !errors.Is(err, debugger.ErrOccupied) {
			t.Errorf("twice: %v", err)
		}
		remove(t, target, first)
		remove(t, target, second)
		if left := addrs(); len(left) > 0 {
			t.Fatalf("left behind: %x", left)
		}
	}
	// Another client takes one place while a breakpoint of both is switched off.
	both := set(t, target, debugger.Breakpoint{File: movesSource(t), Line: line, Disabled: true})
	for range 8 {
		other, err := rpc.Call[rpc2.CreateBreakpointOut](t.Context(), target.srv.Client, "CreateBreakpoint", rpc2.CreateBreakpointIn{
			Breakpoint: api.Breakpoint{FunctionName: "main.calls.func1"}})
		if err != nil {
			t.Fatal(err)
		}
		on := both
		on.Disabled = false
		if err := target.AmendBreakpoint(t.Context(), on); err != nil && len(addrs()) != 1 {
			t.Errorf("%v, and set are %x", err, addrs())
		}
		if err := target.AmendBreakpoint(t.Context(), both); err != nil {
			t.Fatal(err)
		}
		remove(t, target, debugger.Breakpoint{ID: other.Breakpoint.ID})
	}
}

// What the debugger has set for itself is in no list: it is not said to be.
func TestABreakpointWhereTheDebuggerHasOne(t *testing.T) {
	t.Parallel()
	target := launch(t, "moves", "calls")
	_, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{Location: "runtime.fatalpanic"})
	if err == nil || errors.Is(err, debugger.ErrOccupied) || !strings.Contains(err.Error(), "of its own") {
		t.Errorf("%v", err)
	}
}

// A breakpoint on another goroutine interrupts a step, which can be gone on
// with; stepping stays with its goroutine.
func TestStepsStayWithTheirGoroutine(t *testing.T) {
	t.Parallel()
	target := launch(t, "moves", "workers")
	waits := lineOf(t, movesSource(t), "wg.Wait()")
	b := set(t, target, debugger.Breakpoint{File: movesSource(t), Line: waits})
	stop := resume(t, target, debugger.Continue)
	mine := stop.Goroutine
	remove(t, target, b)
	inner := set(t, target, debugger.Breakpoint{Location: "main.handle", HitCond: "== 1"})
	stop = move(t, target, debugger.Move{Motion: debugger.Next, Goroutine: mine})
	if stop.Breakpoint == nil || stop.Breakpoint.ID != inner.ID || stop.Goroutine == mine || stop.Step != mine {
		t.Fatalf("%q on goroutine %d, step of %d", stop.Reason, stop.Goroutine, stop.Step)
	}
	stop = move(t, target, debugger.Move{Motion: debugger.Continue, KeepStep: true})
	if _, l := at(stop); stop.Goroutine != mine || stop.Reason != debugger.ReasonStep || l != waits+1 {
		t.Errorf("%q on goroutine %d at %d", stop.Reason, stop.Goroutine, l)
	}
}

func TestGoroutineFilter(t *testing.T) {
	t.Parallel()
	target := launch(t, "moves", "workers")
	b := set(t, target, debugger.Breakpoint{Location: "main.handle"})
	stop := resume(t, target, debugger.Continue)
	mine := stop.Goroutine
	b.OnGoroutine = mine
	if err := target.AmendBreakpoint(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if stop = resume(t, target, debugger.Continue); stop.Goroutine != mine {
			t.Errorf("on goroutine %d, want %d", stop.Goroutine, mine)
		}
	}
	if stop = resume(t, target, debugger.Continue); stop.Reason != debugger.ReasonExited {
		t.Errorf("%q", stop.Reason)
	}
}

// A step into a library, and a breakpoint in one, show the library's line.
func TestALibrarysLineIsShown(t *testing.T) {
	t.Parallel()
	target := launch(t, "moves", "calls")
	set(t, target, debugger.Breakpoint{Location: "fmt.Println"})
	stop := resume(t, target, debugger.Continue)
	if f, _ := stop.SelectedFrame(); f.Function != "fmt.Println" || !f.Loaded {
		t.Errorf("the breakpoint shows %s, read: %t", f.Function, f.Loaded)
	}
	stop = move(t, target, debugger.Move{Motion: debugger.StepIn, Goroutine: stop.Goroutine})
	if f, _ := stop.SelectedFrame(); stop.Reason != debugger.ReasonStep || f.Index != 0 || f.User {
		t.Errorf("the step shows frame %d, %s", f.Index, f.Function)
	}
}
