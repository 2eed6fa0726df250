package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/program"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
)

// breakpoints are those the person has set, under our numbers, which stay
// the same across restarts; inTarget maps them to the debugger's.
type breakpoints struct {
	*loop.Loop
	program *program.Program
	runner  *runner

	last     int
	inTarget map[int]int
	changed  bool // and not saved yet for later sessions
	saved    time.Time
	toSave   bool         // saveSoon waits
	unsaved  bool         // they cannot be saved for later sessions, and that was reported
	recalled map[int]bool // of an earlier session, and not asked for in this one
	missed   error        // the first that was waiting for this launch and could not be set
	asBuilt  bool         // the next round runs a binary that is older than the source: lines are those of then
}

// set notes the debugger's number of a breakpoint.
func (bs *breakpoints) set(ours, theirs int) {
	if bs.inTarget == nil {
		bs.inTarget = map[int]int{}
	}
	bs.inTarget[ours] = theirs
}

// ours is our number of a breakpoint of the debugger; 0 if it has none.
func (bs *breakpoints) ours(theirs int) int {
	for ours, id := range bs.inTarget {
		if id == theirs {
			return ours
		}
	}
	return 0
}

// name puts our numbers on the breakpoints of a stop: 0 on one that is not in the list,
// whose number in the debugger may be that of another in ours.
func (bs *breakpoints) name(stop *debugger.Stop) {
	if hit := stop.Breakpoint; hit != nil {
		if hit.ID > 0 && bs.ours(hit.ID) == 0 {
			_ = bs.take(session.EngineActor, true) // without it, it is said not to be in the list
		}
		hit.ID = bs.ours(hit.ID)
	}
	for i := range stop.Also {
		stop.Also[i].Breakpoint = bs.ours(stop.Also[i].Breakpoint)
	}
	if stop.Watched != nil {
		for i := range stop.Watched.Also {
			stop.Watched.Also[i].ID = bs.ours(stop.Watched.Also[i].ID)
		}
	}
}

// handle carries out what is wanted of breakpoints.
func (bs *breakpoints) handle(i intent.Intent) {
	switch i := i.(type) {
	case intent.ToggleBreakpoint:
		bs.toggle(i.File, i.Line)
	case intent.SetBreakpoint:
		if bs.allowed(i.Breakpoint) {
			bs.add(i.Breakpoint)
		}
	case intent.AmendBreakpoint:
		if bs.allowed(i.Breakpoint) {
			bs.amend(i.Breakpoint)
		}
	case intent.EnableBreakpoint:
		if b, ok := bs.find(i.ID); ok {
			b.Disabled = !i.On
			bs.amend(b)
		}
	case intent.ClearBreakpoint:
		if _, ok := bs.find(i.ID); ok {
			bs.clear(i.ID)
		}
	}
}

// find finds one by its number, or refuses.
func (bs *breakpoints) find(id int) (debugger.Breakpoint, bool) {
	for _, b := range bs.State().Breakpoints {
		if b.ID == id {
			return b, true
		}
	}
	bs.Refuse(fmt.Errorf("there is no breakpoint %d", id))
	return debugger.Breakpoint{}, false
}

func (bs *breakpoints) toggle(file string, line int) {
	for _, b := range bs.State().Breakpoints {
		if b.File == file && b.Line == line && b.Watch == "" {
			bs.clear(b.ID)
			return
		}
	}
	bs.add(debugger.Breakpoint{File: file, Line: line})
}

// add sets a breakpoint; without a target it waits for one.
func (bs *breakpoints) add(b debugger.Breakpoint) {
	b.ID, b.Place, b.Was, b.Why, b.Hits, b.Location = 0, "", 0, "", 0, bs.Workspace.Location(b.Location)
	if !bs.runner.targetless() {
		if can := bs.runner.round.target.Abilities(); !can.Run {
			bs.Refuse(errors.New(can.Cannot("stop at breakpoints")))
			return
		}
		bs.runner.whenHeld(func() { bs.setInTarget(bs.By(), b, true) })
		return
	}
	if b.Watch != "" {
		bs.Refuse(advice.Add(fmt.Errorf("watch %s: %w", b.Watch, debugger.ErrGone), "r starts it again"))
		return
	}
	if o, ok := bs.occupant(b); ok {
		if !bs.again(o, b) {
			bs.Refuse(advice.Add(debugger.ErrOccupied, "change that one: B lists them"))
		}
		return
	}
	if b.File == "" {
		b.Place, b.Why = debugger.PlacePending, lookedUpLater
	}
	b.Text = workspace.Line(b.File, b.Line)
	bs.number(&b)
	bs.note(bs.By(), b)
}

