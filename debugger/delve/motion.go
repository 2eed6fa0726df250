package delve

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/places"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/internal/advice"
)

// steps plans moves as commands of Delve's and temporary breakpoints.
type steps struct {
	srv    *control.Server
	places *places.Locator
	step   *step // that was interrupted, and can be gone on with; nil without one
}

// tempName is the name of the temporary breakpoint of a move.
const tempName = "pausetuiHere"

// errNoGoroutine: a thread runs none, or not yet.
var errNoGoroutine = errors.New("no goroutine runs on this thread")

// Ready tells why a move cannot even begin; the target is left as it is.
func (sp *steps) Ready(ctx context.Context, move debugger.Move) error {
	return sp.srv.Do(ctx, func(ctx context.Context) error {
		switch {
		case move.Motion.Backwards():
			return ask.Recorded(ctx, sp.srv)
		case move.Motion == debugger.ContinueTo:
			_, err := sp.destination(ctx, move)
			return err
		case move.Motion == debugger.CallFunction:
			if err := places.Expression(move.Expr); err != nil {
				return fmt.Errorf("call %q: %w", move.Expr, err)
			}
		}
		return nil
	})
}

// plan makes the plan of a move, and what it needs in the target. What it
// returns is to be undone, also with an error.
func (sp *steps) plan(ctx context.Context, move debugger.Move) (*plan, error) {
	load := convert.ChildLoad
	p := &plan{command: api.DebuggerCommand{Name: commands[move.Motion], ReturnInfoLoadConfig: &load}}
	if move.Motion == debugger.Continue && move.KeepStep && sp.step != nil {
		return p, sp.keepStep(ctx, p)
	}
	if sp.step != nil {
		_, _ = rpc.Call[rpc2.CancelNextOut](ctx, sp.srv.Client, "CancelNext", rpc2.CancelNextIn{})
		sp.step = nil
	}
	switch move.Motion {
	case debugger.Continue, debugger.Rewind:
		return p, nil
	case debugger.ContinueTo:
		addrs, err := sp.destination(ctx, move)
		if err != nil {
			return p, err
		}
		return p, sp.temporarily(ctx, p, addrs, "")
	}
	if move.Goroutine > 0 {
		if err := ask.SwitchTo(ctx, sp.srv, int64(move.Goroutine)); err != nil {
			return p, err
		}
	}
	return p, sp.begin(ctx, p, move)
}

// begin plans a step or a call of the current goroutine. If that is in a signal handler, the
// handler is run to its end first; if it panics, a step goes to the deferred functions.
func (sp *steps) begin(ctx context.Context, p *plan, move debugger.Move) error {
	state, err := ask.Status(ctx, sp.srv)
	if err != nil {
		return err
	}
	if state.SelectedGoroutine == nil || move.Motion.Backwards() {
		return sp.beginHere(ctx, p, move)
	}
	goroutine := state.SelectedGoroutine.ID
	frames, err := ask.TopFrames(ctx, sp.srv, goroutine, max(handlerDepth, move.Frame+1))
	if err != nil {
		return err
	}
	in, err := sp.leaveHandler(ctx, p, goroutine, frames, func(left int) error {
		p.command.Name, move.Frame = commands[move.Motion], max(move.Frame-left, 0)
		if err := ask.SwitchTo(ctx, sp.srv, goroutine); err != nil {
			return err
		}
		return sp.begin(ctx, p, move)
	})
	if in || err != nil {
		return err
	}
	if from, err := sp.fromPanic(ctx, p, move, goroutine, frames); from || err != nil {
		return err
	}
	return sp.beginHere(ctx, p, move)
}

// beginHere plans a step or a call of the current goroutine from where it is.
func (sp *steps) beginHere(ctx context.Context, p *plan, move debugger.Move) error {
	switch move.Motion {
	case debugger.CallFunction:
		p.command.Expr, p.command.UnsafeCall, p.called = move.Expr, move.Unsafe, move.Expr
		if move.Frame > 0 {
			p.command.Expr = ask.SeenFromInside(ctx, sp.srv, debugger.FrameRef{Goroutine: debugger.GoroutineID(-1), Frame: move.Frame}, move.Expr)
		}
		return nil
	case debugger.StepCall:
		return sp.stepCall(ctx, p, move)
	}
	return sp.stepping(ctx, p, move)
}

