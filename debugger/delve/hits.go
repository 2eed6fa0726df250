package delve

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/source"
	"github.com/pausetui/pausetui/debugger/delve/stacks"
)

// farOff bounds how far a result may lie from its frame: what is further away
// has moved to the heap.
const farOff = 1 << 20

// tell reports the tracepoints that were just passed.
func (bs *breakpoints) tell(state *api.DebuggerState) {
	if bs.config.Traced == nil || bs.srv.Dying {
		return
	}
	for _, thread := range state.Threads {
		if thread.Breakpoint == nil || !thread.Breakpoint.Tracepoint {
			continue
		}
		mark := bs.breaks[thread.Breakpoint.ID]
		if mark == nil || mark.OnError { // noErrors reports those that count
			continue
		}
		bs.config.Traced(bs.traceHit(mark, thread))
	}
}

func (bs *breakpoints) traceHit(mark *setBreak, thread *api.Thread) debugger.TraceHit {
	at := source.Frame(bs.sources, api.Location{PC: thread.PC, File: thread.File, Line: thread.Line, Function: thread.Function})
	hit := debugger.TraceHit{
		Breakpoint: mark.ID, Goroutine: debugger.GoroutineID(thread.GoroutineID), Function: at.Function, File: at.File, Line: at.Line,
		Returns: mark.OnReturn || mark.OnError, Hits: thread.Breakpoint.TotalHitCount, Values: printedAt(mark.Breakpoint, mark.entries[thread.PC], thread.BreakpointInfo),
	}
	if info := thread.BreakpointInfo; info != nil {
		for i, f := range info.Stacktrace {
			frame := source.Frame(bs.sources, f.Location)
			frame.Index = i
			hit.Stack = append(hit.Stack, frame)
		}
		if info.Goroutine != nil && mark.Goroutine {
			start := source.Frame(bs.sources, info.Goroutine.StartLoc)
			hit.Started = &start
		}
	}
	return hit
}

// printedAt is what a breakpoint was to print; entry is the line of the closure that is
// being entered, 0 elsewhere.
func printedAt(b debugger.Breakpoint, entry int, info *api.BreakpointInfo) []debugger.Variable {
	if info == nil {
		return nil
	}
	var list []debugger.Variable
	if b.OnReturn || b.OnError {
		list = results(info.Arguments)
	}
	if b.Args {
		list = append(list, convert.Variables(arguments(info.Arguments))...)
	}
	if b.Locals {
		locals := convert.Variables(info.Locals)
		stacks.MarkBefore(locals, entry)
		list = append(list, locals...)
	}
	for i := range info.Variables {
		v := &info.Variables[i]
		name := v.Name
		if i < len(b.Print) {
			name = b.Print[i]
		}
		v.Unreadable = strings.TrimPrefix(v.Unreadable, "eval error: ")
		list = append(list, convert.Variable(v, name, name))
	}
	return list
}

// arguments leaves the results out.
func arguments(list []api.Variable) []api.Variable {
	var args []api.Variable
	for _, v := range list {
		if v.Flags&api.VariableReturnArgument == 0 {
			args = append(args, v)
		}
	}
	return args
}

// results converts the results of a function that returns: those without a
// name, which the compiler calls ~r0, get none.
func results(list []api.Variable) []debugger.Variable {
	var out []debugger.Variable
	for i := range list {
		v := &list[i]
		if v.Flags&api.VariableReturnArgument == 0 {
			continue
		}
		name := v.Name
		if strings.HasPrefix(name, "~") || name == "_" {
			name = ""
		}
		out = append(out, convert.Variable(v, name, ""))
	}
	return out
}

// returned converts what a step out, or a call, gave back.
func returned(list []api.Variable) []debugger.Variable {
	for i := range list {
		list[i].Flags |= api.VariableReturnArgument
	}
	// Delve lists a result of optimized code once for each place that it had.
	return results(slices.CompactFunc(list, func(a, b api.Variable) bool {
		return a.Name == b.Name && a.Name != "_" && a.Type == b.Type && a.Unreadable != "" && b.Unreadable != ""
	}))
}

// annotate completes a stop with what is known beyond its place.
func (bs *breakpoints) annotate(ctx context.Context, p *plan, state *api.DebuggerState, stop *debugger.Stop) {
	if stop.Ended() {
		return
	}
	var others []*api.Breakpoint
	for _, thread := range state.Threads {
		g := debugger.GoroutineID(thread.GoroutineID)
		if g == stop.Goroutine && len(thread.ReturnValues) > 0 && (thread.CallReturn || p.finished(state)) {
			stop.Returned = returned(thread.ReturnValues)
		}
		b := thread.Breakpoint
		if b == nil || b.ID <= 0 || bs.breaks[b.ID] == nil || p.temporary(b) {
			continue
		}
		if g != stop.Goroutine {
			at := source.Frame(bs.sources, api.Location{File: thread.File, Line: thread.Line, Function: thread.Function})
			stop.Also = append(stop.Also, debugger.Hit{Goroutine: g, Breakpoint: b.ID, Function: at.Function, File: at.File, Line: at.Line})
			others = append(others, b)
			continue
		}
		bs.meet(ctx, thread, stop)
	}
	for _, b := range others {
		if b.WatchExpr != "" {
			bs.watchedNow(ctx, b) // with which the next hit is compared
		}
	}
	if gone := bs.lostWatches(state); len(gone) > 0 {
		stop.Reason, stop.Breakpoint = debugger.ReasonWatch, &gone[0].Breakpoint
		stop.Watched = &debugger.Watched{Expr: gone[0].Watch, Was: gone[0].watched.text, Gone: true}
		for _, g := range gone[1:] {
			stop.Watched.Also = append(stop.Watched.Also, g.Breakpoint)
		}
	}
}

