package lines

import (
	"testing"
	"time"

	"github.com/pausetui/pausetui/engine/live"
)

// A script waits longer for a line that the engine is executing.
func TestALineThatIsUnderWayHasTime(t *testing.T) {
	now := time.Unix(1000, 0)
	f := &frontend{sent: &sent{at: now.Add(-2 * soon), wait: soon}, live: live.State{Command: &live.Command{Line: "p x"}}}
	f.opts.Clock = func() time.Time { return now }
	if f.free(needNothing) {
		t.Error("it is not waited for")
	}
	f.sent = &sent{at: now.Add(-2 * soon), wait: soon}
	f.live.Command = nil
	if !f.free(needNothing) {
		t.Error("what nobody carries out is waited for")
	}
}
