package delve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/places"
	"github.com/pausetui/pausetui/debugger/delve/process"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/source"
	"github.com/pausetui/pausetui/debugger/delve/values"
	"github.com/pausetui/pausetui/internal/advice"
)

// breakpoints are the person's, and what is known when one of them is hit.
type breakpoints struct {
	srv     *control.Server
	config  *Config
	places  *places.Locator
	sources *source.Finder
	breaks  map[int]*setBreak // by Delve's number
	awaited awaitedLines
}

// setBreak is a breakpoint that is set: what for, and what Delve does not know of
// it.
type setBreak struct {
	debugger.Breakpoint
	watched sight  // a watchpoint's value when it was seen last
	wtype   string // of that value
	dynamic bool   // that is an interface, whose second word is watched
	single  bool   // OnError: it is in one function
	errorAt bool   // an OnError breakpoint knows by now where the error lies, and Delve looks itself
	addrs   []uint64
	entries map[uint64]int // closures that begin at addrs, if locals are printed
	moved   string         // why it is not where it was asked for; empty: it is
	seen    string         // its stateOf when we set or changed it, or took it over
}

// SetBreakpoint sets a breakpoint at File and Line, or else at Location, or a
// watchpoint on Watch, and returns it with its ID and its place.
//
// Its errors carry hints; where a line has no code they are debugger.NoCode.
func (bs *breakpoints) SetBreakpoint(ctx context.Context, b debugger.Breakpoint) (set debugger.Breakpoint, err error) {
	if !bs.srv.Can.Run {
		return set, bs.srv.Can.Refuse("run to a breakpoint")
	}
	err = bs.srv.Do(ctx, func(ctx context.Context) error {
		if bs.awaited.inTheWay(b) {
			bs.heardOf(ctx, false)
		}
		set, err = bs.setBreakpoint(ctx, b)
		return err
	})
	return set, err
}

func (bs *breakpoints) setBreakpoint(ctx context.Context, b debugger.Breakpoint) (debugger.Breakpoint, error) {
	if err := places.Checked(b); err != nil {
		return b, err
	}
	mark := new(setBreak)
	var made *api.Breakpoint
	var err error
	if b.Watch != "" {
		b.Watch = bs.qualified(ctx, b)
		made, err = bs.watchValue(ctx, b)
	} else {
		made, err = bs.breakAt(ctx, b, mark)
	}
	if err != nil {
		return b, err
	}
	set := landed(b, made)
	if b.Location != "" && made.Line <= 0 { // at several places
		list, err := places.Locate(ctx, bs.places, b.At, b.Location)
		switch {
		case err != nil:
		case !b.OnReturn && !b.OnError:
			set.Lines = linesOf(list)
		case len(list) == 1 && list[0].Line > 0: // shown is where its function begins
			set.File, set.Line = list[0].File, list[0].Line
		}
	}
	if mark.moved != "" {
		set.Why = mark.moved
	}
	mark.Breakpoint, mark.addrs, mark.seen = set, made.Addrs, stateOf(made)
	if b.Locals {
		mark.entries = bs.entries(ctx, b, made.Addrs)
	}
	if b.Watch != "" {
		bs.look(ctx, mark, made)
		if bs.srv.Mode != control.Connected && !watchesFire() {
			set.Why = "this machine accepts watchpoints but does not report writes, as some virtual machines do: the program may never stop here"
		}
	}
	bs.breaks[set.ID] = mark
	// CreateBreakpoint does not look at Disabled, nor CreateWatchpoint at anything.
	// The function is known by now, and with it the types that a condition names.
	if b.Disabled || b.Watch != "" || condition(set) != condition(b) {
		if err := bs.amend(ctx, set); err != nil {
			_ = bs.clearBreakpoint(ctx, set.ID)
			return b, err
		}
	}
	return set, nil
}

// watchesFire is asked once: a machine does not change.
var watchesFire = sync.OnceValue(process.ProcessorWatches)

// breakAt sets a breakpoint on code.
func (bs *breakpoints) breakAt(ctx context.Context, b debugger.Breakpoint, mark *setBreak) (*api.Breakpoint, error) {
	want := wanted(b)
	var err error
	switch {
	case b.OnReturn || b.OnError:
		want.Addrs, mark.single, err = places.Returns(ctx, bs.places, b)
	case b.Location != "":
		want.Addrs, err = places.Addresses(ctx, bs.places, b.At, b.Location)
	default:
		want.File, want.Line = b.File, b.Line
	}
	if err == nil {
		err = bs.placeReadable(ctx, b, &want, mark)
	}
	if err == nil {
		err = bs.sparing(ctx, &want)
	}
	in := rpc2.CreateBreakpointIn{Breakpoint: want}
	if b.Location != "" && errors.Is(err, places.ErrNoPlace) && bs.loadsPlugins(ctx) {
		in.LocExpr, in.Suspended, err = b.Location, true, nil
	}
	if err != nil {
		return nil, fmt.Errorf("break at %s: %w", placeOf(b), err)
	}
	out, err := rpc.Call[rpc2.CreateBreakpointOut](ctx, bs.srv.Client, "CreateBreakpoint", in)
	if err != nil && errors.Is(err, rpc.ErrNoFile) && bs.loadsPlugins(ctx) {
		in.Suspended = true
		out, err = rpc.Call[rpc2.CreateBreakpointOut](ctx, bs.srv.Client, "CreateBreakpoint", in)
	}
	if err != nil {
		return nil, fmt.Errorf("break at %s: %w", placeOf(b), places.Refusal(ctx, bs.places, b, err))
	}
	return &out.Breakpoint, nil
}

