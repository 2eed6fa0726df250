package trace

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/advice"
)

// Target answers what a debugger is asked from a trace. It holds no process:
// whatever needs one is refused, and says why.
type Target struct {
	noProcess
	trace Trace
	list  []debugger.Goroutine
	at    map[debugger.GoroutineID]int // by number, in list and trace.Goroutines
	now   func() time.Time
}

// NewTarget returns the target of a trace, which was located.
func NewTarget(t Trace, now func() time.Time) *Target {
	target := &Target{trace: t, at: map[debugger.GoroutineID]int{}, now: now}
	kept := make([]Goroutine, 0, len(t.Goroutines))
	for _, g := range t.Goroutines {
		if g.ID == 0 { // a stack whose beginning is missing
			g.ID = unnumbered
		}
		if _, known := target.at[g.ID]; known {
			continue // logs of two processes, mixed
		}
		target.at[g.ID] = len(kept)
		kept = append(kept, g)
		one := g.Goroutine
		if len(g.Frames) > 0 {
			one.Current = bare(g.Frames[0])
		}
		one.User = innermost(g.Frames)
		one.Signature = signature(g)
		target.list = append(target.list, one)
	}
	target.trace.Goroutines = kept
	return target
}

// unnumbered is the number of a goroutine that a trace does not give one.
const unnumbered = 1

// innermost is the innermost frame outside of the runtime, else of all.
func innermost(frames []debugger.Frame) debugger.Frame {
	for _, f := range frames {
		if !f.Runtime {
			return bare(f)
		}
	}
	if len(frames) > 0 {
		return bare(frames[0])
	}
	return debugger.Frame{}
}

// bare is a frame without its variables.
func bare(f debugger.Frame) debugger.Frame {
	f.Args, f.Locals, f.Loaded = nil, nil, false
	return f
}

// signature is the same for goroutines with the same stack.
func signature(g Goroutine) uint64 {
	h := fnv.New64a()
	fmt.Fprintln(h, g.State, g.WaitReason, g.Race, g.CreatedBy.Function, g.CreatedBy.Line)
	for _, f := range g.Frames {
		fmt.Fprintln(h, f.Function, f.File, f.Line)
	}
	return max(h.Sum64(), 1)
}

// stopFrames is how many frames a stop carries.
const stopFrames = 50

// Found is the stop that the trace tells of.
func (t *Target) Found(context.Context) (debugger.Stop, error) {
	if len(t.list) == 0 {
		return debugger.Stop{}, errors.New("the trace holds no stack")
	}
	g := t.trace.Goroutines[0]
	stop := debugger.Stop{Reason: debugger.ReasonFound, Goroutine: g.ID, Selected: -1, Goroutines: len(t.list), At: t.now()}
	if t.trace.Died() {
		p := t.trace.Panic
		stop.Panic, stop.Reason, stop.Selected = &p, debugger.ReasonPanic, p.Culprit
		if t.trace.Fatal || t.trace.Race {
			stop.Reason = debugger.ReasonFatal
		}
	}
	shown := min(len(g.Frames), max(stopFrames, stop.Selected+3))
	stop.Frames, stop.MoreFrames = g.Frames[:shown], shown < len(g.Frames)
	if stop.Selected < 0 {
		stop.Selected = firstShown(g.Frames[:shown])
	}
	return stop, nil
}

// firstShown is the frame to show where no frame is to blame: the user's innermost
// one, else the first outside of the runtime.
func firstShown(frames []debugger.Frame) int {
	if len(frames) == 0 {
		return -1
	}
	best := -1
	for i, f := range frames {
		if f.User {
			return i
		}
		if best < 0 && !f.Runtime {
			best = i
		}
	}
	return max(best, 0)
}

// goroutine finds one by its number.
func (t *Target) goroutine(id debugger.GoroutineID) (Goroutine, error) {
	i, ok := t.at[id]
	if !ok {
		return Goroutine{}, fmt.Errorf("the trace has no goroutine %d", id)
	}
	return t.trace.Goroutines[i], nil
}

// page is a part of a list, and whether more follows.
func page[T any](list []T, p debugger.Page, usual int) ([]T, bool) {
	if p.Count <= 0 {
		p.Count = usual
	}
	list = list[min(max(p.Start, 0), len(list)):]
	if len(list) > p.Count {
		return list[:p.Count], true
	}
	return list, false
}

