package delve

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger"
)

// commands are Delve's names of the motions.
var commands = map[debugger.Motion]string{
	debugger.Continue:               api.Continue,
	debugger.Next:                   api.Next,
	debugger.StepIn:                 api.Step,
	debugger.StepOut:                api.StepOut,
	debugger.StepInstruction:        api.StepInstruction,
	debugger.NextInstruction:        api.NextInstruction,
	debugger.ContinueTo:             api.Continue,
	debugger.StepCall:               api.Next,
	debugger.CallFunction:           api.Call,
	debugger.Rewind:                 api.Rewind,
	debugger.ReverseNext:            api.ReverseNext,
	debugger.ReverseStep:            api.ReverseStep,
	debugger.ReverseStepOut:         api.ReverseStepOut,
	debugger.ReverseStepInstruction: api.ReverseStepInstruction,
	debugger.ReverseNextInstruction: api.ReverseNextInstruction,
}

// Resume is Move for a motion that needs nothing else.
func (t *Target) Resume(ctx context.Context, motion debugger.Motion) (debugger.Stop, error) {
	return t.Move(ctx, debugger.Move{Motion: motion})
}

// Move lets the target run until it stops or ends. A cancelled ctx abandons
// the wait: the target runs on, and its next stop is not reported; Halt and
// Close work meanwhile.
func (t *Target) Move(ctx context.Context, move debugger.Move) (debugger.Stop, error) {
	if _, ok := commands[move.Motion]; !ok {
		return debugger.Stop{}, fmt.Errorf("resume: unknown motion %q", move.Motion)
	}
	if !t.can.Run {
		return debugger.Stop{}, t.can.Refuse("run")
	}
	early, err := t.begin(ctx)
	if err != nil {
		return debugger.Stop{}, err
	}
	if early {
		defer t.release()
		return t.still(ctx)
	}
	type outcome struct {
		stop debugger.Stop
		err  error
	}
	done := make(chan outcome, 1)
	go func() {
		defer t.tasks.Done()
		stop, err := t.run(t.life, move)
		stop.At = time.Now()
		t.settle(stop)
		t.release()
		if err != nil && t.life.Err() != nil {
			err = t.gone()
		}
		done <- outcome{stop, err}
	}()
	select {
	case o := <-done:
		return o.stop, o.err
	case <-ctx.Done():
		return debugger.Stop{}, ctx.Err()
	}
}

// begin takes the queue for a resume, which reads under way may hold up. early
// tells that the target was halted meanwhile and shall not run at all.
func (t *Target) begin(ctx context.Context) (early bool, err error) {
	t.mu.Lock()
	if t.state == stopped {
		t.resuming, t.halting = true, false
	}
	t.mu.Unlock()
	err = t.take(ctx)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		if t.state != running {
			t.resuming = false
		}
		return false, err
	}
	early = t.resuming && t.halting && !t.dying
	t.resuming, t.halting = false, false
	if !early {
		t.state, t.maps = running, nil
		t.runs++
		t.tasks.Add(1)
	}
	return early, nil
}

// still is the stop of a target that was halted before it could run.
func (t *Target) still(ctx context.Context) (debugger.Stop, error) {
	state, err := t.status(ctx)
	if err != nil {
		return debugger.Stop{}, fmt.Errorf("halt: %w", err)
	}
	stop, err := t.stop(ctx, state)
	stop.Reason, stop.Breakpoint, stop.At = debugger.ReasonHalt, nil, time.Now()
	return stop, err
}

// settle records that the target does not run any more.
func (t *Target) settle(stop debugger.Stop) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.staleHalt = t.halting && (stop.Reason != debugger.ReasonHalt || t.haltedEarly)
	t.haltedEarly = false
	if t.state == running {
		t.state = stopped
	}
	if stop.Ended() {
		t.state, t.exit = ended, stop.Exit
	}
}

// passesOn tells whether a stop is not to be shown. After a crash, those that
// other threads run into while the process dies are not.
func (t *Target) passesOn(state *api.DebuggerState) bool {
	if t.dying && state.StopReason != "manual" {
		return true
	}
	ours := false
	for _, thread := range state.Threads {
		switch {
		case thread.Breakpoint == nil:
		case thread.Breakpoint.Tracepoint:
			ours = true
		case t.silent(thread.Breakpoint.Name) && !(thread.Breakpoint.Name == proc.UnrecoveredPanic && t.passed[debugger.GoroutineID(thread.GoroutineID)]):
			ours = true
			t.dying = t.dying || thread.Breakpoint.Name == proc.UnrecoveredPanic || thread.Breakpoint.Name == proc.FatalThrow
		default:
			return false
		}
	}
	if ours {
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	stale := state.StopReason == "manual" && t.staleHalt && !t.halting
	t.staleHalt = false
	return stale
}

// haltedHere tells whether a halt was asked for when the target came to a
// breakpoint that it would pass: it may have come too late to be Delve's reason.
func (t *Target) haltedHere(state *api.DebuggerState) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.haltedEarly = t.halting && !t.dying && state.StopReason != proc.StopManual.String()
	return t.halting && !t.dying
}

// silent tells whether a breakpoint of ours or Delve's is not for the person to
// see, in this mode.
func (t *Target) silent(name string) bool {
	switch name {
	case preprintName, thrownName, failName, exitName, reportName:
		return true
	case proc.UnrecoveredPanic: // where each panic is shown as it begins, it was
		return t.config.Panics != debugger.PanicsAuto && t.config.Panics != debugger.PanicsUnrecovered && t.config.Panics != ""
	case proc.FatalThrow:
		return t.config.Panics == debugger.PanicsOff
	}
	return strings.HasPrefix(name, swallowName) || strings.HasPrefix(name, saidName)
}

// threadsAt lists the threads that stand at the breakpoint of that name.
func threadsAt(state *api.DebuggerState, name string) []*api.Thread {
	var found []*api.Thread
	for _, thread := range state.Threads {
		if thread.Breakpoint != nil && thread.Breakpoint.Name == name {
			found = append(found, thread)
		}
	}
	return found
}

// exited makes the stop of a process that is gone; Delve gives the signal that
// killed it as a negative status.
func exited(status int) debugger.Stop {
	if status >= 0 {
		return debugger.Stop{Reason: debugger.ReasonExited, Exit: &debugger.Exit{Code: status}, Selected: -1}
	}
	return debugger.Stop{Reason: debugger.ReasonSignal, Exit: &debugger.Exit{Code: -1, Signal: signalName(-status)}, Selected: -1}
}
