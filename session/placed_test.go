package session

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// The log says where the target was held, also where it did not crash.
func TestStopsHaveTheirPlaceInTheLog(t *testing.T) {
	for _, stop := range []debugger.Stop{
		{Reason: debugger.ReasonBreakpoint, Breakpoint: &debugger.Breakpoint{ID: 2}, Frames: []debugger.Frame{{Function: "main.work", File: "/src/main.go", Line: 38}}},
		{Reason: debugger.ReasonStep, Frames: []debugger.Frame{{Function: "main.work", File: "/src/main.go", Line: 38}}},
	} {
		w := &story{}
		w.stopped(Event{}, &Stopped{Stop: stop})
		if got := w.out.String(); !strings.Contains(got, "stopped (") || !strings.Contains(got, "main.go:38`") {
			t.Errorf("%q", got)
		}
	}
	w := &story{}
	w.stopped(Event{}, &Stopped{Stop: debugger.Stop{Reason: debugger.ReasonExited, Exit: &debugger.Exit{}}})
	if got := w.out.String(); !strings.Contains(got, "exited with 0") {
		t.Errorf("%q", got)
	}
}

func TestCounted(t *testing.T) {
	w := &story{}
	w.output(&OutputKept{Round: 1, Lines: 1, Bytes: 3})
	if got := w.out.String(); !strings.Contains(got, "1 line, 3 bytes") {
		t.Errorf("%q", got)
	}
}
