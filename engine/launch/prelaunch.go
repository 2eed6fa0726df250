package launch

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/pausetui/pausetui/debugger/delve"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/build"
)

// Prelaunched is the target of a proved candidate, launched while a person still
// thinks about it and held before its first instruction.
type Prelaunched struct {
	candidate string
	binary    string
	files     map[string]string // that the candidate writes, by absolute path
	survey    *build.Survey     // nil where the go command has failed
	round     *target.Round
	Target    *delve.Target
	took      time.Duration
	Done      chan struct{} // closed when it is launched, or could not be
	then      func()        // waits for that; may be nil
}

// StandBy starts a debugger before there is a program to debug; nil where it is
// not wanted, or cannot be: then one is started later.
func StandBy(ctx context.Context, mode session.LaunchMode) *delve.Standby {
	if !mode.Starts() {
		return nil
	}
	standby, _ := delve.Stand(ctx)
	return standby
}

// Prepare launches the target of a candidate that is about to be approved. There
// is never more than one; what cannot be prepared is done when it is approved.
func (ln *Launcher) Prepare(i intent.Prepare) {
	c, ok := ln.State().Candidate(i.Candidate)
	if !ok || ln.Runner.Busy || !ln.Opts.Target.Mode.Starts() || !Proved(c) {
		return
	}
	c.WithoutTest = i.WithoutTest
	c.ConfirmTest()
	files := map[string]string{}
	for _, edit := range c.ToWrite() {
		files[ln.Workspace.Abs(edit.File)] = edit.After
	}
	if ln.Prelaunched != nil && ln.Prelaunched.candidate == c.ID && maps.Equal(ln.Prelaunched.files, files) {
		return
	}
	ln.DropPrelaunched()
	r, config, err := ln.newRound(c.Verdict.Binary, ln.Repros.PlanOfRound(true))
	if err != nil {
		return
	}
	a := &Prelaunched{candidate: c.ID, binary: c.Verdict.Binary, files: files, round: r, Done: make(chan struct{})}
	ln.Prelaunched = a
	ln.Job(func() { ln.prelaunch(a, config) })
}

// prelaunch launches the target and, in the meantime, surveys what it was built from.
func (ln *Launcher) prelaunch(a *Prelaunched, config delve.Config) {
	began := ln.Opts.Now()
	spec := ln.Program.Spec
	spec.Overlay = a.files
	var surveyed sync.WaitGroup
	surveyed.Go(func() {
		if survey, err := build.NewSurvey(a.round.Ctx, spec); err == nil {
			a.survey = survey
		}
	})
	if t, err := delve.Launch(a.round.Ctx, config); err == nil {
		a.Target, a.round.Target = t, t
	}
	a.took = ln.Since(began)
	surveyed.Wait()
	close(a.Done)
	ln.Post(func() {
		if ln.Prelaunched == a && a.then != nil {
			ln.Runner.Busy = false
			a.then()
		}
	})
}

// Proved reports whether there is a binary that has passed the proof.
func Proved(c session.CandidateRecord) bool {
	return c.Verdict != nil && c.Verdict.Binary != "" && c.Passes()
}

// CompareProved calls next, on Run's goroutine, with whether the sources on disk are
// what the binary of a candidate was proved with.
func (ln *Launcher) CompareProved(c session.CandidateRecord, next func(same bool)) {
	a := ln.Prelaunched
	if a == nil || a.candidate != c.ID {
		ln.CompareInputs(c.Verdict.Inputs, next)
		return
	}
	compare := func() {
		if a.survey != nil {
			if digest, ok := a.survey.Digest(); ok && digest == c.Verdict.Inputs {
				next(true)
				return
			}
		}
		ln.CompareInputs(c.Verdict.Inputs, next)
	}
	if isClosed(a.Done) {
		compare()
		return
	}
	ln.Runner.Busy, a.then = true, compare
}

// takePrelaunched takes the target that is held for the binary that is to be launched;
// one of another binary is ended.
func (ln *Launcher) takePrelaunched() *Prelaunched {
	a := ln.Prelaunched
	if a == nil {
		return nil
	}
	if !isClosed(a.Done) || a.Target == nil || isClosed(a.Target.Lost()) || a.binary != ln.Program.Binary.Binary || a.round.Plan != ln.Repros.PlanOfRound(ln.Judging.Watched != nil) {
		ln.DropPrelaunched()
		return nil
	}
	ln.Prelaunched = nil
	return a
}

// DropPrelaunched ends the prelaunched target, which is not wanted any more.
func (ln *Launcher) DropPrelaunched() {
	a := ln.Prelaunched
	if a == nil {
		return
	}
	ln.Prelaunched = nil
	a.round.Cancel()
	ln.Job(func() {
		<-a.Done
		a.round.Close()
	})
}

func isClosed(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}
