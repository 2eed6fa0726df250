package delve

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/memory"
	"github.com/pausetui/pausetui/debugger/delve/places"
	"github.com/pausetui/pausetui/debugger/delve/stacks"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/printable"
)

// tests finds where tests fail and end.
type tests struct {
	srv    *control.Server
	memory *memory.Reader
	places *places.Locator
	stacks *stacks.Unwinder

	saying   map[debugger.GoroutineID]string // what a test that is about to fail has logged
	failedAt map[debugger.GoroutineID]string // where a test failed last
	helpers  map[string]bool                 // the helpers of the failing test that is being shown
	awaited  int                             // breakpoint at the report of the test that is waited for; 0 without one
	heard    func(debugger.TestReport)       // … and who waits
}

// How it is found where a test fails:
//
//   - Everything that fails a test calls testing.(*common).Fail: Error and Fatal,
//     a library's assertion through testing.TB. Fail calls itself for the parents
//     of the test, and the testing package calls it for a panic in progress; both
//     are recognized by the frame above it.
//   - The text is logged before that, and where it goes depends on -v and on the
//     version of Go. It is whole, and in registers, where Error, Errorf, Fatal and
//     Fatalf call testing.(*common).log.
//   - os.Exit, which log.Fatal calls, ends the test binary without a word.

// failName names our breakpoint on testing.(*common).Fail, exitName that on
// os.Exit, reportName that on the report of one test; saidName begins the names
// of those where the text of a failure is about to be logged.
const (
	failName   = "pausetuiFail"
	exitName   = "pausetuiExit"
	reportName = "pausetuiReport"
	saidName   = "pausetuiSaid"
)

// failure is what is known of a failing test when its Fail is called.
type failure struct {
	test  string // its full name
	call  string
	text  string // what was logged with it
	exits bool   // os.Exit was called
}

// watchTests sets the breakpoints that stop where tests fail. A binary without
// tests has no such places.
func (ts *tests) watchTests(ctx context.Context) error {
	if err := ask.SilentBreak(ctx, ts.srv, api.Breakpoint{Name: failName, FunctionName: "testing.(*common).Fail"}); err != nil {
		return err
	}
	for i, method := range []string{"Error", "Errorf", "Fatal", "Fatalf"} {
		pc, ok := places.CallOf(ctx, ts.places, "testing.(*common)."+method, "testing.(*common).log")
		if !ok {
			continue // it is never called
		}
		if err := ask.SilentBreak(ctx, ts.srv, api.Breakpoint{Name: fmt.Sprintf("%s%d", saidName, i), Addrs: []uint64{pc}, Addr: pc}); err != nil {
			return err
		}
	}
	return ask.SilentBreak(ctx, ts.srv, api.Breakpoint{Name: exitName, FunctionName: "os.Exit"})
}

// said remembers the text that a failing test is about to log.
func (ts *tests) said(ctx context.Context, g debugger.GoroutineID) {
	delete(ts.saying, g)
	if text, err := ts.secondArgument(ctx, g); err == nil {
		ts.saying[g] = text
	}
}

// secondArgument reads the string that a function is about to be called with
// after its receiver, from the registers that Go's calling convention puts it
// in (cmd/compile's ABI, Go 1.17 to 1.27).
func (ts *tests) secondArgument(ctx context.Context, g debugger.GoroutineID) (string, error) {
	registers, ok := map[string][2]string{"amd64": {"RBX", "RCX"}, "arm64": {"X1", "X2"}}[runtime.GOARCH]
	if !ok {
		return "", fmt.Errorf("the registers of %s are not known", runtime.GOARCH)
	}
	var words [2]uint64
	for i, register := range registers {
		v, err := ask.Eval(ctx, ts.srv, debugger.FrameRef{Goroutine: g}, register, convert.FrameLoad)
		if err != nil {
			return "", err
		}
		if words[i], err = strconv.ParseUint(v.Value, 0, 64); err != nil {
			return "", err
		}
	}
	length := min(words[1], maxMessage)
	if length == 0 {
		return "", nil
	}
	text, err := memory.Read(ctx, ts.memory, words[0], int(length))
	if err != nil {
		return "", err
	}
	return strings.ToValidUTF8(string(text), "�"), nil
}