// loadsPlugins reports whether the program can load plugins, whose code has no
// addresses before.
func (bs *breakpoints) loadsPlugins(ctx context.Context) bool {
	out, err := rpc.Call[rpc2.ListFunctionsOut](ctx, bs.srv.Client, "ListFunctions", rpc2.ListFunctionsIn{Filter: `^plugin\.Open$`})
	return err == nil && len(out.Funcs) > 0
}

// sparing leaves out of a breakpoint's places those where there is one already.
// Delve would set the others, and then, at times, return an error and forget them:
// nothing could clear what it has set. A breakpoint that is switched off keeps its places.
func (bs *breakpoints) sparing(ctx context.Context, want *api.Breakpoint) error {
	user := map[uint64]bool{}
	for _, mark := range bs.breaks {
		for _, a := range mark.addrs {
			user[a] = true
		}
	}
	return ask.Spare(ctx, bs.srv, want, user)
}

// linesOf are the lines of locations, by their file.
func linesOf(list []api.Location) map[string][]int {
	lines := map[string][]int{}
	for _, l := range list {
		lines[l.File] = append(lines[l.File], l.Line)
	}
	return lines
}

// landed is a breakpoint with where the debugger has put it. That of several
// places is its own: Location still finds them all.
func landed(b debugger.Breakpoint, at *api.Breakpoint) debugger.Breakpoint {
	b.ID, b.Places, b.Hits, b.Lines = at.ID, len(at.Addrs), at.TotalHitCount, nil
	b.Place, b.Why = strings.TrimPrefix(b.Place, debugger.PlacePending), ""
	if b.Watch != "" {
		return b
	}
	if len(at.Addrs) == 0 {
		b.Place, b.Why = debugger.PlacePending, "it waits for a plugin that has this place"
		return b
	}
	if at.Line > 0 { // else they are "<multiple locations>"
		b.File, b.Line = at.File, at.Line
	}
	if at.FunctionName != "" {
		b.Function = debugger.Unescaped(at.FunctionName)
	}
	if (b.OnReturn || b.OnError) && b.Location == "" {
		b.Location = at.FunctionName // which Delve finds again
	}
	if b.Location != "" && !b.OnReturn && !b.OnError && places.ByLine(b.Location, b) {
		b.Location = "" // file and line, which move with the text
	}
	return b
}

// wanted is what Delve is to know of a breakpoint, but for its place.
func wanted(b debugger.Breakpoint) api.Breakpoint {
	want := api.Breakpoint{
		Name: b.Name, Cond: condition(b), HitCond: b.HitCond, HitCondPerG: b.HitCondPerG, Disabled: b.Disabled,
		Tracepoint: b.Trace, Goroutine: b.Goroutine, Stacktrace: b.Stack, Variables: b.Print,
	}
	if b.Args || b.OnReturn || b.OnError {
		want.LoadArgs = &convert.ChildLoad
	}
	if b.Locals {
		want.LoadLocals = &convert.ChildLoad
	}
	return want
}

// condition is the one expression that Delve evaluates at each hit.
func condition(b debugger.Breakpoint) string {
	var parts []string
	if b.OnGoroutine != 0 {
		parts = append(parts, fmt.Sprintf("runtime.curg.goid == %d", b.OnGoroutine))
	}
	if b.Cond != "" {
		parts = append(parts, values.TypesOf(b.Cond, b.Function))
	}
	return conjunction(parts)
}

// conjunction is true where all of some expressions are; Delve stops at the
// first that is not.
func conjunction(parts []string) string {
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return "(" + strings.Join(parts, ") && (") + ")"
}

func placeOf(b debugger.Breakpoint) string {
	switch {
	case b.Watch != "":
		return b.Watch
	case b.Location != "":
		return fmt.Sprintf("%q", b.Location)
	}
	return fmt.Sprintf("%s:%d", b.File, b.Line)
}

