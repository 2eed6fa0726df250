package target

import (
	"errors"
	"fmt"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/console"
	"github.com/pausetui/pausetui/session"
)

// LookedUpLater says of a breakpoint that it waits for a target.
const LookedUpLater = "it is looked up at the next start"

// Await takes up the breakpoints that the session was started with, except
// those that an earlier session has left at the same location.
func (bs *Breakpoints) Await() {
	for _, text := range bs.Opts.Target.Break {
		b := console.ParseBreak(text)
		b.Session, b.Place, b.Why = true, debugger.PlacePending, LookedUpLater
		bs.number(&b)
		bs.Append(bs.Opts.Actor, &session.BreakpointSet{Breakpoint: b})
	}
}

// setAwaited sets a breakpoint that was waiting for a target. One that cannot be
// set must not be missed: the person counts on it.
func (bs *Breakpoints) setAwaited(b debugger.Breakpoint) {
	set, err := bs.Runner.Round.Target.SetBreakpoint(bs.Ctx, b)
	switch {
	case err == nil:
		bs.landed(bs.Opts.Actor, b.ID, set)
		return
	case errors.Is(err, debugger.ErrOccupied): // by one that is called otherwise: it stops there, too
		bs.Append(session.EngineActor, &session.BreakpointCleared{ID: b.ID})
		if o, ok := bs.occupant(b, mayBeSamePlace); ok && bs.again(o, b) {
			return
		}
		if !b.Session {
			bs.Notice("info", fmt.Sprintf("breakpoint %d (%s) is dropped: %v", b.ID, bs.placeOf(b), debugger.ErrOccupied), "B lists them")
		}
		return
	}
	if bs.Missed == nil {
		bs.Missed = fmt.Errorf("breakpoint %d (%s) could not be set: %w", b.ID, bs.placeOf(b), err)
	}
	if many := new(debugger.Ambiguous); errors.As(err, &many) { // it would not be found in later sessions either
		b.Session = true
	}
	b.Place, b.Why = debugger.PlacePending, err.Error()
	bs.note(session.EngineActor, b)
	bs.cannotSet(b, fmt.Errorf("breakpoint %d: %w", b.ID, err))
}

// placeOf names where a breakpoint was to be.
func (bs *Breakpoints) placeOf(b debugger.Breakpoint) string {
	switch {
	case b.Watch != "":
		return b.Watch
	case b.Location != "":
		return b.Location
	}
	return fmt.Sprintf("%s:%d", bs.Workspace.Rel(b.File), b.Line)
}

// FirstMove is how a fresh target begins: it runs, but only to the beginning of
// main if a breakpoint that was waiting for it could not be set.
func (bs *Breakpoints) FirstMove() debugger.Move {
	if bs.Missed == nil {
		return debugger.Move{Motion: debugger.Continue}
	}
	why := bs.Missed
	bs.Missed = nil
	bs.Notice("warn", "held at main.main: "+why.Error(), "set it, then c continues")
	return debugger.Move{Motion: debugger.ContinueTo, Location: "main.main"}
}
