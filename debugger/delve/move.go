package delve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"syscall"

	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/places"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/values"
	"github.com/pausetui/pausetui/internal/advice"
)

// moves lets the target run until there is something to show.
type moves struct {
	srv         *control.Server
	config      *Config
	places      *places.Locator
	values      *values.Inspector
	panics      *panics
	recovery    *recovery
	tests       *tests
	breakpoints *breakpoints
	stops       *stops
	steps       *steps
	halts       *control.Halts

	left *debugger.ExitPlace // where the program called os.Exit; nil before
}

// plan is how a move is carried out: by one command, or by one that leads to a
// temporary breakpoint and then another.
type plan struct {
	command  api.DebuggerCommand
	then     func() error      // plans what follows from the temporary breakpoint on; nil: the move ends there
	over     bool              // there is nothing left to do once "then" was called
	places   bool              // there is a temporary breakpoint
	borrowed []*api.Breakpoint // the person's, as they were, which serve as temporary ones meanwhile
	step     *step             // nil unless a goroutine steps
	called   string            // the call whose results are to be shown
	inPanic  int               // the steps that were taken to get through a panic
}

// step is a step in progress: enough to go on with it when Delve has dropped it,
// which it does at a halt, and at a tracepoint on the same goroutine.
type step struct {
	goroutine int64
	command   string // Delve's
	offset    int64  // of the frame it began in, which names it
	around    int64  // of a loop body: the offset of the frame of the loop's function; 0 for others
	function  string
	pc        uint64
}

// run moves until there is something to show: past our own breakpoints, past
// tracepoints, and past a halt that was meant for an earlier stop.
func (mv *moves) run(ctx context.Context, move debugger.Move) (debugger.Stop, error) {
	if move.Motion == debugger.Continue && len(mv.stops.waiting) > 0 {
		if stop, err := mv.stops.nextWaiting(ctx); !errors.Is(err, errPassed) {
			return stop, err
		}
	}
	if move.Motion != debugger.Continue {
		mv.breakpoints.heardOf(ctx, false)
	}
	p, err := mv.steps.plan(ctx, move)
	if err != nil {
		mv.steps.undo(ctx, p)
		return mv.unmoved(ctx, err)
	}
	stop, err := mv.carryOut(ctx, p)
	if err == nil && !stop.Ended() {
		mv.steps.undo(ctx, p)
	}
	return stop, err
}

func (mv *moves) carryOut(ctx context.Context, p *plan) (debugger.Stop, error) {
	for {
		if mv.srv.Dying {
			p.command = api.DebuggerCommand{Name: api.Continue}
		}
		out, err := rpc.Call[rpc2.CommandOut](ctx, mv.srv.Client, "Command", p.command)
		switch {
		case errors.Is(err, rpc.ErrNoProcess):
			return exited(-int(syscall.SIGKILL)), nil // nothing else ends a stopped process
		case errors.Is(err, rpc.ErrCondition) && p.command.Name != api.Call: // in a call, it is the typed expression that failed
			return mv.faulty(ctx, rpc.Unanswered(err))
		case err != nil:
			stop, err := mv.unmoved(ctx, mv.notMoved(p, err))
			stop.Called = p.called
			return stop, err
		}
		state := &out.State
		if state.Exited {
			return mv.ended(state.ExitStatus), nil
		}
		if stop, ok := mv.panicAtEnd(ctx, state); ok {
			mv.steps.cancel(ctx, state)
			return stop, nil
		}
		mv.leaves(ctx, state)
		for _, thread := range threadsAt(state, preprintName) {
			// Without the typed values the stop is still worth its text.
			_ = mv.panics.capture(ctx, thread.GoroutineID)
		}
		mv.tests.reports(ctx, state)
		mv.breakpoints.comes(ctx, state)
		mv.breakpoints.tell(state)
		passed := mv.breakpoints.noErrors(ctx, state)
		mv.stops.waiting = mv.recovery.wanted(ctx, slices.Concat(mv.recovery.sift(ctx, state), mv.recovery.begun(ctx, state, p.called != ""), mv.tests.failures(ctx, state)))
		if len(mv.stops.waiting) > 0 {
			if stop, err := mv.stops.nextWaiting(ctx); !errors.Is(err, errPassed) {
				mv.steps.cancel(ctx, state)
				return stop, err
			}
		}
		switch {
		case (mv.passesOn(state) || passed && !atBreakpoint(state)) && !p.finished(state):
			if control.HaltedHere(mv.halts, state) {
				return mv.arrived(ctx, p, state, true)
			}
			if err := mv.steps.goOn(ctx, p, state); err != nil {
				return mv.unmoved(ctx, err)
			}
		case p.then != nil && p.reached(state):
			mv.steps.cancel(ctx, state)
			mv.steps.undo(ctx, p)
			then := p.then
			p.then = nil
			if err := then(); err != nil {
				return mv.unmoved(ctx, err)
			}
			if p.over {
				p.step = nil
				return mv.arrived(ctx, p, state, false)
			}
		default:
			if through, err := mv.throughPanic(ctx, p, state); err != nil {
				return mv.unmoved(ctx, err)
			} else if !through {
				return mv.arrived(ctx, p, state, false)
			}
		}
	}
}

