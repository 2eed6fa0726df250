package stacks

import (
	"context"
	"fmt"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/source"
	"github.com/pausetui/pausetui/internal/advice"
)

// Unwinder reads the frames of goroutines.
type Unwinder struct {
	srv     *control.Server
	sources *source.Finder
}

// New returns what reads the stacks of a server's target.
func New(srv *control.Server, sources *source.Finder) *Unwinder {
	return &Unwinder{srv: srv, sources: sources}
}

// Stack returns a goroutine's stack with what the query asks for; more tells
// that it goes on.
func (st *Unwinder) Stack(ctx context.Context, g debugger.GoroutineID, query debugger.StackQuery) (frames []debugger.StackFrame, more bool, err error) {
	in := rpc2.StacktraceIn{Id: int64(g), Depth: query.Depth}
	if g == 0 {
		in.Id = -1
	}
	if query.Full {
		in.Cfg = &convert.PackageLoad
	}
	if query.Defers {
		in.Opts |= api.StacktraceReadDefers
	}
	switch query.Mode {
	case debugger.StackSimple:
		in.Opts |= api.StacktraceSimple
	case debugger.StackFromG:
		in.Opts |= api.StacktraceG | api.StacktraceSimple
	}
	err = st.srv.Do(ctx, func(ctx context.Context) error {
		out, err := rpc.Call[rpc2.StacktraceOut](ctx, st.srv.Client, "Stacktrace", in)
		if err != nil {
			return err
		}
		for i := range out.Locations {
			frames = append(frames, st.stackFrame(i, &out.Locations[i], query.Full))
		}
		more = len(frames) > 0 && !out.Locations[len(frames)-1].Bottom
		return nil
	})
	return frames, more, err
}

func (st *Unwinder) stackFrame(i int, f *api.Stackframe, full bool) debugger.StackFrame {
	out := debugger.StackFrame{Frame: source.Frame(st.sources, f.Location), Offset: f.FrameOffset, PointerOffset: f.FramePointerOffset}
	out.Index, out.Err = i, f.Err
	if full {
		out.Args, out.Locals, out.Loaded = convert.Variables(f.Arguments), convert.Variables(f.Locals), true
	}
	for _, d := range f.Defers {
		out.Defers = append(out.Defers, debugger.Deferred{Call: convert.Location(d.DeferredLoc), At: convert.Location(d.DeferLoc), Err: d.Unreadable})
	}
	return out
}

// Ancestors returns the goroutines that led to a goroutine, the nearest first.
// There are some only where the target runs with GODEBUG=tracebackancestors=N.
func (st *Unwinder) Ancestors(ctx context.Context, g debugger.GoroutineID, count, depth int) (list []debugger.Ancestor, err error) {
	err = st.srv.Do(ctx, func(ctx context.Context) error {
		out, err := rpc.Call[rpc2.AncestorsOut](ctx, st.srv.Client, "Ancestors", rpc2.AncestorsIn{GoroutineID: int64(g), NumAncestors: count, Depth: depth})
		if err != nil {
			err = fmt.Errorf("ancestors of goroutine %d: %w", g, err)
			return advice.Add(err, "start the program with GODEBUG=tracebackancestors=10 (--env)")
		}
		for _, a := range out.Ancestors {
			one := debugger.Ancestor{ID: debugger.GoroutineID(a.ID), Err: a.Unreadable}
			for i := range a.Stack {
				f := source.Frame(st.sources, a.Stack[i].Location)
				f.Index = i
				one.Frames = append(one.Frames, f)
			}
			list = append(list, one)
		}
		return nil
	})
	return list, err
}
