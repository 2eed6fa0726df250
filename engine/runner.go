package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/engine/look"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/pty"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/sandbox"
)

// runner moves the target of the current round, and halts it.
type runner struct {
	*loop.Loop
	inspection *look.Inspection

	// leaving is called before the target goes on, started when it has, stopped
	// when it is held or gone, and lost when the debugger has failed.
	leaving func()
	started func(*round)
	stopped func(*round, debugger.Stop)
	lost    func()
	// backwards takes a round in the past to an earlier moment.
	backwards func(*round, debugger.Move)
	past      *pastRun // of the launch mode session.ModePast; else nil

	round     *round       // nil without one
	rounds    int          // so far
	room      sandbox.Size // what the next target's terminal is shown in; zero: not known
	busy      bool         // a build or launch is under way
	launching *round       // being launched; nil without one
	halted    []func()     // to be done when the target is held next, or gone
	wantHalt  bool         // the person asked for the halt
	kill      bool         // a target that was started elsewhere is killed at the end
}

// interrupt halts the running target for a person; one that is being launched, as soon as it runs.
func (rn *runner) interrupt() {
	if rn.launching != nil {
		rn.launching.interrupted = true
		return
	}
	rn.wantHalt = rn.round != nil && rn.round.running
	rn.halt()
}

func (rn *runner) halt() {
	if rn.round == nil || !rn.round.running {
		return
	}
	r := rn.round
	rn.Job(func() {
		if err := r.target.Halt(); err != nil {
			rn.Post(func() { rn.Refuse(fmt.Errorf("halt the target: %w", err)) })
		}
	})
}

func (rn *runner) typeInto(text string) {
	r := rn.round
	if r == nil || r.ended {
		rn.Refuse(rn.goneError())
		return
	}
	if rn.Opts.Target.Stdin != "" {
		rn.Refuse(errors.New("the program reads its input from " + rn.Opts.Target.Stdin))
		return
	}
	if r.console == nil {
		rn.Refuse(rn.State().Can.Refuse("be typed into: pausetui does not own its input"))
		return
	}
	text = keyFor(rn.Environment(), text)
	rn.Append(rn.By(), &session.Input{After: r.age(rn.Opts.Now()), Text: text, Cols: r.size.Cols, Rows: r.size.Rows})
	r.console.send(text)
}

// resize gives the terminal of a target that draws, or has not begun to run, another size.
func (rn *runner) resize(to intent.Resize) {
	rn.room = sandbox.Size{Cols: to.Cols, Rows: to.Rows}
	switch r := rn.round; {
	case r != nil:
		r.shown = rn.room
		rn.fit(r)
	case rn.launching != nil && rn.launching.console != nil:
		rn.launching.opened, rn.launching.shown = rn.room, rn.room
		rn.launching.buffer.Resize(to.Cols, to.Rows)
		if err := pty.Resize(rn.launching.console.master, to.Cols, to.Rows); err != nil {
			rn.Refuse(err)
		}
	}
}

// fit gives the terminal the size at which the next recorded input was typed: a mouse
// click is for one place. Otherwise it is that of what it is shown in.
func (rn *runner) fit(r *round) {
	to := r.shown
	if len(r.pending) > 0 && r.pending[0].Cols > 0 {
		to = sandbox.Size{Cols: r.pending[0].Cols, Rows: r.pending[0].Rows}
	}
	if r.ended || r.console == nil || to == (sandbox.Size{}) || to == r.size || !r.buffer.Draws() {
		return
	}
	was := cmp.Or(r.size, r.opened)
	r.buffer.Resize(to.Cols, to.Rows)
	if s, draws := r.buffer.Screen(); draws {
		if r.size = (sandbox.Size{Cols: s.Cols, Rows: s.Rows}); r.size != was {
			r.resized = rn.Opts.Now()
		}
		if err := pty.Resize(r.console.master, s.Cols, s.Rows); err != nil {
			rn.Refuse(err)
		}
	}
}

// fitted has Run's goroutine fit the terminal, waits for that, and returns how long the
// target may still take to draw at its size.
func (rn *runner) fitted(r *round) (pause time.Duration) {
	done := make(chan time.Duration, 1)
	rn.Post(func() {
		rn.fit(r)
		done <- maxPause - rn.Since(r.resized)
	})
	select {
	case pause = <-done:
	case <-r.ctx.Done():
	}
	return pause
}

// goneError refuses what needs a target that has not ended.
func (rn *runner) goneError() error { return advice.Add(debugger.ErrGone, rn.againHint()) }

// againHint is how to go on once the target has ended.
func (rn *runner) againHint() string {
	if rn.past != nil {
		return "leaving it returns to the present"
	}
	if can := rn.State().Can; !can.Restart {
		return "q leaves"
	}
	return "r starts it again"
}

