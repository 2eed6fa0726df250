package delve

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/places"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/source"
)

// A panic that nothing recovers ends the program only after its deferred functions have run. They
// close and clear what the statement that failed had used: shown then, it would be taken for the
// cause. A panic of the runtime is shown where it begins, if no function on the stack recovers it
// and one defers something. Others are shown at the end, where the runtime has their text.

// mostInVain is how many panics that are not shown may stop the program for this, so that one that
// recovers many is not slowed down.
const mostInVain = 100

// early returns the goroutines that begin such a panic.
func (rec *recovery) early(ctx context.Context, state *api.DebuggerState) (found []waiting) {
	for _, thread := range threadsAt(state, thrownName) {
		w := waiting{goroutine: debugger.GoroutineID(thread.GoroutineID), thrown: true, early: true}
		if rec.repanics(ctx, w.goroutine) {
			continue
		}
		delete(rec.shown, w.goroutine)
		if rec.ends(ctx, &w) {
			found = append(found, w)
		} else if rec.inVain++; rec.inVain == mostInVain {
			rec.misplaced(ctx, thread.Breakpoint)
		}
	}
	return found
}

// repanics reports whether a goroutine panics with the value of the panic that was shown.
func (rec *recovery) repanics(ctx context.Context, g debugger.GoroutineID) bool {
	if !rec.shown[g] {
		return false
	}
	at := debugger.FrameRef{Goroutine: g}
	arg, err := ask.Eval(ctx, rec.srv, at, "e", messageLoad)
	if err != nil {
		return false
	}
	links, err := rec.panics.links(ctx, at)
	return err == nil && len(links) > 0 && links[0].recovered && sameValue(arg, &links[0].arg)
}

// ends reports whether a panic of the runtime that begins ends the program or is a server's to
// recover, after deferred functions.
func (rec *recovery) ends(ctx context.Context, w *waiting) bool {
	if raised, _ := rec.raisedByRuntime(ctx, w.goroutine); !raised {
		return false
	}
	out, err := rpc.Call[rpc2.StacktraceOut](ctx, rec.srv.Client, "Stacktrace", rpc2.StacktraceIn{Id: int64(w.goroutine), Depth: deepPage, Opts: api.StacktraceReadDefers})
	if err != nil || len(out.Locations) > deepPage { // all of them must be known
		return false
	}
	frames := make([]debugger.Frame, len(out.Locations))
	for i, l := range out.Locations {
		frames[i] = source.Frame(rec.sources, l.Location)
	}
	thrower := throwerOf(frames)
	if thrower < 0 || passesPanicOn(frames) {
		return false
	}
	deferred := false
	for i, f := range frames[thrower:] {
		defers, recovers := false, false
		if !f.Runtime {
			defers, recovers = rec.pending(ctx, f, out.Locations[thrower+i].Defers)
		}
		deferred = deferred || defers
		switch {
		case serves(f.Function):
			w.served = true
			return deferred && rec.config.Panics == debugger.PanicsAuto
		case recovers && f.Function != testRunner:
			return false
		}
	}
	return deferred
}

// testRunner recovers the panic of a test only to end the program with it.
const testRunner = "testing.tRunner"

// pending reports whether a frame has deferred calls that are to be made, and whether one may
// recover. Those of optimized functions are not in the runtime's list: what their code can defer
// stands for them.
func (rec *recovery) pending(ctx context.Context, f debugger.Frame, list []api.Defer) (defers, recovers bool) {
	if f.Optimized {
		return rec.defers(ctx, f), rec.recovers(ctx, f, "")
	}
	for _, d := range list {
		if d.Unreadable != "" || rec.callsRecover(ctx, d.DeferredLoc) {
			return true, true
		}
	}
	return len(list) > 0, false
}

// callsRecover reports whether a deferred function calls recover, or the one that it wraps does.
func (rec *recovery) callsRecover(ctx context.Context, at api.Location) bool {
	if rec.calls(ctx, at.PC, recoverName) {
		return true
	}
	return at.Function != nil && isDeferWrapper(at.Function.Name()) &&
		slices.ContainsFunc(places.Callees(ctx, rec.places, at.PC), func(c places.Callee) bool { return rec.calls(ctx, c.PC, recoverName) })
}

// defers reports whether a function defers calls: its code ends with what runs them.
func (rec *recovery) defers(ctx context.Context, f debugger.Frame) bool {
	known, ok := rec.deferring[f.Function]
	if !ok {
		known = rec.calls(ctx, f.PC, "runtime.deferreturn")
		rec.deferring[f.Function] = known
	}
	return known
}

// serves reports whether a function is one of middleware.
func serves(function string) bool { return servers().MatchString(function) }

var servers = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(` + strings.Join(middleware, "|") + `)(\.[a-zA-Z0-9.]+)?$`)
})
