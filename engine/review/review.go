// Package review carries out what a person decides about candidates: it writes them,
// takes them back, and remembers those that helped.
package review

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/engine/apply"
	"github.com/pausetui/pausetui/engine/ask"
	"github.com/pausetui/pausetui/engine/hooks"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/judge"
	"github.com/pausetui/pausetui/engine/launch"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/program"
	"github.com/pausetui/pausetui/engine/proof"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/build"
)

// Review carries out what a person decides about candidates.
type Review struct {
	*loop.Loop
	Hooked   *ask.Hooks
	Asking   *ask.Asking
	Breaks   *target.Breakpoints
	Judging  *judge.Judging
	Launcher *launch.Launcher
	Program  *program.Program
	Proofs   *proof.Proofs
	Runner   *target.Runner
	Again    func() func() // Engine.again
	Outside  func() *prompts.Screen

	committing bool // git commit is under way
}

// Approve writes a candidate to the source, restarts the target and watches
// what becomes of it.
func (rv *Review) Approve(i intent.Approve) {
	id := i.Candidate
	c, ok := rv.State().Candidate(id)
	switch {
	case !ok:
		rv.Refuse(fmt.Errorf("there is no fix %q", id))
		return
	case rv.committing:
		rv.Refuse(errCommitting)
		return
	case rv.Runner.Busy:
		rv.Refuse(errors.New("the program is being built"))
		return
	case rv.State().IsApplied(id):
		rv.Refuse(fmt.Errorf("%s is applied already", session.Called(id)))
		return
	case rv.State().AppliedInstead(id) != "":
		rv.Refuse(advice.Add(fmt.Errorf("%s is applied in place of %s", session.Called(rv.State().AppliedInstead(id)), session.Called(id)), "u takes it back"))
		return
	case i.Test != "" && (c.Test() == nil || c.Test().Name != i.Test):
		rv.Refuse(advice.Add(fmt.Errorf("the regression test of %s is another one by now", session.Called(id)), "look at it and approve again"))
		return
	case rv.State().Pending != nil:
		rv.Refuse(advice.Add(errors.New("an earlier apply is half done"), "start pausetui again: it recovers the files"))
		return
	}
	if rv.Judging.Watched != nil {
		rv.Judging.Judge(session.NotReached, "another fix was approved first")
	}
	if c.Asks() {
		rv.Confirm(id)
	}
	rv.Append(rv.By(), &session.Decided{Candidate: id, Decision: session.Approved, WithoutTest: i.WithoutTest || c.LosesTest(), TestConfirmed: i.Test != ""})
	c, _ = rv.State().Candidate(id)
	busy := rv.Runner.Busy
	rv.Runner.Busy = true
	rv.Hooked.MayApply(c, func(veto string) {
		rv.Runner.Busy = busy
		if veto != "" {
			rv.Append(session.EngineActor, &session.ApplyFailed{Candidate: id, Err: "the hook before_apply vetoes it: " + session.Clean(veto)})
			return
		}
		rv.apply(c)
	})
}

// Confirm notes that a person finds right what a candidate answers instead of the work
// that failed.
func (rv *Review) Confirm(id string) {
	c, ok := rv.State().Candidate(id)
	if !ok || !c.Asks() {
		rv.Refuse(fmt.Errorf("%s has nothing to confirm", session.Called(id)))
		return
	}
	rv.Append(rv.By(), &session.Decided{Candidate: id, Decision: session.Confirmed, Reason: c.Verdict.How})
}

// apply writes an approved candidate.
func (rv *Review) apply(c session.CandidateRecord) {
	id := c.ID
	if rv.site().Apply(rv.Ctx, c) != nil { // which says so itself
		return
	}
	rv.Hooked.Later(hooks.Event{Hook: hooks.AfterApply, Candidate: ask.HookCandidate(c.Candidate)})
	rv.Breaks.Carry(c.ToWrite())
	rv.Opts.Mark("applied")
	w := rv.Judging.NewWatch(c)
	rv.Proofs.Close() // what is still being proved would now be proved against the changed source
	if rv.Opts.Log.Commit {
		rv.commit(id, false, func() { rv.restartProved(c, w) })
		return
	}
	rv.restartProved(c, w)
}

// site is where candidates are written, and recorded.
func (rv *Review) site() apply.Site {
	return apply.Site{Workspace: rv.Workspace, Log: rv.Log, Record: rv.Record}
}

