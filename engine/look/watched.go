package look

import (
	"context"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
)

// watchedInspector is an inspector whose reads are noted.
type watchedInspector struct{ inspector }

// Watched reads whichever target is current, and notes what is read.
func (in *Inspection) Watched() debugger.Inspector { return watchedInspector{inspector{in}} }

// Frames implements debugger.Inspector.
func (i watchedInspector) Frames(ctx context.Context, g debugger.GoroutineID, p debugger.Page) ([]debugger.Frame, bool, error) {
	run := i.of.seen.now()
	frames, more, err := i.inspector.Frames(ctx, g, p)
	if err == nil {
		i.of.seen.note(run, func() { i.of.seen.addStack(g, max(p.Start, 0), frames, more) })
	}
	return frames, more, err
}

// Load implements debugger.Inspector.
func (i watchedInspector) Load(ctx context.Context, at debugger.FrameRef) (debugger.Frame, error) {
	run := i.of.seen.now()
	frame, err := i.inspector.Load(ctx, at)
	if err == nil {
		i.of.seen.note(run, func() {
			if len(i.of.seen.frames) < maxSeenFrames {
				i.of.seen.frames[at] = frame
			}
		})
		i.of.Post(func() { i.of.keepSources(run, []debugger.Frame{frame}) })
	}
	return frame, err
}

// Children implements debugger.Inspector.
func (i watchedInspector) Children(ctx context.Context, at debugger.FrameRef, v debugger.Variable, p debugger.Page) ([]debugger.Variable, error) {
	run := i.of.seen.now()
	list, err := i.inspector.Children(ctx, at, v, p)
	if err == nil && len(list) > 0 {
		i.of.seen.note(run, func() {
			if len(i.of.seen.children) < maxSeenChildren {
				i.of.seen.children = append(i.of.seen.children, session.SeenChildren{At: at, Expr: v.Expr, Start: max(p.Start, 0), List: list})
			}
		})
	}
	return list, err
}

// Goroutines implements debugger.Inspector.
func (i watchedInspector) Goroutines(ctx context.Context, p debugger.Page) ([]debugger.Goroutine, bool, error) {
	run := i.of.seen.now()
	defer i.of.Listed.Page()()
	list, more, err := i.inspector.Goroutines(ctx, p)
	if err == nil {
		i.of.seen.note(run, func() { i.of.seen.addGoroutines(max(p.Start, 0), list, more) })
	}
	return list, more, err
}
