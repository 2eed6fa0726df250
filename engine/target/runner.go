// Package target moves the target that a session debugs: its rounds from launch to end,
// its terminal, motions, breakpoints, tracepoints and muted places.
package target

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

// Runner moves the target of the current round, and halts it.
type Runner struct {
	*loop.Loop
	Inspection *look.Inspection

	// Leaving is called before the target goes on, started when it has, stopped
	// when it is held or gone, and lost when the debugger has failed.
	Leaving func()
	Started func(*Round)
	Stopped func(*Round, debugger.Stop)
	Lost    func()
	// Backwards takes a round in the past to an earlier moment.
	Backwards func(*Round, debugger.Move)
	Past      *PastRun // of the launch mode session.ModePast; else nil

	Round     *Round       // nil without one
	Rounds    int          // so far
	Room      sandbox.Size // what the next target's terminal is shown in; zero: not known
	Busy      bool         // a build or launch is under way
	Launching *Round       // being launched; nil without one
	halted    []func()     // to be done when the target is held next, or gone
	WantHalt  bool         // the person asked for the halt
	Kill      bool         // a target that was started elsewhere is killed at the end
}

// Interrupt halts the running target for a person; one that is being launched, as soon as it runs.
func (rn *Runner) Interrupt() {
	if rn.Launching != nil {
		rn.Launching.Interrupted = true
		return
	}
	rn.WantHalt = rn.Round != nil && rn.Round.Running
	rn.halt()
}

func (rn *Runner) halt() {
	if rn.Round == nil || !rn.Round.Running {
		return
	}
	r := rn.Round
	rn.Job(func() {
		if err := r.Target.Halt(); err != nil {
			rn.Post(func() { rn.Refuse(fmt.Errorf("halt the target: %w", err)) })
		}
	})
}

// TypeInto types a text into the target, and records it.
func (rn *Runner) TypeInto(text string) {
	r := rn.Round
	if r == nil || r.Ended {
		rn.Refuse(rn.goneError())
		return
	}
	if rn.Opts.Target.Stdin != "" {
		rn.Refuse(errors.New("the program reads its input from " + rn.Opts.Target.Stdin))
		return
	}
	if r.Console == nil {
		rn.Refuse(rn.State().Can.Refuse("be typed into: pausetui does not own its input"))
		return
	}
	text = keyFor(rn.Environment(), text)
	rn.Append(rn.By(), &session.Input{After: r.age(rn.Opts.Now()), Text: text, Cols: r.Size.Cols, Rows: r.Size.Rows})
	r.Console.Send(text)
}

// Resize gives the terminal of a target that draws, or has not begun to run, another size.
func (rn *Runner) Resize(to intent.Resize) {
	rn.Room = sandbox.Size{Cols: to.Cols, Rows: to.Rows}
	switch r := rn.Round; {
	case r != nil:
		r.Shown = rn.Room
		rn.Fit(r)
	case rn.Launching != nil && rn.Launching.Console != nil:
		rn.Launching.Opened, rn.Launching.Shown = rn.Room, rn.Room
		rn.Launching.Buffer.Resize(to.Cols, to.Rows)
		if err := pty.Resize(rn.Launching.Console.Master, to.Cols, to.Rows); err != nil {
			rn.Refuse(err)
		}
	}
}

// Fit gives the terminal the size at which the next recorded input was typed: a mouse
// click is for one place. Otherwise it is that of what it is shown in.
func (rn *Runner) Fit(r *Round) {
	to := r.Shown
	if len(r.Pending) > 0 && r.Pending[0].Cols > 0 {
		to = sandbox.Size{Cols: r.Pending[0].Cols, Rows: r.Pending[0].Rows}
	}
	if r.Ended || r.Console == nil || to == (sandbox.Size{}) || to == r.Size || !r.Buffer.Draws() {
		return
	}
	was := cmp.Or(r.Size, r.Opened)
	r.Buffer.Resize(to.Cols, to.Rows)
	if s, draws := r.Buffer.Screen(); draws {
		if r.Size = (sandbox.Size{Cols: s.Cols, Rows: s.Rows}); r.Size != was {
			r.resized = rn.Opts.Now()
		}
		if err := pty.Resize(r.Console.Master, s.Cols, s.Rows); err != nil {
			rn.Refuse(err)
		}
	}
}

// Fitted has Run's goroutine fit the terminal, waits for that, and returns how long the
// target may still take to draw at its size.
func (rn *Runner) Fitted(r *Round) (pause time.Duration) {
	done := make(chan time.Duration, 1)
	rn.Post(func() {
		rn.Fit(r)
		done <- MaxPause - rn.Since(r.resized)
	})
	select {
	case pause = <-done:
	case <-r.Ctx.Done():
	}
	return pause
}

// goneError refuses what needs a target that has not ended.
func (rn *Runner) goneError() error { return advice.Add(debugger.ErrGone, rn.againHint()) }

