package engine

import (
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
)

// Steps that are asked for at once follow one another, as far as one ahead.
func TestStepsFollow(t *testing.T) {
	t.Parallel()
	p := play(t, Options{Target: TargetOptions{Dir: module(t, counting), Break: []string{"main.main"}}})
	stoppedAt(p, "the entry", stopsIn("main.main"))
	for range 5 {
		p.engine.Do(Run{Motion: debugger.Next})
	}
	p.until("two steps", func(s session.State) bool { return len(s.Stops) == 3 && s.Phase == session.PhaseStopped })
	if n := len(p.state.Stops); n != 3 {
		t.Errorf("%d stops", n)
	}
	for _, e := range p.events {
		if n, ok := e.Body.(*session.Notice); ok && n.Level == "error" {
			t.Errorf("refused: %s", n.Text)
		}
	}
}
