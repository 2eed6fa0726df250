package target

import (
	"context"
	"slices"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/difference"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/source/workspace"
)

// caseTime bounds how long the values of a failing assertion are read.
const caseTime = time.Second

// completeFailure adds to the stop of a failing test which case of its table it
// was at, and what its assertion has compared. It runs outside Run's goroutine.
func completeFailure(ctx context.Context, t debugger.Inspector, stop *debugger.Stop) {
	if stop.Test == nil || stop.Ended() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, caseTime)
	defer cancel()
	frame, ok := stop.SelectedFrame()
	if !ok {
		return
	}
	test := *stop.Test
	var inner debugger.Frame
	for i, f := range stop.Frames[:stop.Selected+1] {
		if !f.User || i < stop.Selected && test.Helper == "" || f.Function == inner.Function {
			continue // a helper that calls itself compares in its innermost call
		}
		// The innermost frame of the user's is a helper's, or the same as the other.
		source, err := regular.Read(f.File)
		if err != nil {
			continue
		}
		a := workspace.AssertionAt(source, f.Line, inner.Function != "")
		inner = f
		at := debugger.FrameRef{Goroutine: stop.Goroutine, Frame: f.Index}
		if f.Index == frame.Index {
			test.Case = append(test.Case, readAll(ctx, t, at, a.Loops)...)
		}
		compared := readAll(ctx, t, at, a.Compared)
		for i := 1; i < len(compared) && len(test.Differs) == 0; i++ {
			if compared[i].Deref().Expandable() {
				test.Differs = difference.Between(ctx, t, at, compared[i-1], compared[i])
			}
		}
		test.Compared = append(test.Compared, compared...)
		test.Frames = append(test.Frames, slices.Repeat([]int{f.Index}, len(compared))...)
	}
	stop.Test = &test
}

// readAll evaluates expressions; what cannot be read is left out.
func readAll(ctx context.Context, t debugger.Inspector, at debugger.FrameRef, exprs []string) []debugger.Variable {
	var list []debugger.Variable
	for _, x := range exprs {
		v, err := t.Evaluate(ctx, at, x)
		if err != nil || v.Unreadable != "" {
			continue
		}
		v.Name = x
		list = append(list, v)
	}
	return list
}
