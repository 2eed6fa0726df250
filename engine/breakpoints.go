package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
)

// breakpoints are those the person has set, under numbers of ours that stay
// the same across restarts; inTarget maps them to the debugger's.
type breakpoints struct {
	last     int
	inTarget map[int]int
	changed  bool // and not kept yet for later sessions
	unsaved  bool // they cannot be kept for later sessions, and that was said
	missed   bool // one that was waiting for this launch could not be set
	asBuilt  bool // the next round runs a binary that is older than the source: lines are those of then
}

// set notes under which number the debugger has one of ours.
func (b *breakpoints) set(ours, theirs int) {
	if b.inTarget == nil {
		b.inTarget = map[int]int{}
	}
	b.inTarget[ours] = theirs
}

// ours is our number of one of the debugger's; 0 where there is none.
func (b *breakpoints) ours(theirs int) int {
	for ours, id := range b.inTarget {
		if id == theirs {
			return ours
		}
	}
	return 0
}

// name puts our numbers on the breakpoints of a stop.
func (b *breakpoints) name(stop *debugger.Stop) {
	if hit := stop.Breakpoint; hit != nil {
		if id := b.ours(hit.ID); id != 0 {
			hit.ID = id
		}
	}
	for i := range stop.Also {
		stop.Also[i].Breakpoint = b.ours(stop.Also[i].Breakpoint)
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

// targetless tells whether there is nothing to set a breakpoint in now.
func (e *Engine) targetless() bool { return e.round == nil || e.round.ended }

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

func (e *Engine) toggleBreakpoint(file string, line int) {
	for _, b := range e.State().Breakpoints {
		if b.File == file && b.Line == line && b.Watch == "" {
			e.clearBreakpoint(b.ID)
			return
		}
	}
	e.addBreakpoint(debugger.Breakpoint{File: file, Line: line})
}

// addBreakpoint sets a breakpoint; without a target it waits for one.
func (e *Engine) addBreakpoint(b debugger.Breakpoint) {
	b.ID, b.Place, b.Was, b.Why, b.Hits = 0, "", 0, "", 0
	if !e.targetless() {
		if can := e.round.target.Abilities(); !can.Run {
			e.refuse(errors.New(can.Cannot("stop at breakpoints")))
			return
		}
		e.whenHeld(func() { e.setInTarget(e.opts.Actor, b, true) })
		return
	}
	if b.Watch != "" {
		e.refuse(advice.Add(fmt.Errorf("watch %s: %w", b.Watch, debugger.ErrGone), "r starts it again"))
		return
	}
	if b.File == "" {
		b.Place, b.Why = debugger.PlacePending, lookedUpLater
	}
	b.Text = workspace.Line(b.File, b.Line)
	e.number(&b)
	e.recordBreakpoint(e.opts.Actor, b)
}

// number gives a new breakpoint its number.
func (e *Engine) number(b *debugger.Breakpoint) {
	if b.ID == 0 {
		e.breaks.last++
		b.ID = e.breaks.last
	}
}

// setInTarget sets a breakpoint in the held target and records where it landed.
// A new one that cannot be set is refused; one of before stays, and says why it
// waits.
func (e *Engine) setInTarget(actor string, b debugger.Breakpoint, isNew bool) {
	if e.targetless() {
		e.number(&b)
		e.recordBreakpoint(actor, b)
		return
	}
	set, err := e.round.target.SetBreakpoint(e.ctx, b)
	switch {
	case err != nil && isNew:
		e.refuseBreakpoint(b, err)
		return
	case err != nil:
		b.Place, b.Why = debugger.PlacePending, err.Error()
		e.recordBreakpoint(actor, b)
		return
	}
	e.number(&b)
	e.landed(actor, b.ID, set)
}

// landed records a breakpoint as the debugger has set it, under our number.
func (e *Engine) landed(actor string, ours int, set debugger.Breakpoint) {
	e.breaks.set(ours, set.ID)
	set.ID = ours
	if set.Watch == "" {
		set.Text = workspace.Line(set.File, set.Line)
	}
	e.recordBreakpoint(actor, set)
	e.doubt(set)
}

// refuseBreakpoint says why a breakpoint is not set, and what can be set instead.
func (e *Engine) refuseBreakpoint(b debugger.Breakpoint, err error) {
	var none *debugger.NoCode
	var many *debugger.Ambiguous
	switch {
	case e.refused != nil:
		e.refused(err)
	case errors.As(err, &many):
		e.append(actorEngine, &session.Notice{Level: "error", Text: many.Error(), Hint: advice.Of(err), Offer: &b, Candidates: many.Candidates})
	case errors.As(err, &none) && none.Nearest != 0:
		b.File, b.Line, b.Location = none.File, none.Nearest, ""
		e.append(actorEngine, &session.Notice{Level: "error", Text: fmt.Sprintf("%v of %s", none, e.ws.Rel(none.File)),
			Hint: fmt.Sprintf("the nearest is line %d", none.Nearest), Offer: &b})
	default:
		e.refuse(err)
	}
}

// recordBreakpoint records how a breakpoint is now, and keeps it for later
// sessions.
func (e *Engine) recordBreakpoint(actor string, b debugger.Breakpoint) {
	e.append(actor, &session.BreakpointSet{Breakpoint: b})
	e.breaks.changed = true
}

// amendBreakpoint changes a breakpoint; one that is to be somewhere else is
// set again.
func (e *Engine) amendBreakpoint(b debugger.Breakpoint) {
	was, ok := e.breakpoint(b.ID)
	if !ok {
		return
	}
	if e.targetless() {
		if placedElsewhere(was, b) {
			b.Text, b.Place, b.Why = workspace.Line(b.File, b.Line), "", ""
		}
		e.recordBreakpoint(e.opts.Actor, b)
		return
	}
	e.whenHeld(func() {
		theirs, set := e.breaks.inTarget[b.ID]
		switch {
		case e.targetless():
			e.recordBreakpoint(e.opts.Actor, b)
		case !set || placedElsewhere(was, b):
			e.replaceBreakpoint(was, b)
		default:
			e.changeBreakpoint(theirs, b)
		}
	})
}

// changeBreakpoint changes what is done at a breakpoint.
func (e *Engine) changeBreakpoint(theirs int, b debugger.Breakpoint) {
	inTarget := b
	inTarget.ID = theirs
	if err := e.round.target.AmendBreakpoint(e.ctx, inTarget); err != nil {
		e.refuse(fmt.Errorf("change breakpoint %d: %w", b.ID, err))
		return
	}
	e.recordBreakpoint(e.opts.Actor, b)
	e.doubt(b)
}

// replaceBreakpoint sets a breakpoint somewhere else; where that fails, the old
// one stays.
func (e *Engine) replaceBreakpoint(was, b debugger.Breakpoint) {
	target := e.round.target
	if theirs, set := e.breaks.inTarget[b.ID]; set {
		if err := target.ClearBreakpoint(e.ctx, theirs); err != nil {
			e.refuse(fmt.Errorf("change breakpoint %d: %w", b.ID, err))
			return
		}
		delete(e.breaks.inTarget, b.ID)
	}
	b.Place, b.Why = "", ""
	set, err := target.SetBreakpoint(e.ctx, b)
	if err != nil {
		e.refuseBreakpoint(b, err)
		e.setInTarget(actorEngine, was, false)
		return
	}
	e.landed(e.opts.Actor, b.ID, set)
}

// placedElsewhere tells whether two breakpoints differ in where they stop.
func placedElsewhere(a, b debugger.Breakpoint) bool {
	return a.File != b.File || a.Line != b.Line || a.Location != b.Location || a.Watch != b.Watch || a.WatchKind != b.WatchKind ||
		a.OnReturn != b.OnReturn || a.OnError != b.OnError
}

func (e *Engine) clearBreakpoint(id int) {
	e.append(e.opts.Actor, &session.BreakpointCleared{ID: id})
	e.breaks.changed = true
	theirs, ok := e.breaks.inTarget[id]
	if !ok {
		return
	}
	delete(e.breaks.inTarget, id)
	e.whenHeld(func() {
		if e.targetless() {
			return
		}
		if err := e.round.target.ClearBreakpoint(context.WithoutCancel(e.ctx), theirs); err != nil {
			e.refuse(fmt.Errorf("clear breakpoint %d: %w", id, err))
		}
	})
}

// lookAtBreakpoints takes what a stop says of breakpoints: a watchpoint that
// went out of scope, hit counts, and places that have come into being.
func (e *Engine) lookAtBreakpoints(r *round, stop debugger.Stop) {
	if stop.Watched != nil && stop.Watched.Gone && stop.Breakpoint != nil {
		delete(e.breaks.inTarget, stop.Breakpoint.ID)
		e.recordBreakpoint(actorEngine, *stop.Breakpoint)
	}
	if stop.Ended() || len(e.breaks.inTarget) == 0 {
		return
	}
	e.job(func() {
		hits, err := r.target.BreakpointHits(e.ctx)
		if err != nil {
			return // it went on already: the next stop tells
		}
		e.post(func() {
			ours := map[int]uint64{}
			for id, theirs := range e.breaks.inTarget {
				ours[id] = hits[theirs]
			}
			e.setLive(func(l *Live) { l.Hits = ours })
		})
	})
}

// doubt warns of a condition that will fail where it is evaluated, as far as
// the source tells, once that is loaded: Delve would say so at the first hit.
func (e *Engine) doubt(b debugger.Breakpoint) {
	f := e.code
	if b.File == "" || b.Watch != "" || f == nil || b.Cond == "" && len(b.Print) == 0 {
		return
	}
	e.job(func() {
		select {
		case <-f.done:
		case <-e.ctx.Done():
			return
		}
		if f.code == nil {
			return
		}
		for i, expr := range append([]string{b.Cond}, b.Print...) {
			why := ""
			if expr != "" {
				why = f.code.Doubt(b.File, b.Line, expr, i == 0)
			}
			if why != "" {
				e.post(func() { e.notice("warn", fmt.Sprintf("breakpoint %d: %s: %s", b.ID, expr, why), "B changes it") })
			}
		}
	})
}