var errNoCaller = errors.New("this function has no caller: it is where its goroutine began")

// notMoved says in plain words why a command of Delve's did nothing.
func (mv *moves) notMoved(p *plan, err error) error {
	switch {
	case p.called != "":
		return notCalled(p.called, err)
	case errors.Is(err, rpc.ErrOutermost):
		return errNoCaller
	}
	return fmt.Errorf("%s: %w", p.command.Name, err)
}

// finished reports whether a step has ended, whatever else is there.
func (p *plan) finished(state *api.DebuggerState) bool {
	return p.step != nil && p.then == nil && state.StopReason == proc.StopNextFinished.String()
}

// reached reports whether a thread is at the temporary breakpoint.
func (p *plan) reached(state *api.DebuggerState) bool {
	for _, thread := range state.Threads {
		if thread.Breakpoint != nil && p.temporary(thread.Breakpoint) {
			return true
		}
	}
	return false
}

func (p *plan) temporary(b *api.Breakpoint) bool {
	if b.Name == tempName {
		return true
	}
	for _, borrowed := range p.borrowed {
		if borrowed.ID == b.ID {
			return true
		}
	}
	return false
}

// atBreakpoint reports whether any thread is at a breakpoint.
func atBreakpoint(state *api.DebuggerState) bool {
	for _, thread := range state.Threads {
		if thread.Breakpoint != nil {
			return true
		}
	}
	return false
}

// goOn prepares the command that passes a stop which is not to be shown. A step
// goes on with it, or is begun again where Delve has dropped it.
func (sp *steps) goOn(ctx context.Context, p *plan, state *api.DebuggerState) error {
	if p.step == nil || state.NextInProgress || p.then != nil || sp.srv.Dying || p.command.Name == api.Call {
		p.command.Name = api.Continue
		return nil
	}
	return sp.stepAgain(ctx, p, p.step)
}

// stepAgain plans to go on with a step from wherever its goroutine is now.
func (sp *steps) stepAgain(ctx context.Context, p *plan, s *step) error {
	p.step = s
	frames, err := ask.TopFrames(ctx, sp.srv, s.goroutine, deepPage)
	if err != nil {
		return fmt.Errorf("go on with the step of goroutine %d: %w", s.goroutine, err)
	}
	if len(frames) > 0 && isPanic(frames[0]) {
		return sp.intoPanic(ctx, p, s)
	}
	in, err := sp.leaveHandler(ctx, p, s.goroutine, frames, func(int) error { return sp.stepAgain(ctx, p, s) })
	if in || err != nil {
		return err
	}
	for i, f := range frames {
		if f.FrameOffset != s.offset || f.Function.Name() != s.function {
			continue
		}
		if err := ask.SwitchTo(ctx, sp.srv, s.goroutine); err != nil {
			return err
		}
		p.command.Name = s.command
		if i > 0 {
			return sp.leaveInner(ctx, p, s.goroutine, i)
		}
		return nil
	}
	return sp.stepOutside(ctx, p, s, frames)
}

