package judge

import (
	"fmt"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/session"
)

// AwaitTest waits for the end of the watched test in the round that was just
// launched.
func (jd *Judging) AwaitTest(r *target.Round) {
	w := jd.Watched
	if w == nil || w.crash.Test == nil || w.crash.Test.Name == "" {
		return
	}
	err := r.Target.AwaitTest(jd.Ctx, w.crash.Test.Name, func(t debugger.TestReport) {
		jd.Post(func() { jd.testEnded(w, t) })
	})
	if err != nil {
		jd.Notice("warn", fmt.Sprintf("the end of %s will not be noticed: %v", w.crash.Test.Name, err), "")
	}
}

// testEnded judges a candidate for a failing test by that test.
func (jd *Judging) testEnded(w *Watch, t debugger.TestReport) {
	switch {
	case jd.Watched != w: // judged meanwhile
	case t.Skipped:
		jd.Judge(session.NotReached, t.Name+" was skipped")
	case t.Failed:
		jd.Judge(session.NotReached, t.Name+" fails, and not where it did")
	default:
		jd.Judge(session.Fixed, t.Name+" passed")
	}
}

// judgeFailing judges a candidate for a failing test by how its restart has
// stopped. Other tests that fail on the way decide nothing.
func (jd *Judging) judgeFailing(w *Watch, stop debugger.Stop) {
	was := w.crash.Test.Name
	switch {
	case stop.Test != nil && stop.Test.Name == was && stop.Crashed():
		if target.SameCrash(w.crash, stop) {
			jd.Judge(session.CameBack, fmt.Sprintf("%s fails again at %s", was, jd.PlaceOf(stop)))
			return
		}
		jd.Judge(session.NotReached, fmt.Sprintf("%s fails elsewhere now: %s", was, jd.PlaceOf(stop)))
	case stop.Crashed() && !stop.LivesOn():
		jd.doubt(fmt.Sprintf("another stop came first: %s at %s", stop.Panic.Class, jd.PlaceOf(stop)))
	case stop.Ended() && stop.Exit.Code == 0 && stop.Exit.Signal == "" && w.passes: // a benchmark is not reported
		jd.Judge(session.Fixed, was+" did not fail, "+exitWords(*stop.Exit))
	case stop.Ended():
		jd.Judge(session.NotReached, shownNothing+exitWords(*stop.Exit))
	}
}
