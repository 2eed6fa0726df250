package engine

import "slices"

// What is typed fast is carried out in its order: a line of the command line that is entered
// while steps wait for one another comes after them.

// command carries out a line, after the steps that were asked for before it.
func (e *Engine) command(i Evaluate) {
	r := e.runner.round
	if r == nil || r.ended || len(r.ahead)+len(r.after) == 0 {
		e.shell.command(i)
		return
	}
	r.after = append(r.after, authored{i, e.author})
}

// commandsAfter carries out the lines that have waited, once no step is left.
func (e *Engine) commandsAfter(r *round) {
	if r.running || len(r.ahead) > 0 {
		return
	}
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
