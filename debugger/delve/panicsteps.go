package delve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/source"
	"github.com/pausetui/pausetui/debugger/delve/stacks"
)

// panicFunction runs the deferred functions. The program has no next line there, so a step goes
// on to the next deferred function of the user's, or to where the function that recovered has
// returned. Its other deferred functions have run by then.
const panicFunction = "runtime.gopanic"

func isPanic(f api.Stackframe) bool { return f.Function.Name() == panicFunction }

// gopanicIn is the index of the innermost gopanic in a stack; -1 if there is none.
func gopanicIn(frames []debugger.Frame) int {
	return slices.IndexFunc(frames, func(f debugger.Frame) bool { return f.Function == panicFunction })
}

// mostPanicSteps bounds the steps through a panic.
const mostPanicSteps = 400

// panicking is where gopanic is in a stack, if nothing of the user's runs in it; negative otherwise.
func panicking(frames []debugger.Frame) int {
	for i, f := range frames {
		switch {
		case f.Function == panicFunction:
			return i
		case f.User && !isDeferWrapper(f.Function):
			return -1
		}
	}
	return -1
}

// isDeferWrapper reports whether the compiler has made a function for a deferred call.
func isDeferWrapper(function string) bool {
	return strings.HasPrefix(method(function), "deferwrap")
}

// throughPanic goes on with a step that has ended in a panic; false where it has not.
func (mv *moves) throughPanic(ctx context.Context, p *plan, state *api.DebuggerState) (bool, error) {
	if !p.finished(state) || state.SelectedGoroutine == nil || p.inPanic >= mostPanicSteps || len(threadsAt(state, proc.UnrecoveredPanic)) > 0 {
		return false, nil
	}
	g := state.SelectedGoroutine.ID
	frames, _, err := stacks.Read(ctx, mv.stops.stacks, g, debugger.Page{})
	if err != nil {
		return false, err
	}
	at := panicking(frames)
	if at < 0 {
		return false, nil
	}
	if p.inPanic++; p.inPanic == 1 {
		if err := mv.steps.awaitRecovery(ctx, p, g); err != nil && !errors.Is(err, rpc.ErrOutermost) {
			return false, err
		}
	}
	p.command.Name = api.StepOut // of a library's function that is deferred
	if at == 0 || isDeferWrapper(frames[0].Function) {
		p.command.Name = api.Step
	}
	return true, nil
}

// intoPanic goes on with a step where its statement panics: to a deferred function.
func (sp *steps) intoPanic(ctx context.Context, p *plan, s *step) error {
	if err := sp.awaitRecovery(ctx, p, s.goroutine); err != nil && !errors.Is(err, rpc.ErrOutermost) {
		return err
	}
	p.inPanic++
	p.command.Name = api.Step
	return ask.SwitchTo(ctx, sp.srv, s.goroutine)
}

// awaitRecovery sets the temporary breakpoint where the functions return that may recover. It
// fails with rpc.ErrOutermost where none has a caller.
func (sp *steps) awaitRecovery(ctx context.Context, p *plan, goroutine int64) error {
	frames, err := ask.TopFrames(ctx, sp.srv, goroutine, deepPage)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(frames, isPanic)
	var addrs []uint64
	var offsets []string
	returns := false // the frame above may recover
	for _, f := range frames[at+1:] {
		if source.IsRuntime(f.Function.Name(), f.File) {
			continue
		}
		if returns {
			addrs, offsets = append(addrs, f.PC), append(offsets, fmt.Sprintf("runtime.frameoff == %d", f.FrameOffset))
		}
		returns = true
	}
	if len(addrs) == 0 {
		return rpc.ErrOutermost
	}
	slices.Sort(addrs)
	slices.Sort(offsets)
	return sp.temporarily(ctx, p, slices.Compact(addrs), fmt.Sprintf("runtime.curg.goid == %d && (%s)", goroutine, strings.Join(slices.Compact(offsets), " || ")))
}

// fromPanic plans a step in gopanic's frame, or in one below it, which does not continue: the step
// goes to the deferred functions. It reports false for other frames, and for steps by
// instruction. frames are those of the goroutine down to that of the move.
func (sp *steps) fromPanic(ctx context.Context, p *plan, move debugger.Move, goroutine int64, frames []api.Stackframe) (bool, error) {
	at := slices.IndexFunc(frames, isPanic)
	switch {
	case at < 0 || at > move.Frame:
		return false, nil
	case move.Motion == debugger.StepOut:
		p.command.Name = api.Continue
		err := sp.awaitRecovery(ctx, p, goroutine)
		if errors.Is(err, rpc.ErrOutermost) {
			err = errNoCaller
		}
		return true, err
	case move.Motion != debugger.Next && move.Motion != debugger.StepIn:
		return false, nil
	case at == 0:
		p.command.Name = api.Step
	}
	s, err := sp.beginStep(ctx, p.command.Name, 0)
	p.step = s
	return true, err
}
