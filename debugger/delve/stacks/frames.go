package stacks

import (
	"context"
	"slices"

	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/source"
)

// FramePage is the number of frames read at once by default.
const FramePage = 64

// Frames returns a page of a goroutine's stack, without variables.
func (st *Unwinder) Frames(ctx context.Context, g debugger.GoroutineID, page debugger.Page) (frames []debugger.Frame, more bool, err error) {
	err = st.srv.Do(ctx, func(ctx context.Context) error {
		frames, more, err = Read(ctx, st, int64(g), page)
		return err
	})
	return frames, more, err
}

// Read asks for one frame more than wanted, to know whether there are more.
func Read(ctx context.Context, st *Unwinder, g int64, page debugger.Page) ([]debugger.Frame, bool, error) {
	count := page.Count
	if count <= 0 {
		count = FramePage
	}
	start := max(page.Start, 0)
	out, err := rpc.Call[rpc2.StacktraceOut](ctx, st.srv.Client, "Stacktrace", rpc2.StacktraceIn{Id: g, Depth: start + count, Skip: start})
	if err != nil {
		return nil, false, err
	}
	stack := out.Locations
	more := len(stack) > count
	if more {
		stack = stack[:count]
	}
	frames := make([]debugger.Frame, len(stack))
	for i, f := range stack {
		frames[i] = source.Frame(st.sources, f.Location)
		frames[i].Index, frames[i].Err = start+i, f.Err
	}
	return frames, more, nil
}

// Load returns the frame with its arguments and locals.
func (st *Unwinder) Load(ctx context.Context, at debugger.FrameRef) (frame debugger.Frame, err error) {
	err = st.srv.Do(ctx, func(ctx context.Context) error {
		frames, _, err := Read(ctx, st, int64(at.Goroutine), debugger.Page{Start: at.Frame, Count: 1})
		if err != nil {
			return err
		}
		if len(frames) == 0 {
			return ask.NoFrame(at)
		}
		frame = frames[0]
		return LoadFrame(ctx, st, at, &frame, false)
	})
	return frame, err
}

// LoadFrame reads the variables of a frame; wide is as for convert.Deepened.
func LoadFrame(ctx context.Context, st *Unwinder, at debugger.FrameRef, frame *debugger.Frame, wide bool) error {
	args, locals, err := ask.ReadFrame(ctx, st.srv, at, wide)
	if err != nil {
		return err
	}
	frame.Args, frame.Locals, frame.Loaded = convert.Variables(args), convert.Variables(locals), true
	if around := ask.AroundBody(ctx, st.srv, at); len(around) > 0 {
		frame.Locals = append(ask.Surrounding(around, append(frame.Args, frame.Locals...), ask.ByName(ctx, st.srv, at)), frame.Locals...)
	}
	if at.Deferred == 0 {
		source.MarkUnset(st.sources, frame)
		st.markCaptured(ctx, at, frame)
	}
	return nil
}

// markCaptured marks the variables that a closure has captured but not loaded yet, and all of
// a function that has not begun.
func (st *Unwinder) markCaptured(ctx context.Context, at debugger.FrameRef, frame *debugger.Frame) {
	if len(frame.Locals) > 0 && ask.WaitsForStack(ctx, st.srv, at) {
		for i := range frame.Locals {
			v := &frame.Locals[i]
			v.Unreadable, v.Value, v.Children = ask.ErrNotBegun.Error(), "", nil
		}
		return
	}
	if at.Frame != 0 {
		return
	}
	begins, ok := ask.Entry(ctx, st.srv, at, frame.Function, frame.PC)
	if !ok {
		return
	}
	MarkBefore(frame.Locals, begins.Line)
}

// MarkBefore marks those that are declared before the line where a closure begins.
func MarkBefore(locals []debugger.Variable, line int) {
	for i := range locals {
		if v := &locals[i]; v.DeclLine < int64(line) {
			v.Unset, v.Captured = true, true
		}
	}
}

// HasUserFrame reports whether the first page of a stack has a frame of the user's.
func HasUserFrame(ctx context.Context, st *Unwinder, id debugger.GoroutineID) bool {
	frames, _, err := Read(ctx, st, int64(id), debugger.Page{})
	return err == nil && IndexUser(frames) >= 0
}

// IndexUser is the index of the innermost frame of the user's; -1 where there is none.
func IndexUser(frames []debugger.Frame) int {
	return slices.IndexFunc(frames, func(f debugger.Frame) bool { return f.User })
}