// failures returns the goroutines of threads that stopped where a test fails for a
// reason of its own.
func (ts *tests) failures(ctx context.Context, state *api.DebuggerState) []waiting {
	var found []waiting
	for _, thread := range state.Threads {
		if thread.Breakpoint == nil {
			continue
		}
		g := debugger.GoroutineID(thread.GoroutineID)
		switch name := thread.Breakpoint.Name; {
		case strings.HasPrefix(name, saidName):
			ts.said(ctx, g)
		case name == failName:
			if f, ok := ts.failing(ctx, g); ok {
				found = append(found, waiting{goroutine: g, failure: &f})
			}
		case name == exitName:
			if f, ok := ts.exiting(ctx, g); ok {
				found = append(found, waiting{goroutine: g, failure: &f})
			}
		}
	}
	return found
}

// failing looks at a goroutine at the beginning of Fail; false: it is no failure
// of its own.
func (ts *tests) failing(ctx context.Context, g debugger.GoroutineID) (failure, bool) {
	text, logged := ts.saying[g]
	delete(ts.saying, g)
	frames, _, err := stacks.Read(ctx, ts.stacks, int64(g), debugger.Page{})
	if err != nil || len(frames) < 2 {
		return failure{}, false
	}
	inside := 1 // frames of the testing package
	for inside < len(frames) && isTesting(frames[inside].Function) {
		inside++
	}
	f := failure{call: "Fail"}
	switch above := frames[1].Function; {
	case above == "testing.(*common).Fail", strings.HasPrefix(above, "testing.tRunner."), strings.HasPrefix(above, "testing.fRunner."):
		return f, false // for a parent, or for a panic that has its own stop
	}
	for _, frame := range frames[1:inside] {
		if name := method(frame.Function); isFailing(name) {
			f.call = name
		}
	}
	at := debugger.FrameRef{Goroutine: g}
	f.test = ts.text(ctx, at, "c.name")
	if logged {
		f.text = strings.TrimSpace(text)
	}
	failed, err := ask.Eval(ctx, ts.srv, at, "c.failed", convert.ChildLoad)
	again := err == nil && failed.Value == "true"
	here := f.test + " " + userPlace(frames)
	before := ts.failedAt[g]
	ts.failedAt[g] = here
	if again && !logged && f.call == "FailNow" {
		// A test that has failed gives up: that says nothing new, unless an
		// assertion elsewhere does it.
		library := inside < len(frames) && !frames[inside].User && !strings.HasPrefix(frames[inside].Function, "testing/")
		return f, library && here != before
	}
	if !logged {
		f.text = lastLogged(ts.text(ctx, at, "c.output"))
	}
	return f, true
}

// userPlace names the innermost place of the user's on a stack.
func userPlace(frames []debugger.Frame) string {
	if i := stacks.IndexUser(frames); i >= 0 {
		return fmt.Sprintf("%s:%d", frames[i].Function, frames[i].Line)
	}
	return ""
}

// isTesting reports whether a function is the testing package's own.
func isTesting(function string) bool { return strings.HasPrefix(function, "testing.") }

// method is the last part of a function's name: "Errorf" of
// "testing.(*common).Errorf".
func method(function string) string {
	_, name, _ := cutLast(function, ".")
	return name
}

func isFailing(name string) bool {
	switch name {
	case "Error", "Errorf", "Fatal", "Fatalf", "FailNow", "Fail":
		return true
	}
	return false
}

// logLine begins what the testing package logs: "    sum_test.go:12: ".
var logLine = lazyregexp.New(`(?m)^ {4,8}[^\s:]+\.go:\d+: `)

// lastLogged is the last text in the output of a test, as it was logged.
func lastLogged(output string) string {
	places := logLine.FindAllStringIndex(output, -1)
	if len(places) == 0 {
		return ""
	}
	text := output[places[len(places)-1][1]:]
	return strings.TrimSpace(strings.ReplaceAll(text, "\n        ", "\n"))
}

// text reads the end of a string or of a slice of bytes; empty where it cannot be read.
func (ts *tests) text(ctx context.Context, at debugger.FrameRef, expr string) string {
	v, err := ask.Eval(ctx, ts.srv, at, expr, api.LoadConfig{MaxStringLen: maxMessage})
	if err != nil || v.Unreadable != "" {
		return ""
	}
	if v.Type == "string" {
		return v.Value
	}
	length := min(v.Len, maxMessage)
	if v.Base == 0 || length <= 0 {
		return ""
	}
	data, err := memory.Read(ctx, ts.memory, v.Base+uint64(v.Len-length), int(length))
	if err != nil {
		return ""
	}
	return strings.ToValidUTF8(string(data), "�")
}

