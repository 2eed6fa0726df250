//go:build linux

package delve

import (
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// What deferred functions change is not there at the stop yet. The program is not held a
// second time where it dies.
func TestAPanicIsShownBeforeDeferredFunctionsRun(t *testing.T) {
	t.Parallel()
	target := launch(t, "panics", "cleared")
	stop := resume(t, target, debugger.Continue)
	frame, ok := stop.SelectedFrame()
	if !ok || stop.Panic == nil || stop.Panic.Class != debugger.NilDereference || stop.LivesOn() || frame.Function != "main.(*lender).title" {
		t.Fatalf("%s in %s, %+v", stop.Reason, frame.Function, stop.Panic)
	}
	l, err := target.Evaluate(t.Context(), debugger.FrameRef{Goroutine: stop.Goroutine, Frame: stop.Selected}, "l.shelf")
	if err != nil || l.Nil {
		t.Errorf("the shelf: %+v, %v", l, err)
	}
	if stop = resume(t, target, debugger.Continue); stop.Reason != debugger.ReasonExited || stop.Exit.Code != 2 {
		t.Errorf("then %s, %+v", stop.Reason, stop.Panic)
	}
}