// number gives a new breakpoint its number.
func (bs *breakpoints) number(b *debugger.Breakpoint) {
	if b.ID == 0 {
		bs.last++
		b.ID = bs.last
	}
}

// setInTarget sets a breakpoint in the held target and records where it landed.
// A new one that cannot be set is refused; an older one stays, and says why it
// waits.
func (bs *breakpoints) setInTarget(actor string, b debugger.Breakpoint, isNew bool) {
	if bs.runner.targetless() {
		bs.number(&b)
		bs.note(actor, b)
		return
	}
	set, err := bs.runner.round.target.SetBreakpoint(bs.Ctx, b)
	if errors.Is(err, debugger.ErrOccupied) && bs.take(session.EngineActor, true) == nil { // perhaps by what is in the list now
		set, err = bs.runner.round.target.SetBreakpoint(bs.Ctx, b)
	}
	switch o, ok := bs.occupant(b); {
	case isNew && ok && errors.Is(err, debugger.ErrOccupied) && bs.again(o, b):
		return
	case err != nil && isNew:
		bs.cannotSet(b, err)
		return
	case err != nil:
		b.Place, b.Why = debugger.PlacePending, err.Error()
		bs.note(actor, b)
		return
	}
	bs.number(&b)
	bs.landed(actor, b.ID, set)
}

// landed records a breakpoint as the debugger has set it, under our number.
func (bs *breakpoints) landed(actor string, ours int, set debugger.Breakpoint) {
	bs.set(ours, set.ID)
	set.ID = ours
	if set.Watch == "" {
		set.Text = workspace.Line(set.File, set.Line)
	}
	bs.note(actor, set)
	bs.doubt(set)
}

// cannotSet says why a breakpoint is not set, and what can be set instead.
func (bs *breakpoints) cannotSet(b debugger.Breakpoint, err error) {
	var none *debugger.NoCode
	var many *debugger.Ambiguous
	switch {
	case bs.Refused != nil:
		bs.Refused(err)
	case errors.As(err, &many):
		bs.Append(session.EngineActor, &session.Notice{Level: "error", Text: many.Error(), Hint: advice.Of(err), Offer: &b, Candidates: many.Candidates, To: bs.Author.Name})
	case errors.As(err, &none) && none.Nearest != 0:
		b.File, b.Line, b.Location = none.File, none.Nearest, ""
		bs.Append(session.EngineActor, &session.Notice{Level: "error", Text: fmt.Sprintf("%v of %s", none, bs.Workspace.Rel(none.File)),
			Hint: fmt.Sprintf("the nearest is line %d", none.Nearest), Offer: &b, To: bs.Author.Name})
	default:
		bs.Refuse(err)
	}
}

// note records how a breakpoint is now, also for later sessions.
func (bs *breakpoints) note(actor string, b debugger.Breakpoint) {
	bs.Append(actor, &session.BreakpointSet{Breakpoint: b})
	bs.changed = true
}

// amend changes a breakpoint; one that moves is set again.
func (bs *breakpoints) amend(b debugger.Breakpoint) {
	was, ok := bs.find(b.ID)
	if !ok {
		return
	}
	if bs.runner.targetless() {
		if placedElsewhere(was, b) {
			b.Text, b.Place, b.Why = workspace.Line(b.File, b.Line), "", ""
		}
		bs.note(bs.By(), b)
		return
	}
	bs.runner.whenHeld(func() {
		theirs, set := bs.inTarget[b.ID]
		switch {
		case bs.runner.targetless():
			bs.note(bs.By(), b)
		case !set || placedElsewhere(was, b):
			bs.replace(was, b)
		default:
			bs.change(theirs, b)
		}
	})
}

