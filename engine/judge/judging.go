// Package judge says what became of an applied candidate, by what its restart shows, and
// repeats there what made the target fail.
package judge

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/proof"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Judging says what became of an applied candidate, by what its restart shows.
type Judging struct {
	*loop.Loop
	Muting  *target.Muting
	Proofs  *proof.Proofs
	Runner  *target.Runner
	Watched *Watch // nil without one
	Judged  func(*session.Judged)
	// Helped is called with a candidate that was judged fixed.
	Helped func(candidate string)
	// Failed is called with one that was judged fixed and is undone, or did not hold.
	Failed func(candidate string)
}

// Watch is an applied candidate whose restart is being watched.
type Watch struct {
	candidate string
	crash     debugger.Stop
	place     string                // "index.go:42", the site that must be passed
	failing   []debugger.Breakpoint // where a restart passes it
	bad       string                // the value that was bad there, as an expression; empty if that is not known
	ran       time.Duration         // from launch to the crash
	ending    *verdict.Ending       // of the proof's rerun; nil without one
	next      *verdict.Next         // the stop that the proof's rerun came to, past the site; nil without one
	passes    bool                  // its proof passed, as far as it had come
	unproved  bool                  // approved before its proof had ended, and nothing spoke against it
	alive     bool                  // judged fixed while the target ran: the crash may still come back
	doubted   bool                  // judged not reached because of another stop: the run may still show it
	settle    time.Duration         // how long after the end of the repro command it crashed
	typed     int                   // how often something was typed before the crash
	// test is the regression test that stood in for the proof's rerun, and
	// verifier the one to run it; empty and nil otherwise.
	test     string
	verifier *verify.Verifier
	late     *lateProof // the rest of its proof, made after it was applied; nil: there is none
}

// Watch watches the restart of a candidate; nil ends that.
func (jd *Judging) Watch(w *Watch) {
	if was := jd.Watched; was != nil && (w == nil || w.late != was.late) {
		jd.drop(was.late)
	}
	jd.Watched = w
	if w == nil {
		jd.Muting.Judge(nil)
		return
	}
	jd.Muting.Judge(&w.crash)
}

// NewWatch is the watch of a candidate that was applied.
func (jd *Judging) NewWatch(c session.CandidateRecord) *Watch {
	s := jd.State()
	if now, ok := s.Candidate(c.ID); ok { // a hook may have taken its time since c was read
		c.Verdict, c.Checks = now.Verdict, now.Checks
	}
	w := &Watch{candidate: c.ID, unproved: c.Verdict == nil && !anyFails(c.Checks)}
	w.passes, w.ending = proofOf(c)
	w.typed = len(s.Typed)
	rerun, _ := verdict.Find(c.Checks, verdict.Rerun)
	w.next = rerun.Next
	if jd.Proofs.UnderReview(c.ID) {
		w.settle = jd.Proofs.Open.Settle
		if c.Verdict != nil && c.Verdict.ByTest && c.Verdict.Test != nil && jd.Proofs.Open.Verifier != nil {
			w.test, w.verifier = c.Verdict.Test.Name, jd.Proofs.Open.Verifier
		}
	}
	if i := s.StopOf(c.ID); i >= 0 {
		w.crash, w.ran = s.Stops[i].Stop, s.Stops[i].Ran
		if d := s.Stops[i].Diagnosis; d != nil {
			w.bad = d.Expr
		}
		if f, ok := w.crash.SelectedFrame(); ok {
			w.place = fmt.Sprintf("%s:%d", jd.Workspace.Rel(f.File), f.Line)
		}
		w.failing = failingLine(jd.Workspace, w.crash, c.ToWrite())
	}
	if jd.Proofs.UnderReview(c.ID) {
		w.late = jd.lateProofOf(w)
	}
	return w
}

// proofOf says whether the proof of a candidate passes, as far as it was made, and how
// its rerun ended. If the proof had not ended when the candidate was approved, its
// rerun may have: the check has the ending.
func proofOf(c session.CandidateRecord) (passes bool, ending *verdict.Ending) {
	rerun, _ := verdict.Find(c.Checks, verdict.Rerun)
	if c.Verdict == nil {
		return verdict.Passes(c.Checks), rerun.Ending
	}
	return c.Passes(), cmp.Or(c.Verdict.Ending, rerun.Ending) // without one: resumed, and cut off
}

