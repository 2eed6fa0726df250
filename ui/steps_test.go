package ui

import (
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/session"
)

// A step that is asked for while one is under way follows it, unless that ends
// at something else.
func TestTypingStepsFast(t *testing.T) {
	step := debugger.Stop{Reason: debugger.ReasonStep, Goroutine: 1, Frames: frames()[3:], Goroutines: 13}
	hit := step
	hit.Reason = debugger.ReasonBreakpoint
	for _, c := range []struct {
		stop debugger.Stop
		want int // steps in all
	}{{step, 2}, {hit, 1}} {
		f := sceneStepped()
		playEngine(f)
		s := play(t, f, 120, 36)
		s.press("n", "s", "s")
		f.add(&session.Stopped{Stop: c.stop})
		s.catchUp()
		var steps []debugger.Motion
		for _, i := range f.intents {
			if run, ok := i.(engine.Run); ok {
				steps = append(steps, run.Motion)
			}
		}
		if len(steps) != c.want || c.want == 2 && steps[1] != debugger.StepIn {
			t.Errorf("after a stop by %s: %q", c.stop.Reason, steps)
		}
	}
}
