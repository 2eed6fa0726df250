package engine

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/pausetui/pausetui/debugger/delve"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/build"
)

// ahead is the target of a proved candidate, launched while a person still
// thinks about it and held before its first instruction.
type ahead struct {
	candidate string
	binary    string
	files     map[string]string // that the candidate writes, by absolute path
	survey    *build.Survey     // nil where the go command has failed
	round     *round
	target    *delve.Target
	took      time.Duration
	done      chan struct{} // closed when it is launched, or could not be
	then      func()        // waits for that; nil when nobody does
}

// standBy starts a debugger before there is a program to debug; nil where it is
// not wanted, or cannot be: then one is started later.
func standBy(ctx context.Context, way session.Way) *delve.Standby {
	if !way.Starts() {
		return nil
	}
	standby, _ := delve.Stand(ctx)
	return standby
}

// prepare launches the target of a candidate that is about to be approved. There
// is never more than one; what cannot be prepared is done when it is approved.
func (e *Engine) prepare(i Prepare) {
	c, ok := e.State().Candidate(i.Candidate)
	if !ok || e.busy || !e.opts.Way.Starts() || !proved(c) {
		return
	}
	c.WithoutTest = i.WithoutTest
	files := map[string]string{}
	for _, edit := range c.ToWrite() {
		files[e.ws.Abs(edit.File)] = edit.After
	}
	if e.ahead != nil && e.ahead.candidate == c.ID && maps.Equal(e.ahead.files, files) {
		return
	}
	e.dropAhead()
	r, config, err := e.newRound(c.Verdict.Binary, e.planOfRound(true))
	if err != nil {
		return
	}
	a := &ahead{candidate: c.ID, binary: c.Verdict.Binary, files: files, round: r, done: make(chan struct{})}
	e.ahead = a
	e.job(func() { e.launchAhead(a, config) })
}

// launchAhead launches the target and, beside it, surveys what it was built from.
func (e *Engine) launchAhead(a *ahead, config delve.Config) {
	began := e.opts.Now()
	spec := e.spec
	spec.Overlay = a.files
	var surveyed sync.WaitGroup
	surveyed.Go(func() {
		if survey, err := build.NewSurvey(a.round.ctx, spec); err == nil {
			a.survey = survey
		}
	})
	if t, err := delve.Launch(a.round.ctx, config); err == nil {
		a.target, a.round.target = t, t
	}
	a.took = e.since(began)
	surveyed.Wait()
	close(a.done)
	e.post(func() {
		if e.ahead == a && a.then != nil {
			e.busy = false
			a.then()
		}
	})
}

// proved tells whether there is a binary that has stood the proof.
func proved(c session.CandidateRecord) bool {
	return c.Verdict != nil && c.Verdict.Binary != "" && c.Passes()
}

// compareProved tells next, on Run's goroutine, whether the sources on disk are
// what the binary of a candidate was proved with.
func (e *Engine) compareProved(c session.CandidateRecord, next func(same bool)) {
	a := e.ahead
	if a == nil || a.candidate != c.ID {
		e.compareInputs(c.Verdict.Inputs, next)
		return
	}
	compare := func() {
		if a.survey != nil {
			if digest, ok := a.survey.Digest(); ok && digest == c.Verdict.Inputs {
				next(true)
				return
			}
		}
		e.compareInputs(c.Verdict.Inputs, next)
	}
	if isClosed(a.done) {
		compare()
		return
	}
	e.busy, a.then = true, compare
}

// takeAhead takes the target that is held for the binary that is to be launched;
// one of another binary is ended.
func (e *Engine) takeAhead() *ahead {
	a := e.ahead
	if a == nil {
		return nil
	}
	if !isClosed(a.done) || a.target == nil || isClosed(a.target.Lost()) || a.binary != e.binary.Binary || a.round.plan != e.planOfRound(e.watch != nil) {
		e.dropAhead()
		return nil
	}
	e.ahead = nil
	return a
}

// dropAhead ends what was launched ahead and is not wanted any more.
func (e *Engine) dropAhead() {
	a := e.ahead
	if a == nil {
		return
	}
	e.ahead = nil
	a.round.cancel()
	e.job(func() {
		<-a.done
		a.round.close()
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
