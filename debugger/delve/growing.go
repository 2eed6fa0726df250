package delve

import (
	"context"
	"runtime"
	"strings"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
)

// newstack is what runtime.morestack calls on the system's stack.
const newstack = "runtime.newstack"

// noFrameGrows stands for the frame of a goroutine where none waits for stack.
const noFrameGrows = -1

// aboveGrowing is how many frames of the runtime there may be above one that waits for
// stack: those that get it, and those that end the program where there is none left.
const aboveGrowing = 20

// waitsForStack reports whether a frame is in its function's call for more stack.
func (srv *server) waitsForStack(ctx context.Context, at debugger.FrameRef) bool {
	if at.Deferred != 0 || at.Frame > aboveGrowing || runtime.GOARCH != "amd64" && srv.mode != connected {
		return false // another architecture's call, or too deep in the stack
	}
	frame, known := srv.client.growingOf(at.Goroutine)
	if !known {
		var err error
		if frame, err = srv.growingFrame(ctx, at); err != nil {
			return false
		}
		if at.Goroutine > 0 && srv.mode != connected { // another client may resume a connected server
			srv.client.keepGrowing(at.Goroutine, frame)
		}
	}
	return frame == at.Frame
}

// growingOf is the frame of a goroutine that waits for stack, if it was asked for in this stop.
func (c *client) growingOf(g debugger.GoroutineID) (frame int, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	frame, known = c.growing[g]
	return frame, known
}

func (c *client) keepGrowing(g debugger.GoroutineID, frame int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.growing == nil {
		c.growing = map[debugger.GoroutineID]int{}
	}
	c.growing[g] = frame
}

// forgetStop forgets what is true of one stop: the program may go on.
func (c *client) forgetStop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.growing = nil
}

// growingFrame finds the frame that waits for stack. It is below the runtime's that get the
// stack, or the innermost one where the goroutine has given way instead.
func (srv *server) growingFrame(ctx context.Context, at debugger.FrameRef) (int, error) {
	frames, err := srv.topFrames(ctx, int64(at.Goroutine), aboveGrowing)
	if err != nil {
		return noFrameGrows, err
	}
	frame := 0
	for i, f := range frames {
		if isIn(f.Location, morestack) || isIn(f.Location, newstack) { // Delve may leave the former out
			frame = i + 1
		}
	}
	if frame >= len(frames) {
		return noFrameGrows, nil
	}
	pc := frames[frame].PC
	out, err := call[rpc2.DisassembleOut](ctx, srv.client, "Disassemble", rpc2.DisassembleIn{Scope: inner(at), StartPC: pc - callSize, EndPC: pc})
	if ctx.Err() != nil {
		return noFrameGrows, ctx.Err()
	}
	if err != nil || len(out.Disassemble) == 0 || out.Disassemble[0].DestLoc == nil || !isIn(*out.Disassemble[0].DestLoc, morestack) {
		return noFrameGrows, nil //nolint:nilerr // there is no such call before the address
	}
	return frame, nil
}

// isIn reports whether a place is in a function whose name begins with name.
func isIn(l api.Location, name string) bool {
	return l.Function != nil && strings.HasPrefix(l.Function.Name(), name)
}