// Stopped judges the watched candidate by how its restart stopped.
func (jd *Judging) Stopped(stop debugger.Stop) {
	w := jd.Watched
	if w == nil {
		return
	}
	jd.seeLine(stop)
	again := stop.Crashed() && target.SameCrash(w.crash, stop) && !w.otherCause(stop)
	if w.alive && !again {
		return
	}
	if w.crash.Test != nil {
		jd.judgeFailing(w, stop)
		return
	}
	switch {
	case again:
		jd.Judge(session.CameBack, fmt.Sprintf("%s again at %s", stop.Panic.Class, jd.PlaceOf(stop)))
	case stop.Crashed() && w.repliedAsProved(jd.State().Replied):
		jd.Judge(session.Fixed, fmt.Sprintf("%s, as in the proof; then another stop came: %s at %s", session.ReplyWords(*jd.State().Replied), stop.Panic.Class, jd.PlaceOf(stop)))
	case stop.Crashed() && w.passes && w.isNext(stop):
		jd.Judge(session.Fixed, fmt.Sprintf("ran past %s, as in the proof; next stop: %s at %s", w.place, stop.Panic.Class, jd.PlaceOf(stop)))
	case stop.Crashed() && jd.typedOn(w):
		jd.Judge(session.Fixed, fmt.Sprintf("ran past %s on what was typed before, as in the proof; next stop: %s at %s", w.place, stop.Panic.Class, jd.PlaceOf(stop)))
	case stop.Crashed():
		if evidence := fmt.Sprintf("%sanother stop came: %s at %s", shownNothing, stop.Panic.Class, jd.PlaceOf(stop)); !jd.awaitsProof(stop, evidence) {
			jd.doubt(evidence)
		}
	case stop.Ended():
		j, evidence := w.byEnd(*stop.Exit, *jd.line())
		if j == session.NotReached && jd.typedOn(w) {
			j, evidence = session.Fixed, fmt.Sprintf("ran past %s on what was typed before, as in the proof; %s", w.place, exitWords(*stop.Exit))
		}
		if j == session.NotReached && w.passes && w.test != "" {
			jd.judgeByTest(w, exitWords(*stop.Exit))
			return
		}
		if j != session.NotReached || !jd.awaitsProof(stop, evidence) {
			jd.Judge(j, evidence)
		}
	}
}

// judgeByTest judges a candidate that its regression test has proved, by that
// test in the source as it is now: the run has ended without showing anything.
func (jd *Judging) judgeByTest(w *Watch, ended string) {
	status := jd.ShowStatus("running " + w.test + "…")
	jd.Job(func() {
		why, err := w.verifier.Holds(jd.Ctx, w.test)
		if err != nil {
			why = "could not be run: " + err.Error()
		}
		jd.Post(func() {
			jd.ShowStatus(status)
			switch {
			case jd.Watched != w: // judged meanwhile
			case why == "":
				jd.Judge(session.Fixed, "its regression test passes; the run did not reach the place: "+w.test+", "+ended)
			default:
				jd.Judge(session.NotReached, session.Clean(shownNothing+ended+"; its regression test "+w.test+" "+why))
			}
		})
	})
}

// gone says that a restart has not stopped as the target did.
func (w *Watch) gone() string {
	if p := w.crash.Panic; p != nil && p.Class == debugger.Deadlock {
		return "no deadlock at " + w.place
	}
	return "no panic at " + w.place
}

// byEnd judges a restart that ended by itself: it must end as the proof's rerun
// did or, without a proof, cleanly. What was typed again may not have led to the failing line.
func (w *Watch) byEnd(exit debugger.Exit, line target.LineSeen) (session.Judgement, string) {
	words := exitWords(exit)
	if line.Awaited && !line.Come && w.typed > 0 {
		return session.NotReached, shownNothing + words + ", and it has not come to " + w.place
	}
	asProved := w.passes && w.ending != nil && !w.ending.Alive && w.ending.Exit == exit.Code && w.ending.Signal == exit.Signal
	// A proof that was still running had gone past the site; a clean end comes after that.
	later := w.passes && w.ending != nil && w.ending.Alive && (line.Come || !w.hasLine()) && exit.Code == 0 && exit.Signal == ""
	if asProved || later {
		return session.Fixed, w.gone() + ", " + words
	}
	if w.unproved && exit.Code == 0 && exit.Signal == "" && !w.crash.LivesOn() && !w.crash.MayRace() {
		return session.Fixed, "ran to its end, " + words + "; it was applied before its proof had ended"
	}
	return session.NotReached, shownNothing + words
}

// typedOn reports whether a restart has come to the failing line, and taken all that was
// typed before the crash, as the proof did without it, and more after that.
func (jd *Judging) typedOn(w *Watch) bool {
	return w.passes && w.typed > 0 && len(jd.State().Typed) > w.typed && jd.line().Come
}

