package delve

import (
	"context"

	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/source"
)

// framePage is the number of frames read at once by default.
const framePage = 64

// Frames returns a page of a goroutine's stack, without variables.
func (st *stacks) Frames(ctx context.Context, g debugger.GoroutineID, page debugger.Page) (frames []debugger.Frame, more bool, err error) {
	err = st.srv.Do(ctx, func(ctx context.Context) error {
		frames, more, err = st.frames(ctx, int64(g), page)
		return err
	})
	return frames, more, err
}

// frames asks for one frame more than wanted, to know whether there are more.
func (st *stacks) frames(ctx context.Context, g int64, page debugger.Page) ([]debugger.Frame, bool, error) {
	count := page.Count
	if count <= 0 {
		count = framePage
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
func (st *stacks) Load(ctx context.Context, at debugger.FrameRef) (frame debugger.Frame, err error) {
	err = st.srv.Do(ctx, func(ctx context.Context) error {
		frames, _, err := st.frames(ctx, int64(at.Goroutine), debugger.Page{Start: at.Frame, Count: 1})
		if err != nil {
			return err
		}
		if len(frames) == 0 {
			return ask.NoFrame(at)
		}
		frame = frames[0]
		return st.load(ctx, at, &frame, false)
	})
	return frame, err
}

// load reads the variables of a frame; wide is as for convert.Deepened.
func (st *stacks) load(ctx context.Context, at debugger.FrameRef, frame *debugger.Frame, wide bool) error {
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
