package target

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/workspace"
)

// samePlace reports whether two breakpoints are asked for at one place, at the same moment of its
// function.
func samePlace(a, b debugger.Breakpoint) bool {
	if a.Watch != "" || a.OnReturn != b.OnReturn || a.OnError != b.OnError {
		return false
	}
	if b.Location != "" {
		return a.Location == b.Location || a.Location == "" && isPlace(b.Location, a)
	}
	return a.File == b.File && a.Line == b.Line && b.Line > 0
}

// isPlace reports whether a location is the file and line of a breakpoint, whose path it may
// leave out in part, as Delve allows.
func isPlace(location string, b debugger.Breakpoint) bool {
	file, ok := strings.CutSuffix(filepath.ToSlash(location), fmt.Sprintf(":%d", b.Line))
	return ok && file != "" && strings.HasSuffix("/"+filepath.ToSlash(b.File), "/"+file)
}

// occupant is the breakpoint that is where another one is asked for, as far as same tells.
func (bs *Breakpoints) occupant(b debugger.Breakpoint, same func(a, b debugger.Breakpoint) bool) (debugger.Breakpoint, bool) {
	list := bs.State().Breakpoints
	if i := slices.IndexFunc(list, func(o debugger.Breakpoint) bool { return o.ID != b.ID && same(o, b) }); i >= 0 {
		return list[i], true
	}
	return debugger.Breakpoint{}, false
}

// mayBeSamePlace is samePlace for a breakpoint that was refused because its place is taken: it
// may name a function by the end of its name, parse for main.parse.
func mayBeSamePlace(a, b debugger.Breakpoint) bool {
	at := len(a.Location) - len(b.Location)
	return samePlace(a, b) || a.Watch == "" && a.OnReturn == b.OnReturn && a.OnError == b.OnError && b.Location != "" && at > 0 &&
		strings.HasSuffix(a.Location, b.Location) && strings.ContainsRune("./", rune(a.Location[at-1]))
}

// again has a breakpoint of an earlier session be as one is asked for in its place, so that a
// script does the same each time it is run; it reports whether there was one.
func (bs *Breakpoints) again(o, b debugger.Breakpoint) bool {
	if !bs.recalled[o.ID] {
		return false
	}
	delete(bs.recalled, o.ID)
	if o.Disabled || o.Cond != b.Cond || o.HitCond != b.HitCond || o.Trace != b.Trace || len(o.Commands) > 0 {
		bs.Notice("info", fmt.Sprintf("breakpoint %d of an earlier session is as asked for now", o.ID), "B changes it")
	}
	b.ID, b.Location, b.File, b.Line, b.Function, b.Text, b.Places = o.ID, o.Location, o.File, o.Line, o.Function, o.Text, o.Places
	if theirs, set := bs.InTarget[o.ID]; set && !bs.Runner.targetless() {
		b.Place, b.Why = "", ""
		bs.change(theirs, b)
		return true
	}
	if b.Place, b.Why = o.Place, o.Why; o.Place == debugger.PlaceLost { // it is at its line, then
		b.Text, b.Place, b.Why = workspace.Line(b.File, b.Line), "", ""
	}
	bs.note(bs.By(), b)
	return true
}
