package delve

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"syscall"

	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/goroutines"
	"github.com/pausetui/pausetui/debugger/delve/source"
	"github.com/pausetui/pausetui/debugger/delve/stacks"
	"github.com/pausetui/pausetui/internal/printable"
)

// stops says why the target stopped, and shows where.
type stops struct {
	srv         *control.Server
	sources     *source.Finder
	stacks      *stacks.Unwinder
	goroutines  *goroutines.Lister
	panics      *panics
	recovery    *recovery
	tests       *tests
	requests    *requests
	breakpoints *breakpoints

	waiting []waiting // with something to show, still to be shown
}

const (
	// deepPage is the number of frames searched for the culprit.
	deepPage = 512
	// neighbors is the number of the user's frames on each side of a
	// crash's culprit whose variables are read at once.
	neighbors = 2
)

// stop says why the target stopped, and shows where.
func (ss *stops) stop(ctx context.Context, state *api.DebuggerState) (debugger.Stop, error) {
	if at := threadsAt(state, proc.UnrecoveredPanic); len(at) > 0 {
		return ss.panicStop(ctx, at[0])
	}
	if at := threadsAt(state, proc.FatalThrow); len(at) > 0 {
		return ss.fatalStop(ctx, at[0])
	}
	stop := debugger.Stop{Reason: debugger.ReasonStep, Selected: -1}
	thread := state.CurrentThread
	for _, th := range state.Threads {
		if th.Breakpoint != nil && (thread == nil || thread.Breakpoint == nil) {
			thread = th
		}
	}
	switch {
	case thread != nil && thread.Breakpoint != nil && thread.Breakpoint.Name == tempName:
	case thread != nil && thread.Breakpoint != nil:
		stop.Reason = debugger.ReasonBreakpoint
		if thread.Breakpoint.ID > 0 {
			b := ss.breakpoints.breakpointAt(thread.Breakpoint)
			stop.Breakpoint = &b
		}
	case state.StopReason == "manual":
		stop.Reason = debugger.ReasonHalt
	case strings.Contains(state.StopReason, "breakpoint"):
		stop.Reason = debugger.ReasonBreakpoint
	}
	if thread != nil {
		stop.Goroutine = debugger.GoroutineID(thread.GoroutineID)
	}
	if state.SelectedGoroutine != nil && (stop.Reason != debugger.ReasonBreakpoint || stop.Goroutine == 0) {
		stop.Goroutine = debugger.GoroutineID(state.SelectedGoroutine.ID)
	}
	if stop.Reason == debugger.ReasonHalt {
		stop.Goroutine = goroutines.Choose(ctx, ss.goroutines, stop.Goroutine)
	}
	err := ss.show(ctx, &stop)
	return stop, err
}

// panicStop shows an unrecovered panic.
func (ss *stops) panicStop(ctx context.Context, at *api.Thread) (debugger.Stop, error) {
	stop := debugger.Stop{Reason: debugger.ReasonPanic, Goroutine: debugger.GoroutineID(at.GoroutineID), Selected: -1}
	panics, err := ss.panics.crash(ctx, stop.Goroutine)
	if len(panics) == 0 {
		panics = []debugger.Panic{{Class: debugger.Custom, Message: fmt.Sprintf("(unreadable: %v)", err), Culprit: -1}}
		if ss.sources.Bare() {
			panics[0].Message = "(unreadable without debug information: going on, the program prints it)"
		}
	}
	last := panics[len(panics)-1]
	last.Chain = panics[:len(panics)-1]
	last.Recovered = false
	stop.Panic = &last
	if names := timedOut(last.Message); len(names) > 0 {
		if g, test := ss.tests.stuck(ctx, names); g > 0 {
			last.Class, stop.Goroutine, stop.Test = debugger.TestFailure, g, &debugger.FailingTest{Name: printable.Name(test), Call: "timeout"}
		}
	}
	err = ss.show(ctx, &stop)
	return stop, err
}

// fatalStop shows a fatal error of the runtime.
func (ss *stops) fatalStop(ctx context.Context, at *api.Thread) (debugger.Stop, error) {
	// The runtime may throw on its own stack, where no goroutine is current:
	// then Delve takes the thread.
	message, err := ask.Eval(ctx, ss.srv, debugger.FrameRef{Goroutine: -1}, "s", messageLoad)
	crash := &debugger.Panic{Culprit: -1}
	switch {
	case err == nil:
		crash.Message = strings.TrimSpace(message.Value)
	case at.Function != nil && at.Function.Name() == "runtime.fatalsignal":
		crash.Message = ss.fatalSignal(ctx)
	default:
		crash.Message = fmt.Sprintf("(unreadable: %v)", err)
	}
	crash.Class = debugger.Classify(crash.Message, true, false)
	stop := debugger.Stop{Reason: debugger.ReasonFatal, Panic: crash, Goroutine: debugger.GoroutineID(at.GoroutineID), Selected: -1}
	if crash.Class == debugger.Deadlock || stop.Goroutine == 0 {
		stop.Goroutine = goroutines.Choose(ctx, ss.goroutines, 0)
	}
	err = ss.show(ctx, &stop)
	return stop, err
}