// keepStep goes on with the step that was interrupted.
func (sp *steps) keepStep(ctx context.Context, p *plan) error {
	state, err := ask.Status(ctx, sp.srv)
	if err != nil {
		return err
	}
	p.step, sp.step = sp.step, nil
	return sp.goOn(ctx, p, state)
}

// stepping plans a step of the current goroutine, in the frame that is looked
// at: those inside of it are left first, so that a step begins on the line that
// is shown.
func (sp *steps) stepping(ctx context.Context, p *plan, move debugger.Move) error {
	byInstruction := move.Motion == debugger.StepInstruction || move.Motion == debugger.NextInstruction
	if byInstruction || move.Motion.Backwards() {
		return nil
	}
	s, err := sp.beginStep(ctx, p.command.Name, move.Frame)
	if errors.Is(err, errNoGoroutine) { // the thread steps as well
		return nil
	}
	if err != nil {
		return err
	}
	p.step = s
	if move.Frame > 0 {
		return sp.leaveInner(ctx, p, s.goroutine, move.Frame)
	}
	return nil
}

// stepCall plans to step into one call of the line: to its instruction first,
// past whatever the line does before, and then in. A line that does not make
// the call after all ends the step.
func (sp *steps) stepCall(ctx context.Context, p *plan, move debugger.Move) error {
	s, err := sp.beginStep(ctx, api.Step, move.Frame)
	if err != nil {
		return err
	}
	p.step = s
	into := func() error { //nolint:unparam // as plan.then is
		p.command.Name = api.Step
		return nil
	}
	toCall := func() error {
		p.command.Name, p.then = api.Next, into
		return sp.temporarily(ctx, p, []uint64{move.Callee}, inFrame(s.goroutine, s.offset))
	}
	switch {
	case move.Frame > 0:
		err := sp.leaveInner(ctx, p, s.goroutine, move.Frame)
		p.then = toCall
		return err
	case s.pc == move.Callee:
		return into()
	}
	return toCall()
}

// beginStep notes where a step begins.
func (sp *steps) beginStep(ctx context.Context, command string, frame int) (*step, error) {
	state, err := ask.Status(ctx, sp.srv)
	if err != nil {
		return nil, err
	}
	if state.SelectedGoroutine == nil {
		return nil, errNoGoroutine
	}
	s := &step{goroutine: state.SelectedGoroutine.ID, command: command}
	at, err := ask.FrameAt(ctx, sp.srv, s.goroutine, frame)
	if err != nil {
		return nil, err
	}
	s.offset, s.function, s.pc = at.FrameOffset, at.Function.Name(), at.PC
	if frame == 0 {
		s.around = ask.AroundOffset(ctx, sp.srv, s.goroutine, s.function)
	}
	return s, nil
}

// leaveInner runs to where a frame goes on when those inside of it have returned,
// before the command of the plan.
func (sp *steps) leaveInner(ctx context.Context, p *plan, goroutine int64, frame int) error {
	at, err := ask.FrameAt(ctx, sp.srv, goroutine, frame)
	if err != nil {
		return err
	}
	command := p.command.Name
	p.command.Name = api.Continue
	p.then = func() error {
		p.command.Name = command
		if s := p.step; s != nil && s.around == 0 {
			s.around = ask.AroundOffset(ctx, sp.srv, goroutine, s.function)
		}
		if command != api.Next && command != api.Step {
			return nil
		}
		// Where a call is the last instruction of its line, that is the next one.
		now, err := ask.FrameAt(ctx, sp.srv, goroutine, 0)
		p.over = err == nil && now.Line != at.Line
		return err
	}
	return sp.temporarily(ctx, p, []uint64{at.PC}, inFrame(goroutine, at.FrameOffset))
}

// inFrame is the condition of a frame: no other has its offset from the
// beginning of its goroutine's stack, which stays when the stack moves.
func inFrame(goroutine, offset int64) string {
	return fmt.Sprintf("runtime.frameoff == %d && runtime.curg.goid == %d", offset, goroutine)
}

