package delve

import (
	"context"
	"slices"
	"strings"

	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/stacks"
)

// leaveName names our breakpoint on what is called before the process ends, by os.Exit or as main
// has returned. One on os.Exit itself would be in the way of the person's.
const leaveName = "pausetuiLeave"

// watchExit has the place noted where the program ends itself.
func (mv *moves) watchExit(ctx context.Context) error {
	err := ask.SilentBreak(ctx, mv.srv, api.Breakpoint{Name: leaveName, FunctionName: "runtime.runExitHooks"})
	if err != nil && taken(err) { // another client of the same server has it
		return nil
	}
	return err
}

// leaves notes where a goroutine is about to end the program.
func (mv *moves) leaves(ctx context.Context, state *api.DebuggerState) {
	for _, thread := range threadsAt(state, leaveName) {
		frames, _, err := stacks.Read(ctx, mv.stops.stacks, thread.GoroutineID, debugger.Page{})
		if err == nil { // without, the exit has no place
			mv.left = leavingFrom(frames)
		}
	}
}

// leavingFrom finds the user's frame that led to the end of the program, and what it
// called for that: os.Exit, log.Fatal, or a function of another library's.
func leavingFrom(frames []debugger.Frame) *debugger.ExitPlace {
	at := slices.IndexFunc(frames, ownFrame)
	if at < 1 {
		return nil
	}
	f := frames[at]
	return &debugger.ExitPlace{Call: frames[at-1].Function, Function: f.Function, File: f.File, Line: f.Line,
		Panicking: slices.ContainsFunc(frames, func(f debugger.Frame) bool { return strings.HasPrefix(f.Function, panicFunction) })}
}

// ended is the stop of a process that is gone, with the place where it ended itself.
func (mv *moves) ended(status int) debugger.Stop {
	stop := exited(status)
	if stop.Exit.Signal == "" {
		stop.Exit.At = mv.left
	}
	return stop
}