// fatalSignal names the signal that the runtime is about to die of.
func (ss *stops) fatalSignal(ctx context.Context) string {
	number, err := ask.Eval(ctx, ss.srv, debugger.FrameRef{Goroutine: -1}, "sig", convert.ChildLoad)
	if err != nil {
		return fmt.Sprintf("(unreadable: %v)", err)
	}
	n, _ := strconv.Atoi(number.Value) // a number by its type
	return signalText(syscall.Signal(n))
}

// show reads the stack of the stop's goroutine, chooses the frame to show and
// reads the variables around it.
func (ss *stops) show(ctx context.Context, stop *debugger.Stop) error {
	goroutines.NoteStop(ss.goroutines)
	stop.Goroutines = goroutines.Count(ctx, ss.goroutines)
	frames, more, err := stacks.Read(ctx, ss.stacks, int64(stop.Goroutine), debugger.Page{})
	if err != nil && ctx.Err() == nil { // halted before the runtime has made its first goroutine
		stop.Goroutine = 0
		frames, more, err = stacks.Read(ctx, ss.stacks, -1, debugger.Page{})
	}
	if err != nil {
		return fmt.Errorf("read the stack: %w", err)
	}
	stop.Frames, stop.MoreFrames = frames, more
	stop.Selected = ss.selected(stop)
	if more && (stop.Selected < 0 || !recursionSeen(stop)) { // a deep stack of library frames
		if deep, more, err := stacks.Read(ctx, ss.stacks, int64(stop.Goroutine), debugger.Page{Count: deepPage}); err == nil {
			stop.Frames, stop.MoreFrames = deep, more
			stop.Selected = ss.selected(stop)
		}
	}
	if stop.Panic != nil {
		stop.Panic.Culprit = stop.Selected
		stop.Panic.Repanicked = stop.Panic.Repanicked && !debugger.PassedOnByTesting(stop.Frames)
	}
	if ss.recovery.muted(stop) {
		return errPassed
	}
	if stop.Panic != nil {
		stop.Block = goroutines.Block(ctx, ss.goroutines, stop.Goroutine)
	}
	if stop.Selected < 0 {
		stop.Selected = 0
		return nil
	}
	ss.loadAround(ctx, stop)
	return nil
}

// recursionSeen reports whether the frames of a stack overflow, if it is one, show
// which of the user's functions recurse.
func recursionSeen(stop *debugger.Stop) bool {
	if stop.Panic == nil || stop.Panic.Class != debugger.StackOverflow {
		return true
	}
	most, _ := debugger.Recursion(stop.Frames, ownFrame)
	return most > 1
}

func ownFrame(f debugger.Frame) bool { return f.User }

// selected returns the culprit of a crash, else the user's innermost frame.
func (ss *stops) selected(stop *debugger.Stop) int {
	if stop.Test != nil {
		return ss.tests.asserting(stop.Frames)
	}
	if stop.Panic == nil {
		if (stop.Reason == debugger.ReasonBreakpoint || stop.Reason == debugger.ReasonStep) && len(stop.Frames) > 0 && !stop.Frames[0].Runtime {
			return 0 // the place that was asked for, also in a library
		}
		return debugger.Culprit(stop.Frames, nil, ownFrame)
	}
	panics := append(stop.Panic.Chain[:len(stop.Panic.Chain):len(stop.Panic.Chain)], *stop.Panic)
	above := 0 // the deferred function that has recovered, or may do so
	if stop.Panic.Recovered || stop.Panic.Thrown {
		above = max(gopanicIn(stop.Frames), 0)
	}
	if at := debugger.Culprit(stop.Frames[above:], panics, ownFrame); at >= 0 {
		return above + at
	}
	return -1
}

// loadAround reads the variables of the selected frame and, of a crash or a
// failing test, of the user's frames next to it: what went wrong often came from
// there. Others are read when they are looked at; a step does not wait for them.
// A frame that cannot be read says why.
func (ss *stops) loadAround(ctx context.Context, stop *debugger.Stop) {
	if stop.Panic == nil && stop.Test == nil {
		ss.load(ctx, stop, stop.Selected)
		return
	}
	for i, left := stop.Selected, neighbors+1; i >= 0 && left > 0; i-- {
		left -= ss.loadUser(ctx, stop, i)
	}
	for i, left := stop.Selected+1, neighbors; i < len(stop.Frames) && left > 0; i++ {
		left -= ss.loadUser(ctx, stop, i)
	}
}

// loadUser returns how many frames it has read: one of the user's, or none.
func (ss *stops) loadUser(ctx context.Context, stop *debugger.Stop, i int) int {
	if !stop.Frames[i].User {
		return 0
	}
	ss.load(ctx, stop, i)
	return 1
}

func (ss *stops) load(ctx context.Context, stop *debugger.Stop, i int) {
	at := debugger.FrameRef{Goroutine: stop.Goroutine, Frame: i}
	if err := stacks.LoadFrame(ctx, ss.stacks, at, &stop.Frames[i], stop.Panic != nil || stop.Test != nil); err != nil {
		stop.Frames[i].Err = err.Error()
	}
}
