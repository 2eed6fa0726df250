package engine

import (
	"fmt"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify"
	"github.com/pausetui/pausetui/verify/verdict"
)

// watch is an applied candidate whose restart is being watched.
type watch struct {
	candidate string
	crash     debugger.Stop
	place     string          // "index.go:42", the site that must be passed
	ran       time.Duration   // from launch to the crash
	ending    *verdict.Ending // of the proof's rerun; nil without one
	passes    bool
	settle    time.Duration // how long after the command beside the target it crashed
	// test is the regression test that stood in for the proof's rerun, and
	// verifier the one to run it; empty and nil otherwise.
	test     string
	verifier *verify.Verifier
}

// setWatch watches the restart of a candidate; nil ends that.
func (e *Engine) setWatch(w *watch) {
	e.watch = w
	e.muting.judge(w)
}

func (e *Engine) newWatch(c session.CandidateRecord) *watch {
	s := e.State()
	w := &watch{candidate: c.ID, passes: c.Passes()}
	if e.underReview(c.ID) {
		w.settle = e.stop.settle
		if c.Verdict != nil && c.Verdict.ByTest && c.Verdict.Test != nil && e.stop.verifier != nil {
			w.test, w.verifier = c.Verdict.Test.Name, e.stop.verifier
		}
	}
	if i := s.StopOf(c.ID); i >= 0 {
		w.crash, w.ran = s.Stops[i].Stop, s.Stops[i].Ran
		if f, ok := w.crash.SelectedFrame(); ok {
			w.place = fmt.Sprintf("%s:%d", e.ws.Rel(f.File), f.Line)
		}
	}
	if c.Verdict != nil {
		w.ending = c.Verdict.Ending
	}
	return w
}

// judgeStop judges the watched candidate by how its restart stopped.
func (e *Engine) judgeStop(stop debugger.Stop) {
	w := e.watch
	if w == nil {
		return
	}
	if w.crash.Test != nil {
		e.judgeFailing(w, stop)
		return
	}
	switch {
	case stop.Crashed() && sameCrash(w.crash, stop):
		e.judge(session.CameBack, fmt.Sprintf("%s again at %s", stop.Panic.Class, e.placeOf(stop)))
	case stop.Crashed():
		e.judge(session.NotReached, fmt.Sprintf("another stop came first: %s at %s", stop.Panic.Class, e.placeOf(stop)))
	case stop.Ended():
		j, evidence := w.byEnd(*stop.Exit)
		if j == session.NotReached && w.passes && w.test != "" {
			e.judgeByTest(w, exitWords(*stop.Exit))
			return
		}
		e.judge(j, evidence)
	}
}

// judgeByTest judges a candidate that its regression test has proved, by that
// test in the source as it is now: the run has ended without showing anything.
func (e *Engine) judgeByTest(w *watch, ended string) {
	status := e.showStatus("running " + w.test + "…")
	e.job(func() {
		why, err := w.verifier.Holds(e.ctx, w.test)
		if err != nil {
			why = "could not be run: " + err.Error()
		}
		e.post(func() {
			e.showStatus(status)
			switch {
			case e.watch != w: // judged meanwhile
			case why == "":
				e.judge(session.Fixed, "its regression test passes; the run did not reach the place: "+w.test+", "+ended)
			default:
				e.judge(session.NotReached, session.Clean("ended without showing it: "+ended+"; its regression test "+w.test+" "+why))
			}
		})
	})
}

// byEnd judges a restart that ended by itself: it must end as the proof's rerun
// did or, without a proof, cleanly.
func (w *watch) byEnd(exit debugger.Exit) (session.Judgement, string) {
	words := exitWords(exit)
	asProved := w.passes && w.ending != nil && !w.ending.Alive && w.ending.Exit == exit.Code && w.ending.Signal == exit.Signal
	// A proof that was still running had gone past the site; a clean end comes after that.
	later := w.passes && w.ending != nil && w.ending.Alive && exit.Code == 0 && exit.Signal == ""
	if asProved || later {
		return session.Fixed, fmt.Sprintf("ran past %s, %s", w.place, words)
	}
	return session.NotReached, fmt.Sprintf("ended without showing it: %s", words)
}

func exitWords(exit debugger.Exit) string {
	if exit.Signal != "" {
		return "killed by " + exit.Signal
	}
	return fmt.Sprintf("exit %d", exit.Code)
}

// watchAlive judges a restart that keeps running as the proof's rerun did.
func (e *Engine) watchAlive(r *round) {
	w := e.watch
	if w != nil && w.ending != nil && w.ending.Reply != nil { // the proof replayed something
		e.watchReplied(r)
		return
	}
	if w == nil || !w.passes || w.ending == nil || !w.ending.Alive {
		return
	}
	long := max(w.ending.Ran, 2*w.ran)
	since := r.since
	e.after(long-r.ran, func() { // time held at breakpoints proves nothing
		if e.watch == w && e.round == r && r.running && r.since.Equal(since) {
			e.judge(session.Fixed, fmt.Sprintf("still running after %.0f s, as in the proof, which ran past %s", long.Seconds(), w.place))
		}
	})
}

// after has Run's goroutine call fn when d has passed.
func (e *Engine) after(d time.Duration, fn func()) {
	e.job(func() {
		select {
		case <-e.ctx.Done():
		case <-time.After(d):
			e.post(fn)
		}
	})
}

func (e *Engine) judge(j session.Judgement, evidence string) {
	id := e.watch.candidate
	e.setWatch(nil)
	e.append(actorEngine, &session.Judged{Candidate: id, Judgement: j, Evidence: evidence})
}

// sameCrash: the same class in the same function, or the same fingerprint.
func sameCrash(a, b debugger.Stop) bool {
	if !sameTest(a, b) {
		return false
	}
	if a.Panic.Fingerprint == b.Panic.Fingerprint {
		return true
	}
	fa, okA := a.SelectedFrame()
	fb, okB := b.SelectedFrame()
	return a.Panic.Class == b.Panic.Class && okA && okB && debugger.WrittenFunction(fa.Function) == debugger.WrittenFunction(fb.Function)
}

func (e *Engine) placeOf(stop debugger.Stop) string {
	f, ok := stop.SelectedFrame()
	if !ok {
		return "an unknown place"
	}
	return fmt.Sprintf("%s:%d", e.ws.Rel(f.File), f.Line)
}
