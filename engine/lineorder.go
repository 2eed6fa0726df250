package engine

import (
	"github.com/pausetui/pausetui/engine/intent"
	"slices"
	"time"
)

// Fast typing keeps its order: a command line entered while steps are running is executed after
// them. It waits for a slow step only briefly, since the command may be what interrupts the step.

// command executes a line, after the steps that were requested before it.
func (e *Engine) command(i intent.Evaluate) {
	r := e.runner.round
	if r == nil || r.ended || !e.stepping(r) && len(r.after) == 0 {
		e.shell.command(i)
		return
	}
	r.after = append(r.after, authored{Evaluate: i, by: e.loop.Author})
	if len(r.after) == 1 {
		e.releaseLines(r)
	}
}

// stepping reports whether a step is running that should end soon.
func (e *Engine) stepping(r *round) bool {
	return r.running && steps(r.move.Motion) && e.runner.Since(r.since) < stepPatience
}

// releaseLines executes the waiting lines once a step takes longer than stepPatience.
func (e *Engine) releaseLines(r *round) {
	e.loop.Job(func() {
		select {
		case <-time.After(stepPatience):
		case <-e.loop.Ctx.Done():
			return
		}
		e.loop.Post(func() {
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

// commandsAfter executes the waiting lines once no step is left.
func (e *Engine) commandsAfter(r *round) {
	if !r.running && len(r.ahead) == 0 {
		e.carryOutLines(r)
	}
}

func (e *Engine) carryOutLines(r *round) {
	lines := r.after
	r.after = nil
	for _, l := range lines {
		e.loop.As(l.by, func() { e.shell.command(l.Evaluate) })
	}
}

// dropLines drops waiting lines, and returns them.
func (e *Engine) dropLines(which func(authored) bool) (dropped []authored) {
	r := e.runner.round
	if r == nil {
		return nil
	}
	r.after = slices.DeleteFunc(r.after, func(l authored) bool {
		if !which(l) {
			return false
		}
		dropped = append(dropped, l)
		return true
	})
	return dropped
}
