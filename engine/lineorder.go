package engine

import (
	"slices"
	"time"
)

// What is typed fast is carried out in its order: a line of the command line that is entered
// while steps are under way comes after them. Where a step takes long it does not wait: it may
// be what ends the step.

// command carries out a line, after the steps that were asked for before it.
func (e *Engine) command(i Evaluate) {
	r := e.runner.round
	if r == nil || r.ended || !e.stepping(r) && len(r.after) == 0 {
		e.shell.command(i)
		return
	}
	r.after = append(r.after, authored{i, e.author})
	if len(r.after) == 1 {
		e.releaseLines(r)
	}
}

// stepping reports whether steps are under way that will soon have ended.
func (e *Engine) stepping(r *round) bool {
	return r.running && steps(r.move.Motion) && e.runner.since(r.since) < stepPatience
}

// releaseLines carries out the lines that wait once the steps take longer than expected.
func (e *Engine) releaseLines(r *round) {
	e.job(func() {
		select {
		case <-time.After(stepPatience):
		case <-e.ctx.Done():
			return
		}
		e.post(func() {
			switch {
			case len(r.after) == 0:
			case e.stepping(r):
				e.releaseLines(r)
			default:
				e.carryOutLines(r)
			}
		})
	})
}

// commandsAfter carries out the lines that have waited, once no step is left.
func (e *Engine) commandsAfter(r *round) {
	if !r.running && len(r.ahead) == 0 {
		e.carryOutLines(r)
	}
}

func (e *Engine) carryOutLines(r *round) {
	lines := r.after
	r.after = nil
	for _, l := range lines {
		e.as(l.by, func() { e.shell.command(l.Evaluate) })
	}
}

// dropLines forgets lines that wait.
func (e *Engine) dropLines(which func(authored) bool) {
	if r := e.runner.round; r != nil {
		r.after = slices.DeleteFunc(r.after, which)
	}
}
