package ui

import (
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine"
)

// A step away from a panic asks, also where the program survives it.
func TestAStepAwayFromAPanicAsks(t *testing.T) {
	panicked := debugger.Stop{Reason: debugger.ReasonPanic, Panic: &debugger.Panic{}}
	recovered := debugger.Stop{Reason: debugger.ReasonPanic, Panic: &debugger.Panic{Recovered: true}}
	for _, c := range []struct {
		stop   debugger.Stop
		motion debugger.Motion
		asks   string
	}{
		{panicked, debugger.Next, "End the program?"}, {panicked, debugger.Continue, "End the program?"},
		{recovered, debugger.Next, "Leave the panic?"}, {recovered, debugger.StepOut, "Leave the panic?"}, {recovered, debugger.Continue, ""},
		{debugger.Stop{Reason: debugger.ReasonBreakpoint}, debugger.Next, ""},
	} {
		head := ""
		if ask := losing(c.stop, engine.Run{Motion: c.motion}); ask != nil {
			head = ask.Head
		}
		if head != c.asks {
			t.Errorf("%s at %+v asks %q, want %q", c.motion, c.stop.Panic, head, c.asks)
		}
	}
}

// Leaving by a line asks as the key does.
func TestTheLineThatLeavesAsks(t *testing.T) {
	s := play(t, sceneStopped(), 120, 36)
	s.press(":")
	for _, r := range "exit" {
		s.press(string(r))
	}
	s.press("enter")
	if s.dialog == nil {
		t.Error("it does not ask")
	}
	s.press("esc")
	for _, do := range s.fake.intents {
		if _, quits := do.(engine.Quit); quits {
			t.Error("it quits")
		}
	}
}
