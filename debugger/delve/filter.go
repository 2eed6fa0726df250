package delve

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/places"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/stacks"
)

// errPassed is returned for a stop that is not to be shown after all.
var errPassed = errors.New("muted, or filtered out")

// begun returns the goroutines of threads at the beginning of a panic that is to stop there.
func (rec *recovery) begun(ctx context.Context, state *api.DebuggerState, calls bool) []waiting {
	if rec.config.Panics != debugger.PanicsAll {
		if calls { // the result of the call says that it panicked
			return nil
		}
		return rec.early(ctx, state)
	}
	var found []waiting
	for _, thread := range threadsAt(state, thrownName) {
		found = append(found, waiting{goroutine: debugger.GoroutineID(thread.GoroutineID), thrown: true})
	}
	return found
}

// wanted leaves out the panics that the filter does, and those with which a
// library only finds its way back to itself.
func (rec *recovery) wanted(ctx context.Context, list []waiting) []waiting {
	return slices.DeleteFunc(list, func(w waiting) bool {
		if w.failure != nil {
			return false
		}
		delete(rec.passed, w.goroutine)
		if rec.config.Filter.Empty() && (!w.thrown || w.early) {
			return false
		}
		frames, _, err := stacks.Read(ctx, rec.stacks, int64(w.goroutine), debugger.Page{Count: deepPage})
		if err != nil {
			return false
		}
		thrower := throwerOf(frames)
		culprit := ""
		if i := stacks.IndexUser(frames[max(thrower, 0):]); i >= 0 {
			culprit = frames[max(thrower, 0)+i].Function
		}
		left := !rec.config.Filter.Stops(functionAt(frames, thrower), culprit) || w.thrown && rec.ownBusiness(ctx, w.goroutine, frames, thrower)
		if left {
			rec.passed[w.goroutine] = true
		}
		return left
	})
}

func functionAt(frames []debugger.Frame, i int) string {
	if i < 0 {
		return ""
	}
	return frames[i].Function
}

// throwerOf is the frame that panicked: the first outside of the runtime below
// the innermost gopanic; -1 without one.
func throwerOf(frames []debugger.Frame) int {
	at := gopanicIn(frames)
	for i := at + 1; i < len(frames); i++ {
		if !frames[i].Runtime {
			return i
		}
	}
	return -1
}

// ownBusiness reports whether a library's panic is one of those that its own
// package recovers: encoding/json, text/template, go/parser and others return
// from deep recursions that way. One with an error of the runtime is a fault.
func (rec *recovery) ownBusiness(ctx context.Context, g debugger.GoroutineID, frames []debugger.Frame, thrower int) bool {
	if thrower < 0 || frames[thrower].User || rec.config.Filter.Names(frames[thrower].Function) {
		return false
	}
	if raised, known := rec.raisedByRuntime(ctx, g); raised || !known {
		return false
	}
	pkg := debugger.PackageOf(frames[thrower].Function)
	for _, f := range frames[thrower:] {
		if f.User {
			return false // a callback: who recovers further out does not know of it
		}
		if debugger.PackageOf(f.Function) == pkg && rec.recovers(ctx, f, pkg) {
			return true
		}
	}
	return false
}

// raisedByRuntime reports whether a panic that begins has an error of the runtime as its value.
func (rec *recovery) raisedByRuntime(ctx context.Context, g debugger.GoroutineID) (yes, known bool) {
	arg, err := ask.Eval(ctx, rec.srv, debugger.FrameRef{Goroutine: g}, "e", convert.ChildLoad)
	if err != nil || len(arg.Children) == 0 {
		return false, false
	}
	return strings.HasPrefix(strings.TrimPrefix(arg.Children[0].Type, "*"), "runtime."), true
}

// recovers reports whether a function defers one that calls recover, of a package, or of
// any where pkg is empty. What it defers is called by its code, or is a closure in it.
func (rec *recovery) recovers(ctx context.Context, f debugger.Frame, pkg string) bool {
	key := pkg + " " + f.Function
	if known, ok := rec.recovering[key]; ok {
		return known
	}
	deferred := places.Callees(ctx, rec.places, f.PC)
	closures, err := rpc.Call[rpc2.FindLocationOut](ctx, rec.srv.Client, "FindLocation", rpc2.FindLocationIn{
		Scope: api.EvalScope{GoroutineID: -1}, Loc: `/^` + linkerPattern(f.Function) + `\.[a-zA-Z0-9.]+$/`,
	})
	for i := 0; err == nil && i < len(closures.Locations); i++ {
		deferred = append(deferred, places.Callees(ctx, rec.places, closures.Locations[i].PC)...)
	}
	found := slices.ContainsFunc(deferred, func(c places.Callee) bool {
		return c.Function == recoverName || (pkg == "" || debugger.PackageOf(c.Function) == pkg) && rec.calls(ctx, c.PC, recoverName)
	})
	rec.recovering[key] = found
	return found
}

// linkerPattern is a regular expression for the linker's name of a function.
func linkerPattern(function string) string {
	pkg, symbol := debugger.CutFunction(function)
	last := strings.LastIndexByte(pkg, '/') + 1
	return strings.ReplaceAll(quoteMeta(pkg[:last]), "/", `\/`) + strings.ReplaceAll(quoteMeta(pkg[last:]), `\.`, `(\.|%2e)`) + `\.` + quoteMeta(symbol)
}

const recoverName = "runtime.gorecover"

// calls reports whether the function around an address calls one directly.
func (rec *recovery) calls(ctx context.Context, pc uint64, function string) bool {
	return slices.ContainsFunc(places.Callees(ctx, rec.places, pc), func(c places.Callee) bool { return c.Function == function })
}

// muted reports whether the person does not want to see a stop that the target
// lives on after.
func (rec *recovery) muted(stop *debugger.Stop) bool {
	if rec.config.Muted == nil || !stop.LivesOn() || !rec.config.Muted(*stop) {
		return false
	}
	if stop.Panic.Thrown {
		rec.passed[stop.Goroutine] = true
	}
	return true
}
