package delve

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/process"
	"github.com/pausetui/pausetui/debugger/delve/values"
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
func (mv *moves) Resume(ctx context.Context, motion debugger.Motion) (debugger.Stop, error) {
	return mv.Move(ctx, debugger.Move{Motion: motion})
}

// Move lets the target run until it stops or ends. A canceled ctx abandons
// the wait: the target runs on, and its next stop is not reported; Halt and
// Close work meanwhile.
func (mv *moves) Move(ctx context.Context, move debugger.Move) (debugger.Stop, error) {
	if _, ok := commands[move.Motion]; !ok {
		return debugger.Stop{}, fmt.Errorf("resume: unknown motion %q", move.Motion)
	}
	if !mv.srv.Can.Run {
		return debugger.Stop{}, mv.srv.Can.Refuse("run")
	}
	early, err := control.Begin(ctx, mv.halts)
	if err != nil {
		return debugger.Stop{}, err
	}
	if early {
		defer mv.srv.Release()
		return mv.still(ctx)
	}
	values.ForgetMaps(mv.values)
	type outcome struct {
		stop debugger.Stop
		err  error
	}
	done := make(chan outcome, 1)
	go func() {
		defer mv.srv.Tasks.Done()
		stop, err := mv.run(mv.srv.Life, move)
		stop.At = time.Now()
		control.Settle(mv.halts, stop)
		mv.srv.Release()
		if err != nil && mv.srv.Life.Err() != nil {
			err = mv.srv.Gone()
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

// still is the stop of a target that was halted before it could run.
func (mv *moves) still(ctx context.Context) (debugger.Stop, error) {
	state, err := ask.Status(ctx, mv.srv)
	if err != nil {
		return debugger.Stop{}, fmt.Errorf("halt: %w", err)
	}
	stop, err := mv.stops.stop(ctx, state)
	stop.Reason, stop.Breakpoint, stop.At = debugger.ReasonHalt, nil, time.Now()
	return stop, err
}

// passesOn reports whether a stop is not to be shown. After a crash, those that
// other threads run into while the process dies are not.
func (mv *moves) passesOn(state *api.DebuggerState) bool {
	if mv.srv.Dying && state.StopReason != "manual" {
		return true
	}
	ours := false
	for _, thread := range state.Threads {
		switch {
		case thread.Breakpoint == nil:
		case thread.Breakpoint.Tracepoint:
			ours = true
		case thread.Breakpoint.Name == proc.UnrecoveredPanic && mv.recovery.shown[debugger.GoroutineID(thread.GoroutineID)]:
			ours, mv.srv.Dying = true, true
		case mv.silent(thread.Breakpoint.Name) && !(thread.Breakpoint.Name == proc.UnrecoveredPanic && mv.recovery.passed[debugger.GoroutineID(thread.GoroutineID)]):
			ours = true
			mv.srv.Dying = mv.srv.Dying || thread.Breakpoint.Name == proc.UnrecoveredPanic || thread.Breakpoint.Name == proc.FatalThrow
		default:
			return false
		}
	}
	if ours {
		return true
	}
	return control.Stale(mv.halts, state)
}

// silent reports whether a breakpoint of ours or Delve's is not for the person to
// see, in this mode.
func (mv *moves) silent(name string) bool {
	switch name {
	case preprintName, thrownName, failName, exitName, leaveName, reportName:
		return true
	case proc.UnrecoveredPanic: // where each panic is shown as it begins, it was
		return mv.config.Panics != debugger.PanicsAuto && mv.config.Panics != debugger.PanicsUnrecovered && mv.config.Panics != ""
	case proc.FatalThrow:
		return mv.config.Panics == debugger.PanicsOff
	}
	return strings.HasPrefix(name, recoveredName) || strings.HasPrefix(name, saidName) || strings.HasPrefix(name, lineName)
}

// threadsAt lists the threads that are at the breakpoint of that name.
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
	return debugger.Stop{Reason: debugger.ReasonSignal, Exit: &debugger.Exit{Code: -1, Signal: process.SignalName(-status)}, Selected: -1}
}
