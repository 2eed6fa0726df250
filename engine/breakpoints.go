package engine

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/workspace"
)

// breakpoints are those the person has set, under numbers of ours that stay
// the same across restarts; inTarget maps them to the debugger's.
type breakpoints struct {
	last     int
	inTarget map[int]int
}

// name puts our number on a breakpoint as the debugger reports it.
func (b *breakpoints) name(hit *debugger.Breakpoint) {
	for ours, theirs := range b.inTarget {
		if theirs == hit.ID {
			hit.ID = ours
			return
		}
	}
}

// whenHeld calls fn now if the target is held, after a short halt if it runs,
// and not at all without one: then it will be done at the next launch.
func (e *Engine) whenHeld(fn func()) {
	r := e.round
	switch {
	case r == nil || r.ended:
	case r.running:
		e.halted = append(e.halted, fn)
		e.halt()
	default:
		fn()
	}
}

// breakpointIntent carries out what is wanted of breakpoints.
func (e *Engine) breakpointIntent(i Intent) {
	switch i := i.(type) {
	case ToggleBreakpoint:
		e.toggleBreakpoint(i.File, i.Line)
	case SetBreakpoint:
		e.addBreakpoint(i.Breakpoint)
	case AmendBreakpoint:
		e.amendBreakpoint(i.Breakpoint)
	case EnableBreakpoint:
		if b, ok := e.breakpoint(i.ID); ok {
			b.Disabled = !i.On
			e.amendBreakpoint(b)
		}
	case ClearBreakpoint:
		if _, ok := e.breakpoint(i.ID); ok {
			e.clearBreakpoint(i.ID)
		}
	}
}

// breakpoint finds one by its number, or says that there is none.
func (e *Engine) breakpoint(id int) (debugger.Breakpoint, bool) {
	for _, b := range e.State().Breakpoints {
		if b.ID == id {
			return b, true
		}
	}
	e.refuse(fmt.Errorf("there is no breakpoint %d", id))
	return debugger.Breakpoint{}, false
}

// amendBreakpoint changes a breakpoint; one that is to be somewhere else is
// set again.
func (e *Engine) amendBreakpoint(b debugger.Breakpoint) {
	was, ok := e.breakpoint(b.ID)
	if !ok {
		return
	}
	theirs, set := e.breaks.inTarget[b.ID]
	if !set || e.round == nil || e.round.ended {
		e.append(e.opts.Actor, &session.BreakpointSet{Breakpoint: b})
		return
	}
	e.whenHeld(func() {
		if e.round == nil || e.round.ended {
			e.append(e.opts.Actor, &session.BreakpointSet{Breakpoint: b})
			return
		}
		if placedElsewhere(was, b) {
			if err := e.round.target.ClearBreakpoint(e.ctx, theirs); err != nil {
				e.refuse(fmt.Errorf("change breakpoint %d: %w", b.ID, err))
				return
			}
			e.setInTarget(e.opts.Actor, b)
			return
		}
		inTarget := b
		inTarget.ID = theirs
		if err := e.round.target.AmendBreakpoint(e.ctx, inTarget); err != nil {
			e.refuse(fmt.Errorf("change breakpoint %d: %w", b.ID, err))
			return
		}
		e.append(e.opts.Actor, &session.BreakpointSet{Breakpoint: b})
	})
}

// placedElsewhere tells whether two breakpoints differ in where they stop.
func placedElsewhere(a, b debugger.Breakpoint) bool {
	return a.File != b.File || a.Line != b.Line || a.Location != b.Location || a.Watch != b.Watch || a.WatchKind != b.WatchKind ||
		a.OnReturn != b.OnReturn || a.OnError != b.OnError
}

func (e *Engine) toggleBreakpoint(file string, line int) {
	for _, b := range e.State().Breakpoints {
		if b.File == file && b.Line == line {
			e.clearBreakpoint(b.ID)
			return
		}
	}
	e.addBreakpoint(debugger.Breakpoint{File: file, Line: line})
}

// addBreakpoint sets a breakpoint; without a target it waits for one.
func (e *Engine) addBreakpoint(b debugger.Breakpoint) {
	e.breaks.last++
	b.ID = e.breaks.last
	if e.round == nil || e.round.ended {
		b.Text = workspace.Line(b.File, b.Line)
		e.append(e.opts.Actor, &session.BreakpointSet{Breakpoint: b})
		return
	}
	e.whenHeld(func() { e.setInTarget(e.opts.Actor, b) })
}

// setInTarget sets a breakpoint in the held target and records where it landed.
func (e *Engine) setInTarget(actor string, b debugger.Breakpoint) {
	if e.round == nil || e.round.ended {
		b.Text = workspace.Line(b.File, b.Line)
		e.append(actor, &session.BreakpointSet{Breakpoint: b})
		return
	}
	set, err := e.round.target.SetBreakpoint(e.ctx, b)
	if err != nil {
		e.refuse(fmt.Errorf("set a breakpoint: %w", err))
		return
	}
	if e.breaks.inTarget == nil {
		e.breaks.inTarget = map[int]int{}
	}
	e.breaks.inTarget[b.ID] = set.ID
	set.ID, set.Location = b.ID, b.Location
	set.Text = workspace.Line(set.File, set.Line)
	e.append(actor, &session.BreakpointSet{Breakpoint: set})
}

func (e *Engine) clearBreakpoint(id int) {
	e.append(e.opts.Actor, &session.BreakpointCleared{ID: id})
	theirs, ok := e.breaks.inTarget[id]
	if !ok {
		return
	}
	delete(e.breaks.inTarget, id)
	e.whenHeld(func() {
		if e.round == nil || e.round.ended {
			return
		}
		if err := e.round.target.ClearBreakpoint(context.WithoutCancel(e.ctx), theirs); err != nil {
			e.refuse(fmt.Errorf("clear breakpoint %d: %w", id, err))
		}
	})
}

// setBreakpointsAgain sets all breakpoints in a fresh target, each where its
// line stands now.
func (e *Engine) setBreakpointsAgain() {
	e.breaks.inTarget = map[int]int{}
	for _, b := range e.State().Breakpoints {
		line, ok := relocate(b)
		if !ok {
			e.append(actorEngine, &session.BreakpointCleared{ID: b.ID})
			e.notice("warn", fmt.Sprintf("breakpoint %d is lost: its line %q is gone from %s", b.ID, b.Text, e.ws.Rel(b.File)), "")
			continue
		}
		b.Line = line
		e.setInTarget(actorEngine, b)
	}
}

// relocate finds the line of a breakpoint by its text, the nearest one first.
func relocate(b debugger.Breakpoint) (int, bool) {
	if b.Text == "" || workspace.Line(b.File, b.Line) == b.Text {
		return b.Line, true
	}
	data, err := os.ReadFile(b.File)
	if err != nil {
		return 0, false
	}
	best, found := 0, false
	for i, text := range strings.Split(string(data), "\n") {
		if strings.TrimSpace(text) != b.Text {
			continue
		}
		if !found || distance(i+1, b.Line) < distance(best, b.Line) {
			best, found = i+1, true
		}
	}
	return best, found
}

func distance(a, b int) int { return max(a-b, b-a) }
