package ask

import (
	"context"
	"errors"
	"runtime"
	"strings"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/serve"
)

// newstack is what runtime.morestack calls on the system's stack.
const newstack = "runtime.newstack"

// noFrameGrows stands for the frame of a goroutine where none waits for stack.
const noFrameGrows = -1

// aboveGrowing is how many frames of the runtime there may be above one that waits for
// stack: those that get it, and those that end the program where there is none left.
const aboveGrowing = 20

// WaitsForStack reports whether a frame is in its function's call for more stack.
func WaitsForStack(ctx context.Context, srv *control.Server, at debugger.FrameRef) bool {
	if at.Deferred != 0 || at.Frame > aboveGrowing || runtime.GOARCH != "amd64" && srv.Mode != control.Connected {
		return false // another architecture's call, or too deep in the stack
	}
	frame, known := srv.Client.GrowingOf(at.Goroutine)
	if !known {
		var err error
		if frame, err = growingFrame(ctx, srv, at); err != nil {
			return false
		}
		if at.Goroutine > 0 && srv.Mode != control.Connected { // another client may resume a connected server
			srv.Client.KeepGrowing(at.Goroutine, frame)
		}
	}
	return frame == at.Frame
}

// growingFrame finds the frame that waits for stack. It is below the runtime's that get the
// stack, or the innermost one where the goroutine has given way instead.
func growingFrame(ctx context.Context, srv *control.Server, at debugger.FrameRef) (int, error) {
	frames, err := TopFrames(ctx, srv, int64(at.Goroutine), aboveGrowing)
	if err != nil {
		return noFrameGrows, err
	}
	frame := 0
	for i, f := range frames {
		if isIn(f.Location, serve.Morestack) || isIn(f.Location, newstack) { // Delve may leave the former out
			frame = i + 1
		}
	}
	if frame >= len(frames) {
		return noFrameGrows, nil
	}
	pc := frames[frame].PC
	out, err := rpc.Call[rpc2.DisassembleOut](ctx, srv.Client, "Disassemble", rpc2.DisassembleIn{Scope: Inner(at), StartPC: pc - serve.CallSize, EndPC: pc})
	if ctx.Err() != nil {
		return noFrameGrows, ctx.Err()
	}
	if err != nil || len(out.Disassemble) == 0 || out.Disassemble[0].DestLoc == nil || !isIn(*out.Disassemble[0].DestLoc, serve.Morestack) {
		return noFrameGrows, nil //nolint:nilerr // there is no such call before the address
	}
	return frame, nil
}

// isIn reports whether a place is in a function whose name begins with name.
func isIn(l api.Location, name string) bool {
	return l.Function != nil && strings.HasPrefix(l.Function.Name(), name)
}

// ErrNotBegun says why a variable of a function that waits for stack has no value.
var ErrNotBegun = errors.New("the function had not begun")