// exiting looks at a goroutine that calls os.Exit; false: that is no test's doing.
func (ts *tests) exiting(ctx context.Context, g debugger.GoroutineID) (failure, bool) {
	frames, _, err := stacks.Read(ctx, ts.stacks, int64(g), debugger.Page{Count: deepPage})
	if err != nil {
		return failure{}, false
	}
	f := failure{call: "os.Exit", exits: true, test: ts.testOf(ctx, g, frames)}
	if f.test == "" && (g == 1 || stacks.IndexUser(frames) < 0) {
		return f, false // main, or TestMain, ends the tests
	}
	code, err := ask.Eval(ctx, ts.srv, debugger.FrameRef{Goroutine: g}, "code", convert.ChildLoad)
	if err != nil {
		code = &api.Variable{Value: "?"}
	}
	f.text = "os.Exit(" + code.Value + ") ends the test binary"
	for _, frame := range frames[1:] {
		if strings.HasPrefix(frame.Function, "log.") {
			f.text = "log." + method(frame.Function) + " ends the test binary, with exit code " + code.Value
		}
	}
	return f, true
}

// testOf is the name of the test that a goroutine runs; empty for others.
func (ts *tests) testOf(ctx context.Context, g debugger.GoroutineID, frames []debugger.Frame) string {
	for i, f := range frames {
		switch f.Function {
		case "testing.tRunner", "testing.fRunner":
			if name := ts.text(ctx, debugger.FrameRef{Goroutine: g, Frame: i}, "t.common.name"); name != "" {
				return name
			}
			if i > 0 {
				return method(frames[i-1].Function)
			}
		case "testing.(*B).runN":
			return ts.text(ctx, debugger.FrameRef{Goroutine: g, Frame: i}, "b.common.name")
		}
	}
	return ""
}

// failureStop shows where a test fails: on the user's line that go test names.
func (ss *stops) failureStop(ctx context.Context, g debugger.GoroutineID, f failure) (debugger.Stop, error) {
	p := &debugger.Panic{Class: debugger.TestFailure, Message: debugger.Assertion(f.text), Culprit: -1}
	if f.exits {
		p.Class = debugger.ExitClass
	}
	if p.Message == "" {
		p.Message = f.test + " fails without a message"
	}
	stop := debugger.Stop{Reason: debugger.ReasonTest, Panic: p, Goroutine: g, Selected: -1,
		Test: &debugger.FailingTest{Name: printable.Name(f.test), Call: f.call}}
	if !f.exits {
		ss.tests.helpers = ss.tests.helperNames(ctx, g)
	}
	err := ss.show(ctx, &stop)
	ss.tests.helpers = nil
	if helper := stacks.IndexUser(stop.Frames); helper >= 0 && helper < stop.Selected {
		stop.Test.Helper = stop.Frames[helper].Function
	}
	return stop, err
}

// asserting is the frame of a failing test to show: the innermost of the user's
// that is not marked by t.Helper(), else the outermost.
func (ts *tests) asserting(frames []debugger.Frame) int {
	last := -1
	for i, f := range frames {
		if !f.User {
			continue
		}
		if !ts.helpers[plainName(f.Function)] {
			return i
		}
		last = i
	}
	return last
}

// plainName makes names comparable that the runtime and the debugger write
// differently.
func plainName(function string) string {
	return ask.RangeBody.ReplaceAllString(debugger.WithoutTypeArguments(debugger.Unescaped(function)), "")
}

// helperNames are the functions that called the Helper method of the test at the
// goroutine's Fail.
func (ts *tests) helperNames(ctx context.Context, g debugger.GoroutineID) map[string]bool {
	at := debugger.FrameRef{Goroutine: g}
	names := map[string]bool{}
	load := api.LoadConfig{FollowPointers: true, MaxVariableRecurse: 1, MaxStringLen: 1024, MaxArrayValues: 256, MaxStructFields: -1}
	// The place of the log line was looked for: then the names are there.
	if v, err := ask.Eval(ctx, ts.srv, at, "c.helperNames", load); err == nil && v.Len > 0 {
		for i := 0; i < len(v.Children); i += 2 {
			names[plainName(v.Children[i].Value)] = true
		}
		return names
	}
	v, err := ask.Eval(ctx, ts.srv, at, "c.helperPCs", load)
	if err != nil {
		return names
	}
	for i := 0; i < len(v.Children); i += 2 {
		pc, err := strconv.ParseUint(v.Children[i].Value, 0, 64)
		if err != nil {
			continue
		}
		found, err := ask.Find(ctx, ts.srv, debugger.FrameRef{}, fmt.Sprintf("*%#x", pc))
		if err == nil && len(found) > 0 && found[0].Function != nil {
			names[plainName(found[0].Function.Name())] = true
		}
	}
	return names
}
