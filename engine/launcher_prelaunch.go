package engine

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

// prelaunched is the target of a proved candidate, launched while a person still
// thinks about it and held before its first instruction.
type prelaunched struct {
	candidate string
	binary    string
	files     map[string]string // that the candidate writes, by absolute path
	survey    *build.Survey     // nil where the go command has failed
	round     *target.Round
	target    *delve.Target
	took      time.Duration
	done      chan struct{} // closed when it is launched, or could not be
	then      func()        // waits for that; may be nil
}

// standBy starts a debugger before there is a program to debug; nil where it is
// not wanted, or cannot be: then one is started later.
func standBy(ctx context.Context, mode session.LaunchMode) *delve.Standby {
	if !mode.Starts() {
		return nil
	}
	standby, _ := delve.Stand(ctx)
	return standby
}

// prepare launches the target of a candidate that is about to be approved. There
// is never more than one; what cannot be prepared is done when it is approved.
func (ln *launcher) prepare(i intent.Prepare) {
	c, ok := ln.State().Candidate(i.Candidate)
	if !ok || ln.runner.Busy || !ln.Opts.Target.Mode.Starts() || !proved(c) {
		return
	}
	c.WithoutTest = i.WithoutTest
	c.ConfirmTest()
	files := map[string]string{}
	for _, edit := range c.ToWrite() {
		files[ln.Workspace.Abs(edit.File)] = edit.After
	}
	if ln.prelaunched != nil && ln.prelaunched.candidate == c.ID && maps.Equal(ln.prelaunched.files, files) {
		return
	}
	ln.dropPrelaunched()
	r, config, err := ln.newRound(c.Verdict.Binary, ln.repros.PlanOfRound(true))
	if err != nil {
		return
	}
	a := &prelaunched{candidate: c.ID, binary: c.Verdict.Binary, files: files, round: r, done: make(chan struct{})}
	ln.prelaunched = a
	ln.Job(func() { ln.prelaunch(a, config) })
}

// prelaunch launches the target and, in the meantime, surveys what it was built from.
func (ln *launcher) prelaunch(a *prelaunched, config delve.Config) {
	began := ln.Opts.Now()
	spec := ln.program.Spec
	spec.Overlay = a.files
	var surveyed sync.WaitGroup
	surveyed.Go(func() {
		if survey, err := build.NewSurvey(a.round.Ctx, spec); err == nil {
			a.survey = survey
		}
	})
	if t, err := delve.Launch(a.round.Ctx, config); err == nil {
		a.target, a.round.Target = t, t
	}
	a.took = ln.Since(began)
	surveyed.Wait()
	close(a.done)
	ln.Post(func() {
		if ln.prelaunched == a && a.then != nil {
			ln.runner.Busy = false
			a.then()
		}
	})
}

// proved reports whether there is a binary that has passed the proof.
func proved(c session.CandidateRecord) bool {
	return c.Verdict != nil && c.Verdict.Binary != "" && c.Passes()
}

// compareProved calls next, on Run's goroutine, with whether the sources on disk are
// what the binary of a candidate was proved with.
func (ln *launcher) compareProved(c session.CandidateRecord, next func(same bool)) {
	a := ln.prelaunched
	if a == nil || a.candidate != c.ID {
		ln.compareInputs(c.Verdict.Inputs, next)
		return
	}
	compare := func() {
		if a.survey != nil {
			if digest, ok := a.survey.Digest(); ok && digest == c.Verdict.Inputs {
				next(true)
				return
			}
		}
		ln.compareInputs(c.Verdict.Inputs, next)
	}
	if isClosed(a.done) {
		compare()
		return
	}
	ln.runner.Busy, a.then = true, compare
}

// takePrelaunched takes the target that is held for the binary that is to be launched;
// one of another binary is ended.
func (ln *launcher) takePrelaunched() *prelaunched {
	a := ln.prelaunched
	if a == nil {
		return nil
	}
	if !isClosed(a.done) || a.target == nil || isClosed(a.target.Lost()) || a.binary != ln.program.Binary.Binary || a.round.Plan != ln.repros.PlanOfRound(ln.judging.Watched != nil) {
		ln.dropPrelaunched()
		return nil
	}
	ln.prelaunched = nil
	return a
}

// dropPrelaunched ends the prelaunched target, which is not wanted any more.
func (ln *launcher) dropPrelaunched() {
	a := ln.prelaunched
	if a == nil {
		return
	}
	ln.prelaunched = nil
	a.round.Cancel()
	ln.Job(func() {
		<-a.done
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
