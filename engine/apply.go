package engine

import (
	"errors"
	"fmt"

	"github.com/pausetui/pausetui/engine/apply"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/build"
)

// approve writes a candidate to the source, restarts the target and watches
// what becomes of it.
func (e *Engine) approve(i Approve) {
	id := i.Candidate
	c, ok := e.State().Candidate(id)
	switch {
	case !ok:
		e.refuse(fmt.Errorf("there is no candidate %q", id))
		return
	case e.committing:
		e.refuse(errCommitting)
		return
	case e.busy:
		e.refuse(errors.New("the target is being built"))
		return
	case e.State().IsApplied(id):
		e.refuse(fmt.Errorf("%s is applied already", id))
		return
	case e.State().Pending != nil:
		e.refuse(advice.Add(errors.New("an earlier apply is half done"), "start pausetui again: it puts the files in order"))
		return
	}
	if e.watch != nil {
		e.judge(session.NotReached, "another candidate was approved first")
	}
	e.append(e.opts.Actor, &session.Decided{Candidate: id, Decision: session.Approved, WithoutTest: i.WithoutTest})
	c.WithoutTest = i.WithoutTest
	if e.site().Apply(e.ctx, c) != nil { // which says so itself
		return
	}
	e.carryBreakpoints(c.ToWrite())
	e.opts.Mark("applied")
	w := e.newWatch(c)
	e.closeCase() // what is still being proved would now be proved against the changed source
	if e.opts.Commit {
		e.commit(id, false, func() { e.restartProved(c, w) })
		return
	}
	e.restartProved(c, w)
}

// site is where candidates are written, and recorded.
func (e *Engine) site() apply.Site {
	return apply.Site{Workspace: e.ws, Log: e.log, Record: e.record}
}

// restartProved starts the target from the binary that proved the candidate,
// unless anything it was built from differs by now, and watches it.
func (e *Engine) restartProved(c session.CandidateRecord, w *watch) {
	if !e.opts.Way.Starts() {
		e.appliedOnly(w)
		return
	}
	again := e.again()
	e.setWatch(w)
	if !proved(c) {
		e.build("restart", again)
		return
	}
	v := *c.Verdict
	e.compareProved(c, func(same bool) {
		if !same {
			e.notice("info", "built again: the source is not exactly what was proved", "")
			e.build("restart", again)
			return
		}
		e.binary = build.Result{Binary: v.Binary, Inputs: v.Inputs}
		e.sources.built(e.opts.Now())
		e.append(actorEngine, &session.BuildFinished{Binary: v.Binary, Inputs: v.Inputs, Proved: c.ID})
		again()
	})
}

// undo takes the last applied candidate back, exactly.
func (e *Engine) undo(reason string) {
	actor := e.opts.Actor
	if reason != "" {
		actor = actorEngine
	}
	if e.committing {
		e.refuse(errCommitting)
		return
	}
	a, err := e.site().Undo(e.ctx, e.State(), actor, reason)
	switch {
	case errors.Is(err, apply.ErrNothing):
		e.refuse(err)
		return
	case err != nil:
		return // which says so itself
	}
	if c, ok := e.State().Candidate(a.Candidate); ok {
		e.carryBreakpoints(patch.Reverse(c.ToWrite()))
	}
	e.setWatch(nil)
	if a.Commit != "" {
		e.commit(a.Candidate, true, func() {})
	}
}

func (e *Engine) reject(id, reason string) {
	switch _, ok := e.State().Candidate(id); {
	case !ok:
		e.refuse(fmt.Errorf("there is no candidate %q", id))
		return
	case e.State().IsApplied(id):
		e.refuse(advice.Add(fmt.Errorf("%s is applied", id), "u takes it back"))
		return
	}
	e.append(e.opts.Actor, &session.Decided{Candidate: id, Decision: session.Rejected, Reason: reason})
	e.tryByHand(id, reason)
}

// underReview tells whether a candidate belongs to the open case.
func (e *Engine) underReview(id string) bool {
	s := e.State()
	return e.stop != nil && s.StopOf(id) == s.CaseIndex()
}

// revise makes a candidate from one that a person has edited.
func (e *Engine) revise(i Revise) {
	old, ok := e.State().Candidate(i.Candidate)
	if !ok || !e.underReview(old.ID) {
		e.refuse(advice.Add(fmt.Errorf("candidate %q is not under review", i.Candidate), "f asks for new ones"))
		return
	}
	c := old.Candidate
	c.Parent, c.Source = old.ID, patch.Source{Provider: "person", Model: "edited"}
	c.Title = old.Title + " (edited)"
	if i.Title != "" {
		c.Title = i.Title
	}
	c.Edits = nil
	for _, edit := range old.Edits {
		if after, ok := i.Files[edit.File]; ok {
			edit.After = after
		}
		if edit.After != edit.Before {
			c.Edits = append(c.Edits, edit)
		}
	}
	e.derive(old, c, session.Edited)
}

// leaveHunks makes a candidate from one without some of its hunks.
func (e *Engine) leaveHunks(i LeaveHunks) {
	old, ok := e.State().Candidate(i.Candidate)
	if !ok || !e.underReview(old.ID) {
		e.refuse(fmt.Errorf("candidate %q is not under review", i.Candidate))
		return
	}
	c := old.Without(i.Left)
	c.Parent = old.ID
	c.Title = old.Title + " (in part)"
	e.derive(old, c, session.Edited)
}

func (e *Engine) derive(old session.CandidateRecord, c patch.Candidate, d session.Decision) {
	if len(c.Edits) == 0 {
		e.refuse(fmt.Errorf("nothing of %s is left", old.ID))
		return
	}
	if c.Diff() == old.Diff() {
		e.notice("info", "nothing was changed in "+old.ID, "")
		return
	}
	e.append(e.opts.Actor, &session.Decided{Candidate: old.ID, Decision: d})
	e.proposed(e.stop, "", e.opts.Actor, c)
}