// change changes what is done at a breakpoint.
func (bs *breakpoints) change(theirs int, b debugger.Breakpoint) {
	inTarget := b
	inTarget.ID = theirs
	if err := bs.runner.round.target.AmendBreakpoint(bs.Ctx, inTarget); err != nil {
		bs.Refuse(fmt.Errorf("change breakpoint %d: %w", b.ID, err))
		return
	}
	bs.note(bs.By(), b)
	bs.doubt(b)
}

// replace sets a breakpoint somewhere else; if that fails, the old one
// stays.
func (bs *breakpoints) replace(was, b debugger.Breakpoint) {
	target := bs.runner.round.target
	if theirs, set := bs.inTarget[b.ID]; set {
		if err := target.ClearBreakpoint(bs.Ctx, theirs); err != nil {
			bs.Refuse(fmt.Errorf("change breakpoint %d: %w", b.ID, err))
			return
		}
		delete(bs.inTarget, b.ID)
	}
	b.Place, b.Why = "", ""
	set, err := target.SetBreakpoint(bs.Ctx, b)
	if err != nil {
		bs.cannotSet(b, err)
		bs.setInTarget(session.EngineActor, was, false)
		return
	}
	bs.landed(bs.By(), b.ID, set)
}

// placedElsewhere reports whether two breakpoints differ in where they stop.
func placedElsewhere(a, b debugger.Breakpoint) bool {
	return a.File != b.File || a.Line != b.Line || a.Location != b.Location || a.Watch != b.Watch || a.WatchKind != b.WatchKind ||
		a.OnReturn != b.OnReturn || a.OnError != b.OnError
}

func (bs *breakpoints) clear(id int) {
	bs.Append(bs.By(), &session.BreakpointCleared{ID: id})
	bs.changed = true
	theirs, ok := bs.inTarget[id]
	if !ok {
		return
	}
	delete(bs.inTarget, id)
	bs.runner.whenHeld(func() {
		if bs.runner.targetless() {
			return
		}
		if err := bs.runner.round.target.ClearBreakpoint(context.WithoutCancel(bs.Ctx), theirs); err != nil {
			bs.Refuse(fmt.Errorf("clear breakpoint %d: %w", id, err))
		}
	})
}

// readHits takes what a stop says of breakpoints: a watchpoint that
// went out of scope, hit counts, and places that have come into being.
func (bs *breakpoints) readHits(r *round, stop debugger.Stop) {
	if stop.Watched != nil && stop.Watched.Gone && stop.Breakpoint != nil {
		for _, gone := range append([]debugger.Breakpoint{*stop.Breakpoint}, stop.Watched.Also...) {
			delete(bs.inTarget, gone.ID)
			bs.note(session.EngineActor, gone)
		}
	}
	if len(bs.inTarget) == 0 {
		return
	}
	bs.Job(func() {
		hits, err := r.target.BreakpointHits(bs.Ctx)
		if err != nil {
			return // it went on already: the next stop has it
		}
		bs.Post(func() {
			ours := map[int]uint64{}
			for id, theirs := range bs.inTarget {
				ours[id] = hits[theirs]
			}
			bs.SetLive(func(l *live.State) { l.Hits = ours })
		})
	})
}

// doubt warns of a condition that will fail where it is evaluated, as far as
// the source tells, once that is loaded: Delve would say so at the first hit.
func (bs *breakpoints) doubt(b debugger.Breakpoint) {
	f := bs.program.Code
	if b.File == "" || b.Watch != "" || f == nil || b.Cond == "" && len(b.Print) == 0 {
		return
	}
	bs.Job(func() {
		select {
		case <-f.Done:
		case <-bs.Ctx.Done():
			return
		}
		if f.Code == nil {
			return
		}
		for i, expr := range append([]string{b.Cond}, b.Print...) {
			why := ""
			if expr != "" {
				why = f.Code.Doubt(b.File, b.Line, expr, i == 0)
			}
			if why != "" {
				bs.Post(func() { bs.Notice("warn", fmt.Sprintf("breakpoint %d: %s: %s", b.ID, expr, why), "B changes it") })
			}
		}
	})
}
