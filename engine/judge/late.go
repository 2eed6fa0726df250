package judge

import (
	"context"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify"
	"github.com/pausetui/pausetui/verify/verdict"
)

// A candidate may be approved before the rerun of its proof has ended. That rerun is then
// made while its restart runs, and the restart is judged by it as it would be by one
// that had ended before. A restart that shows enough on its own does not wait.

// lateProof is such a rerun.
type lateProof struct {
	verifier  *verify.Verifier
	candidate patch.Candidate
	begun     bool
	cancel    context.CancelFunc // nil before it has begun
	// held is the stop that it is to judge; nil while there is none. Without it,
	// evidence would be what the restart shows.
	held     *debugger.Stop
	evidence string
	status   string // the status line before held
}

// lateProofOf is that of a candidate about to be watched; nil where there is nothing to
// wait for.
func (jd *Judging) lateProofOf(w *Watch) *lateProof {
	if !w.unproved || w.passes || w.crash.Test != nil || !jd.Opts.Target.Mode.Starts() || jd.Proofs.Open.Verifier == nil {
		return nil
	}
	c, ok := jd.State().Candidate(w.candidate)
	if !ok {
		return nil
	}
	return &lateProof{verifier: jd.Proofs.Open.Verifier, candidate: c.Candidate}
}

// proveLate begins the rerun, once.
func (jd *Judging) proveLate() {
	w := jd.Watched
	if w == nil || w.late == nil || w.late.begun {
		return
	}
	late := w.late
	late.begun = true
	var ctx context.Context
	ctx, late.cancel = context.WithCancel(jd.Ctx)
	jd.Job(func() {
		var checks []verdict.Check
		err := loop.Contain(func() (err error) {
			checks, err = late.verifier.Rerun(ctx, late.candidate)
			return err
		})
		jd.Post(func() { jd.provedLate(late, checks, err) })
	})
}

// provedLate goes on with the restart's judgement.
func (jd *Judging) provedLate(late *lateProof, checks []verdict.Check, err error) {
	late.cancel()
	w := jd.Watched
	if w == nil || w.late != late {
		return // judged meanwhile
	}
	w.late = nil
	if err == nil {
		rerun, _ := verdict.Find(checks, verdict.Rerun)
		w.passes, w.ending, w.next = verdict.Passes(checks), rerun.Ending, rerun.Next
	}
	switch {
	case late.held != nil:
		jd.ShowStatus(late.status)
		jd.Stopped(*late.held)
	case jd.Runner.Round != nil && jd.Runner.Round.Running:
		jd.WatchAlive(jd.Runner.Round)
	}
}

// awaitsProof reports whether a stop that shows nothing on its own has to wait for the
// rerun.
func (jd *Judging) awaitsProof(stop debugger.Stop, evidence string) bool {
	late := jd.Watched.late
	if late == nil {
		return false
	}
	if late.held == nil {
		late.held, late.evidence = &stop, evidence
		late.status = jd.ShowStatus("proving " + session.Clean(session.Called(late.candidate.ID)) + "…")
	}
	jd.proveLate()
	return true
}

// drop ends a rerun that nothing waits for any longer.
func (jd *Judging) drop(late *lateProof) {
	if late == nil {
		return
	}
	if late.cancel != nil {
		late.cancel()
	}
	if late.held != nil {
		jd.ShowStatus(late.status)
	}
}