// shownNothing begins the evidence of a restart that ended too early, or in another
// way than the proof's rerun.
const shownNothing = "the run does not show whether the panic is gone: "

// anyFails reports whether a check has failed.
func anyFails(checks []verdict.Check) bool {
	return slices.ContainsFunc(checks, func(c verdict.Check) bool { return c.Status == verdict.Fail })
}

func exitWords(exit debugger.Exit) string {
	if exit.Signal != "" {
		return "killed by " + exit.Signal
	}
	return fmt.Sprintf("exit %d", exit.Code)
}

// WatchAlive judges a restart that keeps running as the proof's rerun did.
func (jd *Judging) WatchAlive(r *target.Round) {
	jd.proveLate()
	w := jd.Watched
	if w.isReplayed() && r.Plan.Command != "" {
		jd.watchReplied(r)
		return
	}
	if w.needsRequest(r.Plan) && !jd.line().Come {
		return
	}
	if w == nil || w.alive || w.crash.Hangs() || !w.passes || w.ending == nil || !w.ending.Alive {
		return
	}
	long := max(w.ending.Ran, 2*w.ran)
	since := r.Since
	var look func()
	look = func() {
		switch {
		case jd.Watched != w || jd.Runner.Round != r || !r.Running || !r.Since.Equal(since):
		case len(r.Pending) > 0: // it is still being typed
			jd.After(target.MaxPause, look)
		case len(jd.State().Typed) < w.typed:
			jd.doubt(shownNothing + "not all that was typed before was typed again")
		default:
			jd.ranOn(w, long)
		}
	}
	jd.After(max(long-r.Ran, leastGrace), look) // time held at breakpoints proves nothing
}

// judgeAlive judges a candidate fixed whose target runs on, and goes on watching:
// the same crash may still come.
func (jd *Judging) judgeAlive(evidence string) {
	w := *jd.Watched
	w.alive = true
	jd.Judge(session.Fixed, evidence)
	jd.Watch(&w)
}

// doubt judges a candidate not reached, and goes on watching: the run, or the next one,
// may still show whether it helps.
func (jd *Judging) doubt(evidence string) {
	w := *jd.Watched
	jd.Judge(session.NotReached, evidence)
	w.doubted = true
	jd.Watch(&w)
}

// Judge ends the watch with a judgement. One that was judged fixed stays so, and is
// watched on, whatever ends first: only the same crash takes that back.
func (jd *Judging) Judge(j session.Judgement, evidence string) {
	id, alive := jd.Watched.candidate, jd.Watched.alive
	if late := jd.Watched.late; late != nil && late.held != nil && j == session.NotReached {
		evidence = late.evidence // the session goes on before its proof has ended
	}
	if alive && j != session.CameBack {
		return
	}
	doubted := jd.Watched.doubted
	jd.Watch(nil)
	if doubted && j == session.NotReached {
		return // it was said
	}
	judged := &session.Judged{Candidate: id, Judgement: j, Evidence: evidence}
	jd.Append(session.EngineActor, judged)
	jd.Judged(judged)
	switch {
	case j == session.Fixed:
		jd.Helped(id)
	case alive:
		jd.Failed(id)
	}
}

// isNext reports whether a stop is the one that the proof's rerun came to.
func (w *Watch) isNext(stop debugger.Stop) bool {
	f, ok := stop.SelectedFrame()
	return ok && w.next != nil && w.next.Function == debugger.WithoutTypeArguments(debugger.WrittenFunction(f.Function)) &&
		debugger.SameClass(debugger.Class(w.next.Class), stop.Panic.Class)
}

// AppliedOnly ends an apply without a restart: the target was started elsewhere.
// If its regression test proved it, that test decides.
func (jd *Judging) AppliedOnly(w *Watch) {
	jd.Watch(w)
	why := proof.WhyNoRerun(jd.Opts.Target.Mode)
	if w.passes && w.test != "" {
		jd.judgeByTest(w, why)
		return
	}
	jd.Judge(session.NotReached, why)
}

// WatchAgain watches the restart of a candidate that was applied and not
// judged: the session was killed first.
func (jd *Judging) WatchAgain() {
	s := jd.State()
	a, ok := s.Undoable()
	if !ok || a.Judgement != "" {
		return
	}
	if c, ok := s.Candidate(a.Candidate); ok {
		jd.Watch(jd.NewWatch(c))
	}
}

// Lost judges a restart whose target the debugger has lost.
func (jd *Judging) Lost() {
	if jd.Watched != nil {
		jd.Judge(session.NotReached, "the debugger has lost the program")
	}
}
