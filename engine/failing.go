package engine

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/difference"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
)

// stopsAtFailures reports whether the target stops where a test fails: a mode that
// does not even stop at panics does not stop there either.
func (ln *launcher) stopsAtFailures() bool {
	if !ln.Opts.Target.Test || ln.Opts.Target.NoFailures {
		return false
	}
	switch ln.Opts.Target.Panics {
	case debugger.PanicsFatal, debugger.PanicsOff:
		return false
	}
	return true
}

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
	for i, f := range stop.Frames[:stop.Selected+1] {
		if !f.User || i < stop.Selected && test.Helper == "" {
			continue
		}
		// The innermost frame of the user's is a helper's, or the same as the other.
		source, err := regular.Read(f.File)
		if err != nil {
			continue
		}
		a := workspace.AssertionAt(source, f.Line)
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

// awaitTest waits for the end of the watched test in the round that was just
// launched.
func (jd *judging) awaitTest(r *round) {
	w := jd.watched
	if w == nil || w.crash.Test == nil || w.crash.Test.Name == "" {
		return
	}
	err := r.target.AwaitTest(jd.Ctx, w.crash.Test.Name, func(t debugger.TestReport) {
		jd.Post(func() { jd.testEnded(w, t) })
	})
	if err != nil {
		jd.Notice("warn", fmt.Sprintf("the end of %s will not be noticed: %v", w.crash.Test.Name, err), "")
	}
}

// testEnded judges a candidate for a failing test by that test.
func (jd *judging) testEnded(w *watch, t debugger.TestReport) {
	switch {
	case jd.watched != w: // judged meanwhile
	case t.Skipped:
		jd.judge(session.NotReached, t.Name+" was skipped")
	case t.Failed:
		jd.judge(session.NotReached, t.Name+" fails, and not where it did")
	default:
		jd.judge(session.Fixed, t.Name+" passed")
	}
}

// judgeFailing judges a candidate for a failing test by how its restart has
// stopped. Other tests that fail on the way decide nothing.
func (jd *judging) judgeFailing(w *watch, stop debugger.Stop) {
	was := w.crash.Test.Name
	switch {
	case stop.Test != nil && stop.Test.Name == was && stop.Crashed():
		if sameCrash(w.crash, stop) {
			jd.judge(session.CameBack, fmt.Sprintf("%s fails again at %s", was, jd.PlaceOf(stop)))
			return
		}
		jd.judge(session.NotReached, fmt.Sprintf("%s fails elsewhere now: %s", was, jd.PlaceOf(stop)))
	case stop.Crashed() && !stop.LivesOn():
		jd.doubt(fmt.Sprintf("another stop came first: %s at %s", stop.Panic.Class, jd.PlaceOf(stop)))
	case stop.Ended() && stop.Exit.Code == 0 && stop.Exit.Signal == "" && w.passes: // a benchmark is not reported
		jd.judge(session.Fixed, was+" did not fail, "+exitWords(*stop.Exit))
	case stop.Ended():
		jd.judge(session.NotReached, shownNothing+exitWords(*stop.Exit))
	}
}

// sameTest reports whether two crashes are of one test, or of none.
func sameTest(a, b debugger.Stop) bool {
	if a.Test == nil || b.Test == nil {
		return a.Test == b.Test
	}
	return a.Test.Name == b.Test.Name
}
