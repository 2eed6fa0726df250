package engine

import (
	"slices"
	"time"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/target"
)

// Fast typing keeps its order: a command line entered while steps are running is executed after
// them. It waits for a slow step only briefly, since the command may be what interrupts the step.

// command executes a line, after the steps that were requested before it.
func (e *Engine) command(i intent.Evaluate) {
	r := e.runner.Round
	if r == nil || r.Ended || !e.stepping(r) && len(r.After) == 0 {
		e.shell.command(i)
		return
	}
	r.After = append(r.After, target.Line{Evaluate: i, By: e.loop.Author})
	if len(r.After) == 1 {
		e.releaseLines(r)
	}
}

// stepping reports whether a step is running that should end soon.
func (e *Engine) stepping(r *target.Round) bool {
	return r.Running && target.Steps(r.Move.Motion) && e.runner.Since(r.Since) < target.StepPatience
}

// releaseLines executes the waiting lines once a step takes longer than target.StepPatience.
func (e *Engine) releaseLines(r *target.Round) {
	e.loop.Job(func() {
		select {
		case <-time.After(target.StepPatience):
		case <-e.loop.Ctx.Done():
			return
		}
		e.loop.Post(func() {
			switch {
			case len(r.After) == 0:
			case e.stepping(r):
				e.releaseLines(r)
			default:
				e.carryOutLines(r)
			}
		})
	})
}

// commandsAfter executes the waiting lines once no step is left.
func (e *Engine) commandsAfter(r *target.Round) {
	if !r.Running && len(r.Ahead) == 0 {
		e.carryOutLines(r)
	}
}

func (e *Engine) carryOutLines(r *target.Round) {
	lines := r.After
	r.After = nil
	for _, l := range lines {
		e.loop.As(l.By, func() { e.shell.command(l.Evaluate) })
	}
}

// dropLines drops waiting lines, and returns them.
func (e *Engine) dropLines(which func(target.Line) bool) (dropped []target.Line) {
	r := e.runner.Round
	if r == nil {
		return nil
	}
	r.After = slices.DeleteFunc(r.After, func(l target.Line) bool {
		if !which(l) {
			return false
		}
		dropped = append(dropped, l)
		return true
	})
	return dropped
}