// Frames implements debugger.Inspector.
func (t *Target) Frames(_ context.Context, id debugger.GoroutineID, p debugger.Page) ([]debugger.Frame, bool, error) {
	g, err := t.goroutine(id)
	if err != nil {
		return nil, false, err
	}
	frames, more := page(g.Frames, p, stopFrames)
	return frames, more, nil
}

// Load implements debugger.Inspector: the arguments, as far as they are known.
func (t *Target) Load(_ context.Context, at debugger.FrameRef) (debugger.Frame, error) {
	g, err := t.goroutine(at.Goroutine)
	switch {
	case err != nil:
		return debugger.Frame{}, err
	case at.Deferred > 0:
		return debugger.Frame{}, can.Refuse("tell what was deferred")
	case at.Frame < 0 || at.Frame >= len(g.Frames):
		return debugger.Frame{}, fmt.Errorf("goroutine %d has %d frames in the trace", at.Goroutine, len(g.Frames))
	}
	f := g.Frames[at.Frame]
	f.Loaded = true
	return f, nil
}

// errNoValues answers expressions.
func errNoValues(expr string) error {
	return advice.Add(fmt.Errorf("%s: a trace has no values but those in its calls", expr),
		"pausetui debug runs the program and shows them")
}

// Evaluate implements debugger.Inspector: it knows the arguments of the calls.
func (t *Target) Evaluate(ctx context.Context, at debugger.FrameRef, expr string) (debugger.Variable, error) {
	f, err := t.Load(ctx, at)
	if err != nil {
		return debugger.Variable{}, err
	}
	for _, v := range f.Args {
		if v.Name == expr && v.Unreadable == "" {
			return v, nil
		}
	}
	return debugger.Variable{}, errNoValues(expr)
}

// Print evaluates an expression and also writes it out.
func (t *Target) Print(ctx context.Context, at debugger.FrameRef, expr, _ string) (debugger.Variable, string, error) {
	v, err := t.Evaluate(ctx, at, expr)
	return v, v.Value, err
}

// Children implements debugger.Inspector.
func (t *Target) Children(_ context.Context, _ debugger.FrameRef, v debugger.Variable, _ debugger.Page) ([]debugger.Variable, error) {
	return nil, errNoValues(v.Expr)
}

// goroutinePage is how many goroutines a page has by default.
const goroutinePage = 1000

// Goroutines implements debugger.Inspector, in the order of the trace.
func (t *Target) Goroutines(_ context.Context, p debugger.Page) ([]debugger.Goroutine, bool, error) {
	list, more := page(t.list, p, goroutinePage)
	return list, more, nil
}

// Stack returns frames with what the trace says of them.
func (t *Target) Stack(_ context.Context, id debugger.GoroutineID, query debugger.StackQuery) ([]debugger.StackFrame, bool, error) {
	g, err := t.goroutine(id)
	if err != nil {
		return nil, false, err
	}
	if query.Defers {
		return nil, false, can.Refuse("tell what was deferred")
	}
	frames, more := page(g.Frames, debugger.Page{Count: query.Depth + 1}, stopFrames)
	out := make([]debugger.StackFrame, len(frames))
	for i, f := range frames {
		if f.Loaded = query.Full; !query.Full {
			f = bare(f)
		}
		out[i] = debugger.StackFrame{Frame: f}
	}
	return out, more, nil
}

// Origin is what the trace says of who started a goroutine.
func (t *Target) Origin(_ context.Context, id debugger.GoroutineID) (debugger.Origin, error) {
	g, err := t.goroutine(id)
	if err != nil {
		return debugger.Origin{}, err
	}
	f := g.CreatedBy
	return debugger.Origin{By: g.Creator, At: debugger.Location{File: f.File, Line: f.Line, Function: f.Function}}, nil
}

// Ancestors are those that the trace holds: GODEBUG=tracebackancestors=N has
// the runtime print them.
func (t *Target) Ancestors(_ context.Context, id debugger.GoroutineID, count, depth int) ([]debugger.Ancestor, error) {
	g, err := t.goroutine(id)
	if err != nil {
		return nil, err
	}
	var out []debugger.Ancestor
	for _, a := range g.Ancestors[:min(max(count, 0), len(g.Ancestors))] {
		a.Frames = a.Frames[:min(max(depth, 0)+1, len(a.Frames))]
		out = append(out, a)
	}
	return out, nil
}
