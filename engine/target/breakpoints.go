package target

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/console"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/program"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
)

// Breakpoints are those the person has set, under our numbers, which stay
// the same across restarts; InTarget maps them to the debugger's.
type Breakpoints struct {
	*loop.Loop
	Program *program.Program
	Runner  *Runner

	Last     int
	InTarget map[int]int
	changed  bool // and not saved yet for later sessions
	saved    time.Time
	toSave   bool         // SaveSoon waits
	unsaved  bool         // they cannot be saved for later sessions, and that was reported
	recalled map[int]bool // of an earlier session, and not asked for in this one
	Missed   error        // the first that was waiting for this launch and could not be set
	AsBuilt  bool         // the next round runs a binary that is older than the source: lines are those of then
}

// set notes the debugger's number of a breakpoint.
func (bs *Breakpoints) set(ours, theirs int) {
	if bs.InTarget == nil {
		bs.InTarget = map[int]int{}
	}
	bs.InTarget[ours] = theirs
}

// ours is our number of a breakpoint of the debugger; 0 if it has none.
func (bs *Breakpoints) ours(theirs int) int {
	for ours, id := range bs.InTarget {
		if id == theirs {
			return ours
		}
	}
	return 0
}

// Name puts our numbers on the breakpoints of a stop: 0 on one that is not in the list,
// whose number in the debugger may be that of another in ours.
func (bs *Breakpoints) Name(stop *debugger.Stop) {
	if hit := stop.Breakpoint; hit != nil {
		if hit.ID > 0 && bs.ours(hit.ID) == 0 {
			_ = bs.Take(session.EngineActor, true) // without it, it is said not to be in the list
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

// Handle carries out what is wanted of breakpoints.
func (bs *Breakpoints) Handle(i intent.Intent) {
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
func (bs *Breakpoints) find(id int) (debugger.Breakpoint, bool) {
	for _, b := range bs.State().Breakpoints {
		if b.ID == id {
			return b, true
		}
	}
	bs.Refuse(fmt.Errorf("there is no breakpoint %d", id))
	return debugger.Breakpoint{}, false
}

func (bs *Breakpoints) toggle(file string, line int) {
	for _, b := range bs.State().Breakpoints {
		if b.File == file && b.Line == line && b.Watch == "" {
			bs.clear(b.ID)
			return
		}
	}
	bs.add(debugger.Breakpoint{File: file, Line: line})
}

// add sets a breakpoint; without a target it waits for one.
func (bs *Breakpoints) add(b debugger.Breakpoint) {
	b.ID, b.Place, b.Was, b.Why, b.Hits, b.Location = 0, "", 0, "", 0, bs.Workspace.Location(b.Location)
	if !bs.Runner.targetless() {
		if can := bs.Runner.Round.Target.Abilities(); !can.Run {
			bs.Refuse(errors.New(can.Cannot("stop at breakpoints")))
			return
		}
		bs.Runner.whenHeld(func() { bs.setInTarget(bs.By(), b, true) })
		return
	}
	if b.Watch != "" {
		bs.Refuse(advice.Add(fmt.Errorf("watch %s: %w", b.Watch, debugger.ErrGone), "r starts it again"))
		return
	}
	if o, ok := bs.occupant(b, samePlace); ok {
		if !bs.again(o, b) {
			bs.Refuse(advice.Add(debugger.ErrOccupied, "change that one: B lists them"))
		}
		return
	}
	if b.File == "" {
		b.Place, b.Why = debugger.PlacePending, LookedUpLater
	}
	b.Text = workspace.Line(b.File, b.Line)
	bs.number(&b)
	bs.note(bs.By(), b)
}

// number gives a new breakpoint its number.
func (bs *Breakpoints) number(b *debugger.Breakpoint) {
	if b.ID == 0 {
		bs.Last++
		b.ID = bs.Last
	}
}

// setInTarget sets a breakpoint in the held target and records where it landed.
// A new one that cannot be set is refused; an older one stays, and says why it
// waits.
func (bs *Breakpoints) setInTarget(actor string, b debugger.Breakpoint, isNew bool) {
	if bs.Runner.targetless() {
		bs.number(&b)
		bs.note(actor, b)
		return
	}
	set, err := bs.Runner.Round.Target.SetBreakpoint(bs.Ctx, b)
	if errors.Is(err, debugger.ErrOccupied) && bs.Take(session.EngineActor, true) == nil { // perhaps by what is in the list now
		set, err = bs.Runner.Round.Target.SetBreakpoint(bs.Ctx, b)
	}
	switch o, ok := bs.occupant(b, mayBeSamePlace); {
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
func (bs *Breakpoints) landed(actor string, ours int, set debugger.Breakpoint) {
	bs.set(ours, set.ID)
	set.ID = ours
	if set.Watch == "" {
		set.Text = workspace.Line(set.File, set.Line)
	}
	bs.note(actor, set)
	bs.doubt(set)
}

// cannotSet says why a breakpoint is not set, and what can be set instead.
func (bs *Breakpoints) cannotSet(b debugger.Breakpoint, err error) {
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
func (bs *Breakpoints) note(actor string, b debugger.Breakpoint) {
	bs.Append(actor, &session.BreakpointSet{Breakpoint: b})
	bs.changed = true
}

// amend changes a breakpoint; one that moves is set again.
func (bs *Breakpoints) amend(b debugger.Breakpoint) {
	was, ok := bs.find(b.ID)
	if !ok {
		return
	}
	if bs.Runner.targetless() {
		if placedElsewhere(was, b) {
			b.Text, b.Place, b.Why = workspace.Line(b.File, b.Line), "", ""
		}
		bs.note(bs.By(), b)
		return
	}
	bs.Runner.whenHeld(func() {
		theirs, set := bs.InTarget[b.ID]
		switch {
		case bs.Runner.targetless():
			bs.note(bs.By(), b)
		case !set || placedElsewhere(was, b):
			bs.replace(was, b)
		default:
			bs.change(theirs, b)
		}
	})
}

// change changes what is done at a breakpoint.
func (bs *Breakpoints) change(theirs int, b debugger.Breakpoint) {
	inTarget := b
	inTarget.ID = theirs
	if err := bs.Runner.Round.Target.AmendBreakpoint(bs.Ctx, inTarget); err != nil {
		bs.Refuse(fmt.Errorf("change breakpoint %d: %w", b.ID, err))
		return
	}
	bs.note(bs.By(), b)
	bs.doubt(b)
}

// replace sets a breakpoint somewhere else; if that fails, the old one
// stays.
func (bs *Breakpoints) replace(was, b debugger.Breakpoint) {
	target := bs.Runner.Round.Target
	if theirs, set := bs.InTarget[b.ID]; set {
		if err := target.ClearBreakpoint(bs.Ctx, theirs); err != nil {
			bs.Refuse(fmt.Errorf("change breakpoint %d: %w", b.ID, err))
			return
		}
		delete(bs.InTarget, b.ID)
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

func (bs *Breakpoints) clear(id int) {
	bs.Append(bs.By(), &session.BreakpointCleared{ID: id})
	bs.changed = true
	theirs, ok := bs.InTarget[id]
	if !ok {
		return
	}
	delete(bs.InTarget, id)
	bs.Runner.whenHeld(func() {
		if bs.Runner.targetless() {
			return
		}
		if err := bs.Runner.Round.Target.ClearBreakpoint(context.WithoutCancel(bs.Ctx), theirs); err != nil {
			bs.Refuse(fmt.Errorf("clear breakpoint %d: %w", id, err))
		}
	})
}

// ReadHits takes what a stop says of breakpoints: a watchpoint that
// went out of scope, hit counts, and places that have come into being.
func (bs *Breakpoints) ReadHits(r *Round, stop debugger.Stop) {
	if stop.Watched != nil && stop.Watched.Gone && stop.Breakpoint != nil {
		for _, gone := range append([]debugger.Breakpoint{*stop.Breakpoint}, stop.Watched.Also...) {
			delete(bs.InTarget, gone.ID)
			bs.note(session.EngineActor, gone)
		}
	}
	if len(bs.InTarget) == 0 {
		return
	}
	bs.Job(func() {
		hits, err := r.Target.BreakpointHits(bs.Ctx)
		if err != nil {
			return // it went on already: the next stop has it
		}
		bs.Post(func() {
			ours := map[int]uint64{}
			for id, theirs := range bs.InTarget {
				ours[id] = hits[theirs]
			}
			bs.SetLive(func(l *live.State) { l.Hits = ours })
		})
	})
}

// doubt warns of a condition that will fail where it is evaluated, as far as
// the source tells, once that is loaded: Delve would say so at the first hit.
func (bs *Breakpoints) doubt(b debugger.Breakpoint) {
	f := bs.Program.Code
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

// allowed reports whether the author may set this breakpoint, or refuses: the
// commands of a breakpoint are carried out in the host's name, in later sessions too.
func (bs *Breakpoints) allowed(b debugger.Breakpoint) bool {
	if !bs.Author.Guest || len(b.Commands) == 0 {
		return true
	}
	same := func(old debugger.Breakpoint) bool { return old.ID == b.ID && slices.Equal(old.Commands, b.Commands) }
	if b.ID != 0 && slices.ContainsFunc(bs.State().Breakpoints, same) {
		return true
	}
	bs.Refuse(fmt.Errorf("give a breakpoint commands: %w", console.ErrHostOnly))
	return false
}