// arrived shows a stop; halted is one at a breakpoint that would be passed.
func (mv *moves) arrived(ctx context.Context, p *plan, state *api.DebuggerState, halted bool) (debugger.Stop, error) {
	if !halted && !p.finished(state) {
		mv.preferStop(ctx, state)
	}
	stop, err := mv.stops.stop(ctx, state)
	mv.srv.Dying = mv.srv.Dying || stop.Crashed() && !stop.LivesOn()
	if halted {
		stop.Reason, stop.Breakpoint = debugger.ReasonHalt, nil
	} else {
		mv.breakpoints.annotate(ctx, p, state, &stop)
		mv.onlyStepped(ctx, p, state, &stop)
		mv.called(ctx, p, state, &stop)
	}
	mv.steps.step = nil
	if p.step != nil && p.finished(state) && stop.Reason == debugger.ReasonStep && mv.stops.panickedDuring(ctx, p.step, stop.Frames) {
		if shown, err := mv.stops.deferredStop(ctx, stop.Goroutine); !errors.Is(err, errPassed) {
			return shown, err
		}
	}
	switch {
	case p.step == nil || p.finished(state) || mv.srv.Dying:
	case stop.Reason == debugger.ReasonHalt, state.NextInProgress && int64(stop.Goroutine) != p.step.goroutine:
		// A halt may be ours. And who waits for others, stepping over
		// wg.Wait(), expects to come back once they were looked at.
		mv.steps.step = p.step
		stop.Step = debugger.GoroutineID(p.step.goroutine)
		return stop, err
	}
	mv.steps.cancel(ctx, state)
	return stop, err
}

// preferStop selects a goroutine at a breakpoint where Delve has selected another one
// that has reached, at the same moment, what does not stop: a tracepoint.
func (mv *moves) preferStop(ctx context.Context, state *api.DebuggerState) {
	passes := func(t *api.Thread) bool {
		return t == nil || t.Breakpoint == nil || t.Breakpoint.Tracepoint || mv.silent(t.Breakpoint.Name)
	}
	if state.CurrentThread == nil || state.CurrentThread.Breakpoint == nil || !passes(state.CurrentThread) {
		return
	}
	at := slices.IndexFunc(state.Threads, func(t *api.Thread) bool { return !passes(t) && t.GoroutineID > 0 })
	if at < 0 || ask.SwitchTo(ctx, mv.steps.srv, state.Threads[at].GoroutineID) != nil {
		return
	}
	if now, err := ask.Status(ctx, mv.srv); err == nil {
		state.CurrentThread, state.SelectedGoroutine = state.Threads[at], now.SelectedGoroutine
	}
}

// cancel has Delve forget a step that something has interrupted.
func (sp *steps) cancel(ctx context.Context, state *api.DebuggerState) {
	if state.NextInProgress {
		_, _ = rpc.Call[rpc2.CancelNextOut](ctx, sp.srv.Client, "CancelNext", rpc2.CancelNextIn{})
		state.NextInProgress = false
	}
}

// unmoved is the stop of a target that could not be moved: it is where it was,
// and says why. The error is returned where there is no target any more.
func (mv *moves) unmoved(ctx context.Context, why error) (debugger.Stop, error) {
	if errors.Is(why, debugger.ErrGone) || ctx.Err() != nil {
		return debugger.Stop{}, why
	}
	stop, err := mv.faulty(ctx, why.Error())
	if err != nil {
		return debugger.Stop{}, errors.Join(why, err)
	}
	stop.Remedy = advice.Of(why)
	return stop, nil
}

// faulty shows where the target is held, with what went wrong.
func (mv *moves) faulty(ctx context.Context, why string) (debugger.Stop, error) {
	state, err := ask.Status(ctx, mv.srv)
	if err != nil {
		return debugger.Stop{}, err
	}
	if state.Exited {
		return mv.ended(state.ExitStatus), nil
	}
	mv.steps.cancel(ctx, state)
	mv.steps.step = nil
	stop, err := mv.stops.stop(ctx, state)
	stop.Fault = why
	return stop, err
}
