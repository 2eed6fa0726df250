package delve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"

	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
)

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
}

// step is a step under way: enough to go on with it when Delve has dropped it,
// which it does at a halt, and at a tracepoint on the same goroutine.
type step struct {
	goroutine int64
	command   string // Delve's
	offset    int64  // of the frame it began in, which names it
	function  string
	pc        uint64
}

// run moves until there is something to show: past our own breakpoints, past
// tracepoints, and past a halt that was meant for an earlier stop.
func (t *Target) run(ctx context.Context, move debugger.Move) (debugger.Stop, error) {
	if move.Motion == debugger.Continue && len(t.waiting) > 0 {
		if stop, err := t.nextWaiting(ctx); !errors.Is(err, errPassed) {
			return stop, err
		}
	}
	p, err := t.plan(ctx, move)
	if err != nil {
		t.undo(ctx, p)
		return t.unmoved(ctx, err)
	}
	stop, err := t.carryOut(ctx, p)
	if err == nil && !stop.Ended() {
		t.undo(ctx, p)
	}
	return stop, err
}

func (t *Target) carryOut(ctx context.Context, p *plan) (debugger.Stop, error) {
	for {
		if t.dying {
			p.command = api.DebuggerCommand{Name: api.Continue}
		}
		out, err := call[rpc2.CommandOut](ctx, t.client, "Command", p.command)
		switch {
		case err != nil && strings.Contains(err.Error(), syscall.ESRCH.Error()):
			return exited(-int(syscall.SIGKILL)), nil // nothing else ends a stopped process
		case err != nil && isCondition(err):
			return t.faulty(ctx, unanswered(err.Error()))
		case err != nil:
			return t.unmoved(ctx, t.notMoved(p, err))
		}
		state := &out.State
		if state.Exited {
			return exited(state.ExitStatus), nil
		}
		for _, thread := range threadsAt(state, preprintName) {
			// Without the typed values the stop is still worth its text.
			_ = t.capture(ctx, thread.GoroutineID)
		}
		t.reports(ctx, state)
		t.tell(state)
		passed := t.noErrors(ctx, state)
		t.waiting = t.wanted(ctx, slices.Concat(t.sift(ctx, state), t.thrown(state), t.failures(ctx, state)))
		if len(t.waiting) > 0 {
			if stop, err := t.nextWaiting(ctx); !errors.Is(err, errPassed) {
				t.cancel(ctx, state)
				return stop, err
			}
		}
		switch {
		case (t.passesOn(state) || passed && !stands(state)) && !p.finished(state):
			if t.haltedHere(state) {
				return t.arrived(ctx, p, state, true)
			}
			if err := t.goOn(ctx, p, state); err != nil {
				return t.unmoved(ctx, err)
			}
		case p.then != nil && p.reached(state):
			t.cancel(ctx, state)
			t.undo(ctx, p)
			then := p.then
			p.then = nil
			if err := then(); err != nil {
				return t.unmoved(ctx, err)
			}
			if p.over {
				p.step = nil
				return t.arrived(ctx, p, state, false)
			}
		default:
			return t.arrived(ctx, p, state, false)
		}
	}
}

// notMoved says in plain words why a command of Delve's did nothing.
func (t *Target) notMoved(p *plan, err error) error {
	text := err.Error()
	switch {
	case strings.Contains(text, "stack object passed to escaping pointer"):
		return fmt.Errorf("%s: an argument lies on the stack, and the function may keep a pointer to it: call -unsafe passes it all the same", p.called)
	case strings.Contains(text, "not at safe point"), strings.Contains(text, "call from unknown function"), strings.Contains(text, "call from within the Go runtime"):
		return fmt.Errorf("%s: the goroutine stands where no function can be called: step to the next line first", p.called)
	case strings.Contains(text, "nothing to stepout to"):
		return errors.New("this function was called by nobody: it is where its goroutine began")
	case p.called != "":
		return fmt.Errorf("%s: %w", p.called, err)
	}
	return fmt.Errorf("%s: %w", p.command.Name, err)
}