// destination lists the addresses that a ContinueTo goes to.
func (sp *steps) destination(ctx context.Context, move debugger.Move) ([]uint64, error) {
	location := move.Location
	if location == "" {
		location = fmt.Sprintf("%s:%d", move.File, move.Line)
	}
	addrs, err := places.Addresses(ctx, sp.places, debugger.FrameRef{Goroutine: move.Goroutine, Frame: move.Frame}, location)
	if err != nil {
		return nil, fmt.Errorf("run to %q: %w", location, err)
	}
	return addrs, nil
}

// temporarily sets the temporary breakpoint of a plan. Where a breakpoint of
// the user's is there already, Delve takes no second one: it serves as the
// temporary one, and is put back by undo.
func (sp *steps) temporarily(ctx context.Context, p *plan, addrs []uint64, cond string) error {
	p.places = true
	list, err := ask.Breakpoints(ctx, sp.srv)
	if err != nil {
		return err
	}
	for _, b := range list {
		if b.ID <= 0 || b.Disabled || b.WatchExpr != "" {
			continue
		}
		before := len(addrs)
		addrs = slices.DeleteFunc(addrs, func(a uint64) bool { return slices.Contains(b.Addrs, a) })
		if len(addrs) == before {
			continue
		}
		lent := *b
		lent.Cond, lent.HitCond, lent.Tracepoint = cond, "", false
		if _, err := rpc.Call[rpc2.AmendBreakpointOut](ctx, sp.srv.Client, "AmendBreakpoint", rpc2.AmendBreakpointIn{Breakpoint: lent}); err != nil {
			return fmt.Errorf("set a temporary breakpoint: %w", err)
		}
		p.borrowed = append(p.borrowed, b)
	}
	if len(addrs) == 0 {
		return nil
	}
	_, err = rpc.Call[rpc2.CreateBreakpointOut](ctx, sp.srv.Client, "CreateBreakpoint", rpc2.CreateBreakpointIn{
		Breakpoint: api.Breakpoint{Name: tempName, Addrs: addrs, Cond: cond},
	})
	if err != nil {
		return fmt.Errorf("set a temporary breakpoint: %w", err)
	}
	return nil
}

// undo takes the temporary breakpoint away again.
func (sp *steps) undo(ctx context.Context, p *plan) {
	if p == nil || !p.places {
		return
	}
	p.places = false
	_, _ = rpc.Call[rpc2.ClearBreakpointOut](ctx, sp.srv.Client, "ClearBreakpoint", rpc2.ClearBreakpointIn{Name: tempName}) // fails where there is none
	for _, b := range p.borrowed {
		_, _ = rpc.Call[rpc2.AmendBreakpointOut](ctx, sp.srv.Client, "AmendBreakpoint", rpc2.AmendBreakpointIn{Breakpoint: *b})
	}
	p.borrowed = nil
}

// SetNext sets the next statement of a goroutine, without running what lies
// between: it must be in the same function.
func (mv *moves) SetNext(ctx context.Context, at debugger.FrameRef, location string) (stop debugger.Stop, err error) {
	err = mv.srv.Do(ctx, func(ctx context.Context) error {
		list, err := places.Locate(ctx, mv.places, at, location)
		if err != nil {
			return fmt.Errorf("jump to %q: %w", location, err)
		}
		if len(list) > 1 || len(list[0].PCs) > 1 {
			return fmt.Errorf("jump to %q: several places have this name", location)
		}
		if at.Goroutine > 0 {
			if err := ask.SwitchTo(ctx, mv.srv, int64(at.Goroutine)); err != nil {
				return err
			}
		}
		out, err := rpc.Call[rpc2.SetExecutionPointOut](ctx, mv.srv.Client, "SetExecutionPoint", rpc2.SetExecutionPointIn{Addr: list[0].PCs[0]})
		if err != nil {
			return advice.Add(fmt.Errorf("jump to %q: %w", location, err), "it must be in the function that the goroutine is running")
		}
		stop, err = mv.stops.stop(ctx, &out.State)
		stop.Reason, stop.Breakpoint = debugger.ReasonStep, nil
		return err
	})
	return stop, err
}
