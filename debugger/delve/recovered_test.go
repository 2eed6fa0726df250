//go:build linux

package delve

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/testsupport"
)

// serving starts the servers' fixture in a mode.
func serving(t *testing.T, mode debugger.PanicMode, args ...string) *Target {
	t.Helper()
	return launchWith(t, Config{Binary: fixture(t, "serves"), Args: args, Panics: mode})
}

// expectVisit checks that a stop shows the panic of the fixture's visit.
func expectVisit(t *testing.T, stop debugger.Stop) {
	t.Helper()
	if stop.Reason != debugger.ReasonPanic || stop.Panic == nil {
		t.Fatalf("stopped for %q", stop.Reason)
	}
	p := stop.Panic
	if p.Class != debugger.NilDereference || p.Message != "runtime error: invalid memory address or nil pointer dereference" ||
		!strings.HasPrefix(p.Value.Type, "runtime.") {
		t.Errorf("panic %+v", p)
	}
	frame, ok := stop.SelectedFrame()
	if !ok || frame.Function != "main.visit" || !frame.Loaded || len(frame.Locals) == 0 || !frame.Locals[0].Nil {
		t.Errorf("selected %d of %d: %+v", stop.Selected, len(stop.Frames), frame)
	}
}

func TestAServersRecoveredPanicStops(t *testing.T) {
	for _, name := range []string{"handler", "timeout", "http2"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			target := serving(t, debugger.PanicsAuto, name)
			stop := resume(t, target, debugger.Continue)
			expectVisit(t, stop)
			if !stop.Panic.Recovered || !stop.LivesOn() || len(stop.Panic.Chain) > 0 {
				t.Errorf("panic %+v", stop.Panic)
			}
			r := stop.Request
			if r == nil || r.Method != http.MethodPost || r.Scheme != "http" || !strings.HasPrefix(r.Host, "127.0.0.1:") || r.Target != "/?name=bob" ||
				first(r.Header["X-Tenant"]) != "north" {
				t.Errorf("request %+v", r)
			}
			if want := map[bool]string{true: "HTTP/2.0", false: "HTTP/1.1"}[name == "http2"]; r != nil && r.Proto != want {
				t.Errorf("%s, not %s", r.Proto, want)
			}
			if name == "handler" && (!r.Whole || string(r.Body) != `{"amount": 3, "to": "it's me"}`) {
				t.Errorf("request %+v with body %q", r, r.Body)
			}
			if stop = resume(t, target, debugger.Continue); stop.Reason != debugger.ReasonExited || stop.Exit.Code != 0 {
				t.Errorf("then it stopped for %q %+v", stop.Reason, stop.Panic)
			}
		})
	}
}