// finished tells whether a step has ended, whatever else stands where it did.
func (p *plan) finished(state *api.DebuggerState) bool {
	return p.step != nil && p.then == nil && state.StopReason == proc.StopNextFinished.String()
}

// reached tells whether a thread stands at the temporary breakpoint.
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

// stands tells whether any thread stands at a breakpoint.
func stands(state *api.DebuggerState) bool {
	for _, thread := range state.Threads {
		if thread.Breakpoint != nil {
			return true
		}
	}
	return false
}

// goOn prepares the command that passes a stop which is not to be shown. A step
// goes on with it, or is begun again where Delve has dropped it.
func (t *Target) goOn(ctx context.Context, p *plan, state *api.DebuggerState) error {
	if p.step == nil || state.NextInProgress || p.then != nil || t.dying || p.command.Name == api.Call {
		p.command.Name = api.Continue
		return nil
	}
	return t.stepAgain(ctx, p, p.step)
}

// stepAgain plans to go on with a step from wherever its goroutine is now.
func (t *Target) stepAgain(ctx context.Context, p *plan, s *step) error {
	p.step = s
	frames, err := call[rpc2.StacktraceOut](ctx, t.client, "Stacktrace", rpc2.StacktraceIn{Id: s.goroutine, Depth: deepPage})
	if err != nil {
		return fmt.Errorf("go on with the step of goroutine %d: %w", s.goroutine, err)
	}
	for i, f := range frames.Locations {
		if f.FrameOffset != s.offset || f.Function.Name() != s.function {
			continue
		}
		if err := t.switchTo(ctx, s.goroutine); err != nil {
			return err
		}
		p.command.Name = s.command
		if i > 0 {
			return t.leaveInner(ctx, p, s.goroutine, i)
		}
		return nil
	}
	p.command.Name = api.Continue // its frame is gone: there is nothing to step in
	p.step = nil
	return nil
}

// arrived shows a stop; halted is one at a breakpoint that would be passed.
func (t *Target) arrived(ctx context.Context, p *plan, state *api.DebuggerState, halted bool) (debugger.Stop, error) {
	stop, err := t.stop(ctx, state)
	t.dying = t.dying || stop.Crashed() && !stop.LivesOn()
	if halted {
		stop.Reason, stop.Breakpoint = debugger.ReasonHalt, nil
	} else {
		t.annotate(ctx, p, state, &stop)
	}
	t.step = nil
	switch {
	case p.step == nil || p.finished(state) || t.dying:
	case stop.Reason == debugger.ReasonHalt, state.NextInProgress && int64(stop.Goroutine) != p.step.goroutine:
		// A halt may be ours. And who waits for others, stepping over
		// wg.Wait(), expects to come back once they were looked at.
		t.step = p.step
		stop.Step = debugger.GoroutineID(p.step.goroutine)
		return stop, err
	}
	t.cancel(ctx, state)
	return stop, err
}

// cancel has Delve forget a step that something has interrupted.
func (t *Target) cancel(ctx context.Context, state *api.DebuggerState) {
	if state.NextInProgress {
		_, _ = call[rpc2.CancelNextOut](ctx, t.client, "CancelNext", rpc2.CancelNextIn{})
		state.NextInProgress = false
	}
}

// unmoved is the stop of a target that could not be moved: it is where it was,
// and says why. The error is returned where there is no target any more.
func (t *Target) unmoved(ctx context.Context, why error) (debugger.Stop, error) {
	if errors.Is(why, debugger.ErrGone) || ctx.Err() != nil {
		return debugger.Stop{}, why
	}
	stop, err := t.faulty(ctx, why.Error())
	if err != nil {
		return debugger.Stop{}, errors.Join(why, err)
	}
	return stop, nil
}

// faulty shows where the target is held, with what went wrong.
func (t *Target) faulty(ctx context.Context, why string) (debugger.Stop, error) {
	state, err := t.status(ctx)
	if err != nil {
		return debugger.Stop{}, err
	}
	if state.Exited {
		return exited(state.ExitStatus), nil
	}
	t.cancel(ctx, state)
	t.step = nil
	stop, err := t.stop(ctx, state)
	stop.Fault = why
	return stop, err
}