// meet completes a stop with what its own breakpoint was set for.
func (bs *breakpoints) meet(ctx context.Context, thread *api.Thread, stop *debugger.Stop) {
	b := thread.Breakpoint
	mark := bs.breaks[b.ID]
	if b.WatchExpr != "" {
		stop.Reason, stop.Watched = debugger.ReasonWatch, bs.watchedNow(ctx, b)
		return
	}
	if (mark.OnReturn || mark.OnError) && thread.BreakpointInfo != nil {
		stop.Returned = results(thread.BreakpointInfo.Arguments)
		plain := mark.Breakpoint
		plain.OnReturn, plain.OnError = false, false
		stop.Printed = printedAt(plain, 0, thread.BreakpointInfo)
		return
	}
	stop.Printed = printedAt(mark.Breakpoint, mark.entries[thread.PC], thread.BreakpointInfo)
}

// noErrors lets those threads pass that are at an OnError breakpoint whose
// function returns no error. Delve cannot name results that have no name; once
// it is known where the result lies in the frame, Delve looks there itself, and
// hits that do not count cost no more than those of any condition.
func (bs *breakpoints) noErrors(ctx context.Context, state *api.DebuggerState) (passed bool) {
	// A breakpoint that learns below where its error lies was not checked by Delve at this stop.
	known := map[int]bool{}
	for id, mark := range bs.breaks {
		known[id] = mark.errorAt
	}
	for _, thread := range state.Threads {
		if thread.Breakpoint == nil {
			continue
		}
		mark := bs.breaks[thread.Breakpoint.ID]
		if mark == nil || !mark.OnError {
			continue
		}
		if !known[mark.ID] && !bs.failed(ctx, mark, thread) {
			thread.Breakpoint = nil
			passed = true
			if state.CurrentThread != nil && state.CurrentThread.ID == thread.ID {
				state.CurrentThread.Breakpoint = nil
			}
			continue
		}
		if mark.Trace && bs.config.Traced != nil {
			bs.config.Traced(bs.traceHit(mark, thread))
		}
	}
	return passed
}

// failed reports whether the function that a thread is about to leave returns an
// error, and teaches Delve to tell.
func (bs *breakpoints) failed(ctx context.Context, mark *setBreak, thread *api.Thread) bool {
	if thread.BreakpointInfo == nil {
		return true
	}
	var result *api.Variable
	for i := range thread.BreakpointInfo.Arguments {
		if v := &thread.BreakpointInfo.Arguments[i]; v.Flags&api.VariableReturnArgument != 0 && v.Type == "error" {
			result = v
		}
	}
	if result == nil || result.Unreadable != "" || result.Kind != reflect.Interface {
		return true // the stop shows the results, whatever they are
	}
	if result.Flags&(api.VariableFakeAddress|api.VariableEscaped) == 0 && mark.single {
		bs.teach(ctx, mark, thread.GoroutineID, result.Addr)
	}
	return !convert.IsNil(result)
}

// teach makes the error's place in the frame part of the breakpoint's condition.
func (bs *breakpoints) teach(ctx context.Context, mark *setBreak, goroutine int64, addr uint64) {
	frame, err := ask.FrameAt(ctx, bs.srv, goroutine, 0)
	if err != nil {
		return
	}
	top, err := ask.Eval(ctx, bs.srv, debugger.FrameRef{Goroutine: debugger.GoroutineID(goroutine)}, "runtime.curg.stack.hi", convert.ChildLoad)
	if err != nil {
		return
	}
	var hi uint64
	if _, err := fmt.Sscan(top.Value, &hi); err != nil {
		return
	}
	offset := int64(addr) - int64(hi) - frame.FrameOffset
	if offset < -farOff || offset > farOff {
		return
	}
	want := wanted(mark.Breakpoint)
	want.ID = mark.ID
	nonNil := fmt.Sprintf("*(*uintptr)(runtime.curg.stack.hi + runtime.frameoff + %d) != 0", offset)
	want.Cond = conjunction([]string{nonNil, want.Cond})
	if _, err := rpc.Call[rpc2.AmendBreakpointOut](ctx, bs.srv.Client, "AmendBreakpoint", rpc2.AmendBreakpointIn{Breakpoint: want}); err == nil {
		mark.errorAt = true
	}
}