// Where no frame of the user's knows the request, the server's own do.
func TestTheRequestIsFoundInTheServersFrames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"handler", "http2"} {
		target, err := Launch(t.Context(), Config{Binary: fixture(t, "serves"), Args: []string{name}, UserDirs: []string{t.TempDir()}, Panics: debugger.PanicsAuto})
		if errors.Is(err, debugger.ErrPtrace) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		stop := resume(t, target, debugger.Continue)
		if r := stop.Request; r == nil || r.Method != http.MethodPost || r.Target != "/?name=bob" || first(r.Header["X-Tenant"]) != "north" {
			t.Errorf("%s: request %+v", name, r)
		}
		if err := target.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestABodyIsTakenFromTheServersBuffer(t *testing.T) {
	head := []byte("POST /a HTTP/")
	for _, c := range []struct {
		text  string
		whole bool
		body  string
	}{
		{"POST /a HTTP/1.1\r\nHost: x\r\n\r\nhello, rest", true, "hello"},
		{"POST /a HTTP/1.1\r\n\r\nfirstPOST /a HTTP/1.1\r\n\r\nagain", true, "again"},
		{"POST /a HTTP/1.1\r\n\r\nhel", false, ""},
		{"GET /b HTTP/1.1\r\n\r\nhello", false, ""},
		{"", false, ""},
	} {
		if body, whole := bodyIn([]byte(c.text), head, 5); whole != c.whole || string(body) != c.body {
			t.Errorf("%q: %q, %v", c.text, body, whole)
		}
	}
}

func TestWhatIsNoStopUnderAuto(t *testing.T) {
	for _, c := range []struct {
		mode debugger.PanicMode
		name string
	}{
		{debugger.PanicsAuto, "abort"}, {debugger.PanicsAuto, "middleware"},
		{debugger.PanicsUnrecovered, "handler"}, {debugger.PanicsFatal, "handler"}, {debugger.PanicsOff, "http2"},
	} {
		t.Run(string(c.mode)+" "+c.name, func(t *testing.T) {
			t.Parallel()
			stop := resume(t, serving(t, c.mode, c.name), debugger.Continue)
			if stop.Reason != debugger.ReasonExited || stop.Exit.Code != 0 {
				t.Errorf("stopped for %q %+v", stop.Reason, stop.Panic)
			}
		})
	}
}

// A panic that is not recovered, in all modes.
func TestModesOfAnUnrecoveredPanic(t *testing.T) {
	for mode, stops := range map[debugger.PanicMode]bool{
		debugger.PanicsAuto: true, debugger.PanicsUnrecovered: true, debugger.PanicsAll: true,
		debugger.PanicsFatal: false, debugger.PanicsOff: false,
	} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			target := serving(t, mode, "goroutine")
			stop := resume(t, target, debugger.Continue)
			if stops {
				expectVisit(t, stop)
				if stop.Panic.Recovered || stop.Panic.Thrown != (mode == debugger.PanicsAll) {
					t.Errorf("panic %+v", stop.Panic)
				}
				stop = resume(t, target, debugger.Continue)
			}
			if stop.Reason != debugger.ReasonExited || stop.Exit.Code != 2 {
				t.Errorf("then it stopped for %q %+v", stop.Reason, stop.Panic)
			}
		})
	}
}

func TestModesOfAFatalError(t *testing.T) {
	t.Parallel()
	for mode, stops := range map[debugger.PanicMode]bool{
		debugger.PanicsAuto: true, debugger.PanicsFatal: true, debugger.PanicsOff: false,
	} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			target := launchWith(t, Config{Binary: fixture(t, "ends"), Args: []string{"deadlock"}, Panics: mode})
			stop := resume(t, target, debugger.Continue)
			if (stop.Reason == debugger.ReasonFatal) != stops {
				t.Errorf("stopped for %q", stop.Reason)
			}
		})
	}
}

func TestEveryPanicStopsWhereItBegins(t *testing.T) {
	target := serving(t, debugger.PanicsAll, "middleware")
	stop := resume(t, target, debugger.Continue)
	expectVisit(t, stop)
	if !stop.Panic.Thrown || stop.Panic.Recovered || !stop.LivesOn() {
		t.Errorf("panic %+v", stop.Panic)
	}
	if stop = resume(t, target, debugger.Continue); stop.Reason != debugger.ReasonExited || stop.Exit.Code != 0 {
		t.Errorf("then it stopped for %q %+v", stop.Reason, stop.Panic)
	}
}

func TestPanicsAtTheSameTimeStopOneAfterTheOther(t *testing.T) {
	target := serving(t, debugger.PanicsAuto, "two")
	first := resume(t, target, debugger.Continue)
	expectVisit(t, first)
	second := resume(t, target, debugger.Continue)
	expectVisit(t, second)
	if first.Goroutine == second.Goroutine {
		t.Errorf("goroutine %d twice", first.Goroutine)
	}
	if last := resume(t, target, debugger.Continue); last.Reason != debugger.ReasonExited {
		t.Errorf("then it stopped for %q", last.Reason)
	}
}