// restartProved starts the target from the binary that proved the candidate,
// unless anything it was built from differs by now, and watches it.
func (rv *Review) restartProved(c session.CandidateRecord, w *judge.Watch) {
	if !rv.Opts.Target.Mode.Starts() {
		rv.Judging.AppliedOnly(w)
		return
	}
	again := rv.Again()
	rv.Judging.Watch(w)
	if !launch.Proved(c) {
		rv.Launcher.Build("restart", again)
		return
	}
	v := *c.Verdict
	rv.Launcher.CompareProved(c, func(same bool) {
		if !same {
			rv.Notice("info", builtAgain(c), "")
			rv.Launcher.Build("restart", again)
			return
		}
		rv.Program.Binary = build.Result{Binary: v.Binary, Inputs: v.Inputs}
		rv.Program.Sources.Built(rv.Opts.Now())
		rv.Append(session.EngineActor, &session.BuildFinished{Binary: v.Binary, Inputs: v.Inputs, Proved: c.ID})
		again()
	})
}

// builtAgain says why the binary of a proof is not the one that runs.
func builtAgain(c session.CandidateRecord) string {
	if slices.ContainsFunc(c.ToWrite(), func(e patch.Edit) bool { return strings.HasSuffix(e.File, "_test.go") }) {
		return "built again, with the regression test"
	}
	return "built again: the source is not exactly what was proved"
}

// Undo takes the last applied candidate back, exactly.
func (rv *Review) Undo() {
	if rv.committing {
		rv.Refuse(errCommitting)
		return
	}
	a, err := rv.site().Undo(rv.Ctx, rv.State(), rv.By(), "")
	switch {
	case errors.Is(err, apply.ErrNothing):
		rv.Refuse(err)
		return
	case err != nil:
		return // which says so itself
	}
	if c, ok := rv.State().Candidate(a.Candidate); ok {
		rv.Breaks.Carry(patch.Reverse(c.ToWrite()))
	}
	rv.Judging.Watch(nil)
	if a.Judgement == session.Fixed {
		rv.Judging.Failed(a.Candidate)
	}
	if a.Commit != "" {
		rv.commit(a.Candidate, true, func() {})
	}
}

// Reject rejects a candidate; the reason goes back to who proposed it.
func (rv *Review) Reject(id, reason string) {
	switch _, ok := rv.State().Candidate(id); {
	case !ok:
		rv.Refuse(fmt.Errorf("there is no fix %q", id))
		return
	case rv.State().IsApplied(id):
		rv.Refuse(advice.Add(fmt.Errorf("%s is applied", session.Called(id)), "u takes it back"))
		return
	}
	rv.Append(rv.By(), &session.Decided{Candidate: id, Decision: session.Rejected, Reason: reason})
	rv.Asking.TryByHand(id, reason)
}

// Revise makes a candidate from one that a person has edited.
func (rv *Review) Revise(i intent.Revise) {
	old, ok := rv.State().Candidate(i.Candidate)
	if !ok || !rv.Proofs.UnderReview(old.ID) {
		rv.Refuse(advice.Add(fmt.Errorf("%s is not under review", session.Called(i.Candidate)), "f asks for new ones"))
		return
	}
	c := old.Candidate
	c.Parent, c.Source = old.ID, patch.Source{Provider: patch.PersonProvider, Model: "edited"}
	c.Title, c.Explanation = "edit of fix "+session.Number(old.ID), "" // what the other said may no longer be true
	if i.Title != "" {
		c.Title = i.Title
	}
	c.Edits = nil
	for n, edit := range old.ToWrite() {
		after, ok := i.Files[edit.File]
		if ok {
			edit.After = after
		}
		if own := n < len(old.Edits); edit.After != edit.Before && (own || ok) {
			c.Edits = append(c.Edits, edit)
		}
	}
	rv.derive(old, c, session.Edited)
}

// LeaveHunks makes a candidate from one without some of its hunks.
func (rv *Review) LeaveHunks(i intent.LeaveHunks) {
	old, ok := rv.State().Candidate(i.Candidate)
	if !ok || !rv.Proofs.UnderReview(old.ID) {
		rv.Refuse(fmt.Errorf("%s is not under review", session.Called(i.Candidate)))
		return
	}
	c := old.Without(i.Left)
	c.Parent = old.ID
	c.Title = old.Title + " (in part)"
	rv.derive(old, c, session.Edited)
}

func (rv *Review) derive(old session.CandidateRecord, c patch.Candidate, d session.Decision) {
	if len(c.Edits) == 0 {
		rv.Refuse(fmt.Errorf("nothing of %s is left", session.Called(old.ID)))
		return
	}
	if c.Diff() == old.Diff() {
		rv.Notice("info", "nothing was changed in "+session.Called(old.ID), "")
		return
	}
	rv.Append(rv.By(), &session.Decided{Candidate: old.ID, Decision: d})
	before := rv.Proofs.Candidates
	id, leftOut := rv.Proofs.Proposed(rv.Proofs.Open, "", rv.By(), c)
	switch {
	case leftOut != nil:
		rv.Refuse(leftOut)
	case rv.Proofs.Candidates == before:
		rv.Notice("info", session.Called(id)+" makes the same change", "")
	}
}
