package delve

import (
	"context"
	"fmt"
	"time"

	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
)

// way is how a target was come by. It decides what may be done with it, and
// above all what becomes of it at the end.
type way int

const (
	launched  way = iota // started by us: it dies with us
	attached             // it ran before, and runs on after us
	opened               // a core dump
	connected            // another Delve server's
)

// grace is how long the server has to part from the target before it is killed.
func (w way) grace() time.Duration {
	if w == attached {
		return partTime + 10*time.Second
	}
	return 0
}

// openError says why the server could not get at the target.
func (t *Target) openError(text string) error {
	switch t.way {
	case attached:
		return attachError(t.want.Attach, text)
	case opened:
		return coreError(t.want.Core, t.config.Binary, text)
	}
	return launchError(t.config.Binary, text)
}

// Abilities says what can be done with the target.
func (t *Target) Abilities() debugger.Abilities { return t.can }

// askAbilities finds out what can be done with the target.
func (t *Target) askAbilities(ctx context.Context) error {
	recorded, err := call[rpc2.RecordedOut](ctx, t.client, "Recorded", rpc2.RecordedIn{})
	if err != nil {
		return fmt.Errorf("ask whether the target is a recording: %w", err)
	}
	switch {
	case recorded.Recorded && recorded.TraceDirectory == "": // Delve calls a core dump a recording, too
		t.can = debugger.Abilities{Of: "a core dump"}
		return nil
	case recorded.Recorded:
		t.can = debugger.Abilities{Run: true, Reverse: true, Restart: true, Of: "a recording"}
		return nil
	}
	t.can = debugger.Abilities{Run: true, Write: true, Call: true}
	switch t.way {
	case launched:
		t.can.Restart, t.can.Input = true, true
	case attached:
		t.can.Of = "a process that was started elsewhere"
	case connected:
		t.can.Of = "the target of another debugger's server"
		foreign, err := call[rpc2.AttachedToExistingProcessOut](ctx, t.client, "AttachedToExistingProcess", rpc2.AttachedToExistingProcessIn{})
		if err != nil {
			return fmt.Errorf("ask whether the server has started the target: %w", err)
		}
		t.can.Restart = !foreign.Answer
	}
	return nil
}