// AmendBreakpoint changes what is done at a breakpoint that is set: all but
// its place.
func (bs *breakpoints) AmendBreakpoint(ctx context.Context, b debugger.Breakpoint) error {
	return bs.srv.Do(ctx, func(ctx context.Context) error {
		if err := places.Checked(b); err != nil {
			return err
		}
		if err := bs.stillReadable(ctx, b); err != nil {
			return err
		}
		if mark := bs.breaks[b.ID]; mark != nil && b.Locals && mark.entries == nil {
			mark.entries = bs.entries(ctx, b, mark.addrs)
		}
		return bs.amend(ctx, b)
	})
}

func (bs *breakpoints) amend(ctx context.Context, b debugger.Breakpoint) error {
	want := wanted(b)
	want.ID = b.ID
	mark := bs.breaks[b.ID]
	if b.Watch != "" && b.Disabled {
		return advice.Add(fmt.Errorf("change breakpoint %d: a watchpoint cannot be switched off", b.ID), "remove it, and set it again later")
	}
	if _, err := rpc.Call[rpc2.AmendBreakpointOut](ctx, bs.srv.Client, "AmendBreakpoint", rpc2.AmendBreakpointIn{Breakpoint: want}); err != nil {
		if errors.Is(err, rpc.ErrBreakExists) { // it is set at its other places
			want.Disabled = true
			_, _ = rpc.Call[rpc2.AmendBreakpointOut](ctx, bs.srv.Client, "AmendBreakpoint", rpc2.AmendBreakpointIn{Breakpoint: want})
		}
		return fmt.Errorf("change breakpoint %d: %w", b.ID, places.Refusal(ctx, bs.places, b, err))
	}
	if mark != nil {
		mark.Breakpoint, mark.errorAt = b, false
		bs.noteState(ctx, mark, b.ID)
	}
	return nil
}

// ClearBreakpoint removes a breakpoint that SetBreakpoint has set.
func (bs *breakpoints) ClearBreakpoint(ctx context.Context, id int) error {
	return bs.srv.Do(ctx, func(ctx context.Context) error { return bs.clearBreakpoint(ctx, id) })
}

func (bs *breakpoints) clearBreakpoint(ctx context.Context, id int) error {
	delete(bs.breaks, id)
	if _, err := rpc.Call[rpc2.ClearBreakpointOut](ctx, bs.srv.Client, "ClearBreakpoint", rpc2.ClearBreakpointIn{Id: id}); err != nil {
		return fmt.Errorf("clear breakpoint %d: %w", id, err)
	}
	return nil
}

// BreakpointHits counts how often each breakpoint was reached, by its ID, also after
// the program has ended.
func (bs *breakpoints) BreakpointHits(ctx context.Context) (map[int]uint64, error) {
	if err := bs.srv.TakeEnded(ctx); err != nil {
		return nil, err
	}
	defer bs.srv.Release()
	list, err := ask.Breakpoints(ctx, bs.srv)
	if err != nil {
		return nil, err
	}
	hits := map[int]uint64{}
	for _, b := range list {
		if bs.breaks[b.ID] != nil {
			hits[b.ID] = b.TotalHitCount
		}
	}
	return hits, nil
}

// OtherBreakpoints lists what the program stops at besides the user's breakpoints: what
// we and Delve have set for ourselves, and what a server's other clients have. Of several
// places it names the first.
func (bs *breakpoints) OtherBreakpoints(ctx context.Context) (others []debugger.Breakpoint, err error) {
	err = bs.srv.Do(ctx, func(ctx context.Context) error {
		list, err := ask.Breakpoints(ctx, bs.srv)
		if err != nil {
			return err
		}
		made := bs.srv.Client.MadeBreakpoints()
		slices.SortFunc(list, func(a, b *api.Breakpoint) int { return a.ID - b.ID })
		for _, at := range list {
			if bs.breaks[at.ID] != nil || len(at.Addrs) == 0 {
				continue
			}
			b := debugger.Breakpoint{Name: at.Name, File: at.File, Line: at.Line, Function: debugger.Unescaped(at.FunctionName), Cond: at.Cond}
			if at.Line <= 0 {
				if found, err := ask.Find(ctx, bs.srv, debugger.FrameRef{}, fmt.Sprintf("*%#x", at.Addrs[0])); err == nil && len(found) == 1 {
					b.File, b.Line = found[0].File, found[0].Line
				}
			}
			if b.Why = "the debugger's own"; at.ID > 0 && !slices.Contains(made, at.ID) {
				b.Why = "another client's"
			}
			others = append(others, b)
		}
		return nil
	})
	return others, err
}

// breakpointAt is the user's breakpoint that a thread stopped at.
func (bs *breakpoints) breakpointAt(at *api.Breakpoint) debugger.Breakpoint {
	b := debugger.Breakpoint{ID: at.ID, File: at.File, Line: at.Line, Function: at.FunctionName, Cond: at.Cond}
	if mark := bs.breaks[at.ID]; mark != nil {
		b = mark.Breakpoint
	}
	b.Hits = at.TotalHitCount
	return b
}
