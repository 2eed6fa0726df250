package delve

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/goroutines"
	"github.com/pausetui/pausetui/debugger/delve/process"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/stacks"
)

// The functions of the runtime in which a process dies, as they are on the
// stack of its last thread.
var (
	dyingOfPanic  = []string{"runtime.fatalpanic"}
	dyingOfFatal  = []string{"runtime.throw", "runtime.fatal"}
	dyingOfSignal = []string{"runtime.fatalsignal", "runtime.sighandler", "runtime.dieFromSignal"}
)

// lastStop reads from the stacks of a core dump's threads what a live target
// would have been stopped at: no breakpoint says so there. ok is false where
// the process was dumped in the middle of its life.
func (ss *stops) lastStop(ctx context.Context) (stop debugger.Stop, ok bool, err error) {
	out, err := rpc.Call[rpc2.ListThreadsOut](ctx, ss.srv.Client, "ListThreads", rpc2.ListThreadsIn{})
	if err != nil {
		return debugger.Stop{}, false, fmt.Errorf("list the threads: %w", err)
	}
	for _, thread := range out.Threads {
		one, found, err := ss.lastOf(ctx, thread)
		if ctx.Err() != nil || found && !raisedByRuntime(one) {
			return one, found, err
		}
		if found && !ok {
			stop, ok = one, true
		}
	}
	return stop, ok, nil
}

// raisedByRuntime reports whether the runtime may have sent a signal itself: it raises
// SIGQUIT at its other threads, for their stacks, once a signal is about to end the process.
func raisedByRuntime(stop debugger.Stop) bool {
	return stop.Panic != nil && stop.Panic.Message == signalText(syscall.SIGQUIT)
}

// lastOf looks at the goroutine of one thread, or at the thread's own stack.
func (ss *stops) lastOf(ctx context.Context, thread *api.Thread) (debugger.Stop, bool, error) {
	// An evaluation on the thread's stack needs it to be the current one.
	if _, err := rpc.Call[rpc2.CommandOut](ctx, ss.srv.Client, "Command", api.DebuggerCommand{Name: api.SwitchThread, ThreadID: thread.ID}); err != nil {
		return debugger.Stop{}, false, err
	}
	for _, g := range []int64{thread.GoroutineID, -1} {
		if g == 0 {
			continue
		}
		frames, _, err := stacks.Read(ctx, ss.stacks, g, debugger.Page{})
		if err != nil {
			continue
		}
		if at := standsIn(frames, dyingOfPanic); at >= 0 && g > 0 {
			ss.panics.captureLate(ctx, debugger.GoroutineID(g), frames)
			stop, err := ss.panicStop(ctx, thread)
			return stop, true, err
		}
		if at := standsIn(frames, dyingOfFatal); at >= 0 {
			stop, err := ss.deadStop(ctx, thread, ss.thrownText(ctx, debugger.GoroutineID(g), frames, at))
			return stop, true, err
		}
		if at := standsIn(frames, dyingOfSignal); at >= 0 {
			stop, err := ss.deadStop(ctx, thread, ss.signalAt(ctx, debugger.FrameRef{Goroutine: debugger.GoroutineID(g), Frame: at}))
			return stop, true, err
		}
	}
	return debugger.Stop{}, false, nil
}

// standsIn is the outermost frame in one of the functions; -1 without one.
func standsIn(frames []debugger.Frame, functions []string) int {
	for i, f := range slices.Backward(frames) {
		if slices.Contains(functions, f.Function) {
			return i
		}
	}
	return -1
}

// deadStop shows a fatal error that the process was dumped at.
func (ss *stops) deadStop(ctx context.Context, thread *api.Thread, message string) (debugger.Stop, error) {
	crash := &debugger.Panic{Culprit: -1, Message: message, Class: debugger.Classify(message, true, false)}
	stop := debugger.Stop{Reason: debugger.ReasonFatal, Panic: crash, Goroutine: debugger.GoroutineID(thread.GoroutineID), Selected: -1}
	if crash.Class == debugger.Deadlock || stop.Goroutine == 0 {
		stop.Goroutine = goroutines.Choose(ctx, ss.goroutines, 0)
	}
	err := ss.show(ctx, &stop)
	return stop, err
}

// captureLate reads the typed values of a goroutine's panics from where
// runtime.gopanic was called with them: the runtime has turned its own copies
// into text.
func (ps *panics) captureLate(ctx context.Context, g debugger.GoroutineID, frames []debugger.Frame) {
	if len(ps.captured[g]) > 0 {
		return
	}
	var values pending
	for i, f := range frames {
		if f.Function != panicFunction {
			continue
		}
		arg, err := ask.Eval(ctx, ps.srv, debugger.FrameRef{Goroutine: g, Frame: i}, "e", messageLoad)
		if err != nil || arg.Unreadable != "" || len(arg.Children) == 0 || arg.Children[0].Unreadable != "" {
			return
		}
		values = append(values, typed(arg))
	}
	ps.captured[g] = values
}

// throwers are functions of the runtime that throw one thing.
var throwers = map[string]string{
	"runtime.newstack":  "stack overflow",
	"runtime.checkdead": "all goroutines are asleep - deadlock!",
}

// thrownText is the message of runtime.throw in frame at, as far as the dump
// still has it.
func (ss *stops) thrownText(ctx context.Context, g debugger.GoroutineID, frames []debugger.Frame, at int) string {
	message, err := ask.Eval(ctx, ss.srv, debugger.FrameRef{Goroutine: g, Frame: at}, "s", messageLoad)
	if err == nil && message.Unreadable == "" && message.Value != "" {
		return strings.TrimSpace(message.Value)
	}
	if at+1 < len(frames) && throwers[frames[at+1].Function] != "" {
		return throwers[frames[at+1].Function]
	}
	return "fatal error (its text is not in the core dump)"
}

// signalAt names the signal that the process died of, by its handler in frame at, or by
// what has called that: the number is not kept for long in every frame.
func (ss *stops) signalAt(ctx context.Context, at debugger.FrameRef) string {
	for range 2 {
		number, err := ask.Eval(ctx, ss.srv, at, "sig", convert.ChildLoad)
		if n, _ := strconv.Atoi(number.Value); err == nil && number.Unreadable == "" && n > 0 { // a number by its type
			return signalText(syscall.Signal(n))
		}
		at.Frame++
	}
	return "signal (its number is not in the core dump)"
}

// signalText names a signal as the runtime prints it: "SIGQUIT: quit".
func signalText(s syscall.Signal) string { return process.SignalName(int(s)) + ": " + s.String() }
