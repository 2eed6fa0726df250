package target

import (
	"context"
	"slices"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/waits"
)

// hangTime bounds the search for a deadlock at a halt.
const hangTime = 2 * time.Second

// CompleteHang turns a halt during a deadlock of some goroutines into a stop at a deadlock:
// the runtime reports only deadlocks of all goroutines. It runs outside Run's goroutine.
func CompleteHang(ctx context.Context, t debugger.Inspector, stop *debugger.Stop) {
	if stop.Reason != debugger.ReasonHalt && stop.Reason != debugger.ReasonFound || stop.Panic != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, hangTime)
	defer cancel()
	found, err := waits.Find(ctx, t)
	if err != nil || len(found.Goroutines) == 0 {
		return
	}
	if !slices.Contains(found.Goroutines, stop.Goroutine) && !show(ctx, t, stop, found.Goroutines[0]) {
		return
	}
	stop.Panic = &debugger.Panic{Class: debugger.Deadlock, Message: found.What, Culprit: stop.Selected}
}

// show has a stop show another goroutine, in its innermost frame of the user's; it
// reports whether there is one.
func show(ctx context.Context, t debugger.Inspector, stop *debugger.Stop, id debugger.GoroutineID) bool {
	frames, more, err := t.Frames(ctx, id, debugger.Page{})
	at := slices.IndexFunc(frames, func(f debugger.Frame) bool { return f.User })
	if err != nil || at < 0 {
		return false
	}
	if f, err := t.Load(ctx, debugger.FrameRef{Goroutine: id, Frame: frames[at].Index}); err == nil {
		frames[at] = f
	}
	stop.Goroutine, stop.Frames, stop.MoreFrames, stop.Selected = id, frames, more, at
	return true
}
