package engine

import (
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/session"
)

// Steps that are asked for at once follow one another: what is typed fast is not
// lost, and a held key does not go on for long.
func TestStepsFollow(t *testing.T) {
	t.Parallel()
	p := play(t, options.Session{Target: options.Target{Dir: module(t, counting), Break: []string{"main.main"}}})
	stoppedAt(p, "the entry", stopsIn("main.main"))
	for range 20 {
		p.engine.Do(intent.Run{Motion: debugger.Next})
	}
	p.until("the steps", func(s session.State) bool {
		return len(s.Stops) == 2+target.MaxAhead && s.Phase == session.PhaseStopped
	})
	for _, e := range p.events {
		if n, ok := e.Body.(*session.Notice); ok && n.Level == "error" {
			t.Errorf("refused: %s", n.Text)
		}
	}
}

// A step that is typed while one is under way is dropped where something else has stopped the
// program by then.
func TestAStepAfterAnotherStopIsDropped(t *testing.T) {
	t.Parallel()
	p := play(t, options.Session{Target: options.Target{Dir: module(t, counting), Break: []string{"main.main"}}})
	stoppedAt(p, "the entry", stopsIn("main.main"))
	p.engine.Do(intent.StepOn{Motion: debugger.Next}) // typed before the breakpoint was reached
	p.engine.Do(intent.Run{Motion: debugger.Next})
	p.until("the step", func(s session.State) bool { return len(s.Stops) == 2 && s.Phase == session.PhaseStopped })
	p.engine.Do(intent.StepOn{Motion: debugger.Next})
	p.until("the next one", func(s session.State) bool { return len(s.Stops) == 3 && s.Phase == session.PhaseStopped })
	resumed := 0
	for _, e := range p.events {
		if _, ok := e.Body.(*session.Resumed); ok {
			resumed++
		}
	}
	if resumed != 3 { // the first one runs to the breakpoint
		t.Errorf("it went on %d times", resumed)
	}
}

// A line that is entered after steps is carried out after them.
func TestLinesFollowSteps(t *testing.T) {
	t.Parallel()
	began := time.Now()
	p := play(t, options.Session{Now: func() time.Time { return began }, // a busy machine makes no step long
		Target: options.Target{Dir: module(t, counting), Break: []string{"main.main"}}})
	stoppedAt(p, "the entry", stopsIn("main.main"))
	for range 3 {
		p.engine.Do(intent.Run{Motion: debugger.Next})
	}
	p.engine.Do(intent.Evaluate{Input: "p 1+1"})
	p.until("the answer", func(s session.State) bool { return len(s.Transcript) > 0 })
	stops := 0
	for _, e := range p.events {
		switch e.Body.(type) {
		case *session.Stopped:
			stops++
		case *session.Evaluated:
			if stops != 4 {
				t.Errorf("it was carried out at stop %d", stops)
			}
			return
		}
	}
}

// A call that is refused leaves the stop what it was.
func TestARefusedCallIsNoStep(t *testing.T) {
	t.Parallel()
	p := play(t, options.Session{Target: options.Target{Dir: module(t, counting), Break: []string{"main.main"}}})
	stoppedAt(p, "the entry", stopsIn("main.main"))
	p.engine.Do(intent.Evaluate{Input: "call twice(2)"})
	p.engine.Do(intent.Evaluate{Input: "call nothere(1)"})
	p.until("the answers", func(s session.State) bool { return len(s.Transcript) > 1 && s.Phase == session.PhaseStopped })
	refused := 0
	for _, e := range p.events {
		b, ok := e.Body.(*session.Stopped)
		if !ok || b.Stop.Fault == "" {
			continue
		}
		if refused++; b.Stop.Reason != debugger.ReasonCall {
			t.Errorf("stopped: %s, %q", b.Stop.Reason, b.Stop.Fault)
		}
	}
	if refused != 1 {
		t.Errorf("%d calls are refused", refused)
	}
}