func TestAPanicInADeferredFunctionHasItsChain(t *testing.T) {
	target := serving(t, debugger.PanicsAuto, "twice")
	expectVisit(t, resume(t, target, debugger.Continue))
	stop := resume(t, target, debugger.Continue)
	p := stop.Panic
	if p == nil || p.Class != debugger.NilMapWrite || !p.Recovered || len(p.Chain) != 1 || p.Chain[0].Class != debugger.NilDereference {
		t.Fatalf("panic %+v", p)
	}
	if frame, _ := stop.SelectedFrame(); frame.Function != "main.twice.func1" {
		t.Errorf("selected %+v", frame)
	}
}

// A deferred function that has recovered a panic only to answer, and panics with
// the same value again, is neither the culprit nor another panic.
func TestAPanicThatIsPassedOnCountsOnce(t *testing.T) {
	for mode, recovered := range map[debugger.PanicMode]bool{debugger.PanicsAuto: true, debugger.PanicsAll: false} {
		target := serving(t, mode, "generated")
		stop := resume(t, target, debugger.Continue)
		if mode == debugger.PanicsAll {
			expectVisit(t, stop)
			if stop.Panic.Repanicked {
				t.Errorf("the first panic is %+v", stop.Panic)
			}
			stop = resume(t, target, debugger.Continue)
		}
		expectVisit(t, stop)
		if p := stop.Panic; !p.Repanicked || p.Recovered != recovered || p.Thrown == recovered || len(p.Chain) > 0 {
			t.Errorf("%s: panic %+v", mode, p)
		}
	}
}

// net/rpc recovers nothing: the process dies of it.
func TestAPanicOfAnRPCMethodStops(t *testing.T) {
	stop := resume(t, serving(t, debugger.PanicsAuto, "rpc"), debugger.Continue)
	if frame, _ := stop.SelectedFrame(); frame.Function != "main.Books.Visit" || stop.LivesOn() || stop.Panic.Class != debugger.NilDereference {
		t.Errorf("stopped in %s, panic %+v", frame.Function, stop.Panic)
	}
}

// What the runtime has not turned into text reads the same.
func TestLiveValuesReadAsTheRuntimePrintsThem(t *testing.T) {
	for name, want := range map[string]struct {
		class debugger.Class
		text  string
	}{
		"index":     {debugger.IndexOutOfRange, "runtime error: index out of range [3] with length 3"},
		"negative":  {debugger.IndexOutOfRange, "runtime error: index out of range [-1]"},
		"slice":     {debugger.SliceBounds, "runtime error: slice bounds out of range [3:2]"},
		"divide":    {debugger.DivideByZero, "runtime error: integer divide by zero"},
		"assertion": {debugger.TypeAssertion, "interface conversion: interface {} is string, not int"},
		"method":    {debugger.TypeAssertion, "interface conversion: string is not main.shape: missing method Area"},
		"map":       {debugger.NilMapWrite, "assignment to entry in nil map"},
		"closed":    {debugger.ClosedChannel, "close of closed channel"},
		"string":    {debugger.Custom, "no way"},
		"error":     {debugger.CustomError, "plain"},
		"wrapped":   {debugger.CustomError, "read: file does not exist"},
		"path":      {debugger.CustomError, "open /nowhere/at/all: no such file or directory"},
		"own":       {debugger.CustomError, `&main.refusal{Code: 403, Why: "late"}`},
		"number":    {debugger.Custom, "42"},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "index" && name != "method" && name != "wrapped" && name != "number" {
				testsupport.Slow(t)
			}
			t.Parallel()
			stop := resume(t, serving(t, debugger.PanicsAuto, "values", "/"+name), debugger.Continue)
			if stop.Panic == nil || stop.Panic.Class != want.class || stop.Panic.Message != want.text {
				t.Errorf("stop %q, panic %+v", stop.Reason, stop.Panic)
			}
			if frame, _ := stop.SelectedFrame(); frame.Function != "main.values" {
				t.Errorf("selected %+v", frame)
			}
		})
	}
}