// whenHeld calls fn now if the target is held, after a short halt if it runs,
// and not at all without one: then it will be done at the next launch.
func (rn *runner) whenHeld(fn func()) {
	r := rn.round
	switch {
	case r == nil || r.ended:
	case r.running:
		by := rn.Author
		rn.halted = append(rn.halted, func() { rn.As(by, fn) })
		rn.halt()
	default:
		fn()
	}
}

// targetless reports whether there is nothing to set a breakpoint in now.
func (rn *runner) targetless() bool { return rn.round == nil || rn.round.ended }

// doHalted does what had to wait until the target is held, or gone, if there
// was anything.
func (rn *runner) doHalted() bool {
	todo := rn.halted
	rn.halted = nil
	for _, fn := range todo {
		fn()
	}
	return len(todo) > 0
}

// moved takes what a move has ended with.
func (rn *runner) moved(r *round, stop debugger.Stop, err error) {
	if rn.round != r { // the round was ended meanwhile
		return
	}
	r.running = false
	if rn.Opts.Target.Mode.Lives() { // otherwise it ran elsewhere, nobody knows how long
		r.ran += rn.Since(r.since)
	}
	rn.SetLive(func(l *live.State) { l.Running = time.Time{} })
	if err != nil {
		rn.fail(r, err)
		return
	}
	if stop.Ended() {
		r.ended = true
		r.console.drain()
	}
	if r.moment != nil {
		rn.past.held.Store(r.moment)
		rn.arrived(r, stop)
	}
	if rn.doHalted() && stop.Reason == debugger.ReasonHalt && !rn.wantHalt {
		rn.goOn(r)
		return
	}
	rn.wantHalt = false
	rn.stopped(r, stop)
}

// arrived says where in the past a run is held, and whether its values are those of the paused
// program.
func (rn *runner) arrived(r *round, stop debugger.Stop) {
	run, begun := rn.past, r.moment.Begun()
	if !run.compared && begun == run.past.Failed && stop.Selected >= 0 && stop.Selected < len(stop.Frames) {
		run.compared = true
		if words := run.unlike(stop.Frames[stop.Selected]); words != "" {
			run.other = true
			rn.Notice("warn", words, "the run in the sandbox has another environment, clock or input, or a value was edited")
		}
	}
	rn.SetLive(func(l *live.State) { l.Moment, l.Varies = run.before(begun), !run.past.Alike || run.other })
}

// fail ends a round whose debugger has failed.
func (rn *runner) fail(r *round, err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	r.ended, r.lost = true, true
	rn.Notice("error", fmt.Sprintf("the debugger has lost the target: %v", err), rn.lostHint())
	rn.Append(session.EngineActor, &session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonSignal, Selected: -1,
		Exit: &debugger.Exit{Code: -1, Signal: session.LostSignal}, At: rn.Opts.Now()}, Ran: r.ran})
	rn.lost()
}

// end ends the round, if there is one: a target that was started elsewhere is
// released, any other is killed and reaped.
func (rn *runner) end() {
	r := rn.round
	if r == nil {
		return
	}
	rn.round = nil
	rn.release(r)
	r.close()
}

// lostHint says how to get a target back whose debugger has failed.
func (rn *runner) lostHint() string {
	switch rn.Opts.Target.Mode.Kind {
	case session.ModeAttach:
		return "r attaches again, if the process still runs"
	case session.ModeConnect:
		return "r connects again"
	case session.ModeCore:
		return "r opens it again"
	}
	return "r starts it again"
}

// release ends a round whose target was started elsewhere: it runs on, unless
// the person wants it killed.
func (rn *runner) release(r *round) {
	mode := rn.Opts.Target.Mode
	if r.target == nil || r.moment != nil || mode.Starts() || !mode.Lives() || r.ended {
		return
	}
	var err error
	if rn.kill {
		err = r.target.Kill()
	} else {
		err = r.target.Close()
	}
	switch {
	case err != nil:
		rn.Notice("error", err.Error(), advice.Of(err))
	case rn.kill:
		rn.Notice("info", mode.String()+" was killed", "")
	default:
		rn.Notice("info", mode.String()+" was left running, without breakpoints", "")
	}
}

// recorded is what was typed into this round, and what of the rounds before is
// still to be typed again.
func (rn *runner) recorded() []session.Input {
	typed := slices.Clip(rn.State().Typed)
	if rn.round != nil {
		typed = append(typed, rn.round.pending...)
	}
	return typed
}

// settled is how long after the end of the repro command the target stopped; 0
// where it has not ended, or was the request of an earlier stop.
func (rn *runner) settled() time.Duration {
	if rn.round.replied.IsZero() || rn.round.plan.Captured {
		return 0
	}
	return max(rn.Since(rn.round.replied), 0)
}
