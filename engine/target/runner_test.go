package target

import (
	"context"
	"errors"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/look"
	"github.com/pausetui/pausetui/engine/loop/looptest"
	"github.com/pausetui/pausetui/engine/options"
)

// puppet is a target that can be halted and moved; its moves end with stop.
type puppet struct {
	look.Target
	halts int
	moves []debugger.Move
	stop  debugger.Stop
	err   error
}

func (p *puppet) Halt() error                   { p.halts++; return nil }
func (p *puppet) Announce()                     {}
func (p *puppet) Abilities() debugger.Abilities { return debugger.Built }

func (p *puppet) Move(_ context.Context, m debugger.Move) (debugger.Stop, error) {
	p.moves = append(p.moves, m)
	return p.stop, p.err
}

// bareRunner is a runner with a held puppet, and what it has called.
func bareRunner(t *testing.T) (*Runner, *puppet, *[]string) {
	c := looptest.New(t, options.Session{})
	target, called := &puppet{stop: debugger.Stop{Reason: debugger.ReasonBreakpoint, Selected: -1}}, &[]string{}
	note := func(what string) { *called = append(*called, what) }
	return &Runner{Loop: c, Inspection: look.NewInspection(c), Round: &Round{Target: target},
		Leaving: func() { note("leaving") }, Started: func(*Round) { note("started") },
		Stopped: func(_ *Round, s debugger.Stop) { note("stopped: " + string(s.Reason)) }, Lost: func() { note("lost") }}, target, called
}

func TestWhatCannotMove(t *testing.T) {
	rn, _, _ := bareRunner(t)
	for name, c := range map[string]struct {
		change func()
		motion debugger.Motion
		want   error
	}{
		"held":       {func() {}, debugger.Next, nil},
		"running":    {func() { rn.Round.Running = true }, debugger.Next, debugger.ErrRunning},
		"ended":      {func() { rn.Round.Ended = true }, debugger.Next, debugger.ErrGone},
		"no program": {func() { rn.Round = nil }, debugger.Next, debugger.ErrGone},
	} {
		before := *rn.Round
		r := rn.Round
		c.change()
		if err := rn.movable(c.motion); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		rn.Round = r
		*rn.Round = before
	}
	rn.Busy = true
	if rn.movable(debugger.Next) == nil {
		t.Error("it moves while it is built")
	}
	rn.Busy = false
	if err := rn.movable(debugger.ReverseNext); err == nil {
		t.Error("it runs backwards without a recording")
	}
}

// What has to be done while the target is held halts it for a moment; nothing
// else notices.
func TestAShortHalt(t *testing.T) {
	rn, target, called := bareRunner(t)
	done := 0
	rn.whenHeld(func() { done++ })
	if done != 1 || target.halts != 0 {
		t.Fatalf("held already: done %d times after %d halts", done, target.halts)
	}
	rn.LetRun(rn.Round, debugger.Move{Motion: debugger.ContinueTo, Location: "main.f"})
	rn.Jobs.Wait()
	rn.Take() // its end comes later
	rn.whenHeld(func() { done++ })
	rn.Jobs.Wait()
	if done != 1 || target.halts != 1 {
		t.Fatalf("while it runs: done %d times after %d halts", done, target.halts)
	}
	rn.Moved(rn.Round, debugger.Stop{Reason: debugger.ReasonHalt, Selected: -1}, nil)
	if done != 2 || !rn.Round.Running {
		t.Errorf("done %d times; it goes on: %v", done, rn.Round.Running)
	}
	looptest.RunPosted(rn.Loop)
	if len(target.moves) != 2 || target.moves[1].Location != "main.f" {
		t.Errorf("its moves: %+v", target.moves)
	}
	if got := (*called)[len(*called)-1]; got != "stopped: "+string(debugger.ReasonBreakpoint) || len(*called) != 5 {
		t.Errorf("called: %q", *called)
	}
}

func TestAHaltThatThePersonWanted(t *testing.T) {
	rn, _, called := bareRunner(t)
	rn.Round.Running, rn.WantHalt = true, true
	rn.whenHeld(func() {})
	rn.Moved(rn.Round, debugger.Stop{Reason: debugger.ReasonHalt, Selected: -1}, nil)
	if len(*called) != 1 || (*called)[0] != "stopped: "+string(debugger.ReasonHalt) || rn.Round.Running || rn.WantHalt {
		t.Errorf("called %q, running %v", *called, rn.Round.Running)
	}
}

func TestADebuggerThatFails(t *testing.T) {
	rn, target, called := bareRunner(t)
	target.err = errors.New("connection reset")
	rn.LetRun(rn.Round, debugger.Move{Motion: debugger.Continue})
	looptest.RunPosted(rn.Loop)
	if !rn.Round.Ended || !rn.Round.Lost || (*called)[len(*called)-1] != "lost" {
		t.Errorf("called %q; the round is %+v", *called, rn.Round)
	}
	if got := looptest.Errors(rn.Loop); got != "the debugger has lost the target: connection reset" {
		t.Errorf("reported: %q", got)
	}
}

// The end of a move of a round that is over by then changes nothing.
func TestAMoveOfAnOldRound(t *testing.T) {
	rn, _, called := bareRunner(t)
	old := rn.Round
	old.Running = true
	rn.Round = &Round{}
	rn.Moved(old, debugger.Stop{Reason: debugger.ReasonBreakpoint}, nil)
	if len(*called) != 0 || !old.Running {
		t.Errorf("called: %q", *called)
	}
}
