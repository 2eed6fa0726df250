package execution

import (
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
)

// A step away from a panic asks, also where the program survives it.
func TestAStepAwayFromAPanicAsks(t *testing.T) {
	panicked := debugger.Stop{Reason: debugger.ReasonPanic, Panic: &debugger.Panic{}}
	recovered := debugger.Stop{Reason: debugger.ReasonPanic, Panic: &debugger.Panic{Recovered: true}}
	begun := func(stop debugger.Stop) debugger.Stop {
		stop.Frames = []debugger.Frame{{Function: "runtime.gopanic"}}
		return stop
	}
	for _, c := range []struct {
		stop   debugger.Stop
		motion debugger.Motion
		asks   string
	}{
		{begun(panicked), debugger.Next, "Leave the panic?"}, {begun(panicked), debugger.Continue, "End the program?"},
		{begun(recovered), debugger.Next, "Leave the panic?"}, {begun(recovered), debugger.Continue, ""},
		{panicked, debugger.Next, "End the program?"}, {panicked, debugger.Continue, "End the program?"},
		{recovered, debugger.Next, "Leave the panic?"}, {recovered, debugger.StepOut, "Leave the panic?"}, {recovered, debugger.Continue, ""},
		{debugger.Stop{Reason: debugger.ReasonBreakpoint}, debugger.Next, ""},
	} {
		head := ""
		if ask := losing(c.stop, intent.Run{Motion: c.motion}); ask != nil {
			head = ask.Head
		}
		if head != c.asks {
			t.Errorf("%s at %+v asks %q, want %q", c.motion, c.stop.Panic, head, c.asks)
		}
	}
}
