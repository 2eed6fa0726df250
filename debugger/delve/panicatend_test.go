//go:build linux

package delve

import (
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// A panic is shown also where main has returned before it was over.
func TestAPanicAtTheEndIsShown(t *testing.T) {
	t.Parallel()
	for range 8 {
		target := launch(t, "ends", "panics at end")
		stop := resume(t, target, debugger.Continue)
		f, _ := stop.SelectedFrame()
		if stop.Reason != debugger.ReasonPanic || stop.Panic.Class != debugger.IndexOutOfRange || f.Function != "main.panicsAtEnd.func1" {
			t.Fatalf("%s, %+v, in %s", stop.Reason, stop.Exit, f.Function)
		}
		if stop = resume(t, target, debugger.Continue); !stop.Ended() && !stop.Crashed() {
			t.Errorf("and then: %s", stop.Reason)
		}
	}
}

func TestARecoveredPanicAtTheEndIsNone(t *testing.T) {
	t.Parallel()
	target := launchWith(t, Config{Binary: fixture(t, "ends"), Args: []string{"recovered"}, Panics: debugger.PanicsUnrecovered})
	if stop := resume(t, target, debugger.Continue); !stop.Ended() {
		t.Errorf("%s, %+v", stop.Reason, stop.Panic)
	}
}