// againHint is how to go on once the target has ended.
func (rn *Runner) againHint() string {
	if rn.Past != nil {
		return "leaving it returns to the present"
	}
	if can := rn.State().Can; !can.Restart {
		return "q leaves"
	}
	return "r starts it again"
}

// whenHeld calls fn now if the target is held, after a short halt if it runs,
// and not at all without one: then it will be done at the next launch.
func (rn *Runner) whenHeld(fn func()) {
	r := rn.Round
	switch {
	case r == nil || r.Ended:
	case r.Running:
		by := rn.Author
		rn.halted = append(rn.halted, func() { rn.As(by, fn) })
		rn.halt()
	default:
		fn()
	}
}

// targetless reports whether there is nothing to set a breakpoint in now.
func (rn *Runner) targetless() bool { return rn.Round == nil || rn.Round.Ended }

// DoHalted does what had to wait until the target is held, or gone, if there
// was anything.
func (rn *Runner) DoHalted() bool {
	todo := rn.halted
	rn.halted = nil
	for _, fn := range todo {
		fn()
	}
	return len(todo) > 0
}

// Moved takes what a move has ended with.
func (rn *Runner) Moved(r *Round, stop debugger.Stop, err error) {
	if rn.Round != r { // the round was ended meanwhile
		return
	}
	r.Running = false
	if rn.Opts.Target.Mode.Lives() { // otherwise it ran elsewhere, nobody knows how long
		r.Ran += rn.Since(r.Since)
	}
	rn.SetLive(func(l *live.State) { l.Running = time.Time{} })
	if err != nil {
		rn.fail(r, err)
		return
	}
	if stop.Ended() {
		r.Ended = true
		r.Console.Drain()
	}
	if r.Moment != nil {
		rn.Past.held.Store(r.Moment)
		rn.arrived(r, stop)
	}
	if rn.DoHalted() && stop.Reason == debugger.ReasonHalt && !rn.WantHalt {
		rn.goOn(r)
		return
	}
	rn.WantHalt = false
	rn.Stopped(r, stop)
}

// arrived says where in the past a run is held, and whether its values are those of the paused
// program.
func (rn *Runner) arrived(r *Round, stop debugger.Stop) {
	run, begun := rn.Past, r.Moment.Begun()
	if !run.compared && begun == run.Past.Failed && stop.Selected >= 0 && stop.Selected < len(stop.Frames) {
		run.compared = true
		if words := run.unlike(stop.Frames[stop.Selected]); words != "" {
			run.other = true
			rn.Notice("warn", words, "the run in the sandbox has another environment, clock or input, or a value was edited")
		}
	}
	rn.SetLive(func(l *live.State) { l.Moment, l.Varies = run.before(begun), !run.Past.Alike || run.other })
}

// fail ends a round whose debugger has failed.
func (rn *Runner) fail(r *Round, err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	r.Ended, r.Lost = true, true
	rn.Notice("error", fmt.Sprintf("the debugger has lost the target: %v", err), rn.lostHint())
	rn.Append(session.EngineActor, &session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonSignal, Selected: -1,
		Exit: &debugger.Exit{Code: -1, Signal: session.LostSignal}, At: rn.Opts.Now()}, Ran: r.Ran})
	rn.Lost()
}

// End ends the round, if there is one: a target that was started elsewhere is
// released, any other is killed and reaped.
func (rn *Runner) End() {
	r := rn.Round
	if r == nil {
		return
	}
	rn.Round = nil
	rn.release(r)
	r.Close()
}

// lostHint says how to get a target back whose debugger has failed.
func (rn *Runner) lostHint() string {
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
func (rn *Runner) release(r *Round) {
	mode := rn.Opts.Target.Mode
	if r.Target == nil || r.Moment != nil || mode.Starts() || !mode.Lives() || r.Ended {
		return
	}
	var err error
	if rn.Kill {
		err = r.Target.Kill()
	} else {
		err = r.Target.Close()
	}
	switch {
	case err != nil:
		rn.Notice("error", err.Error(), advice.Of(err))
	case rn.Kill:
		rn.Notice("info", mode.String()+" was killed", "")
	default:
		rn.Notice("info", mode.String()+" was left running, without breakpoints", "")
	}
}

// Recorded is what was typed into this round, and what of the rounds before is
// still to be typed again.
func (rn *Runner) Recorded() []session.Input {
	typed := slices.Clip(rn.State().Typed)
	if rn.Round != nil {
		typed = append(typed, rn.Round.Pending...)
	}
	return typed
}

// Settled is how long after the end of the repro command the target stopped; 0
// where it has not ended, or was the request of an earlier stop.
func (rn *Runner) Settled() time.Duration {
	if rn.Round.Replied.IsZero() || rn.Round.Plan.Captured {
		return 0
	}
	return max(rn.Since(rn.Round.Replied), 0)
}
