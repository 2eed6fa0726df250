package delve

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/internal/advice"
)

// watchTypes are Delve's kinds of watchpoints.
var watchTypes = map[string]api.WatchType{
	"": api.WatchWrite, debugger.WatchWrite: api.WatchWrite,
	debugger.WatchRead: api.WatchRead, debugger.WatchReadWrite: api.WatchRead | api.WatchWrite,
}

// watchValue sets a watchpoint in one of the processor's few registers for them.
func (bs *breakpoints) watchValue(ctx context.Context, b debugger.Breakpoint) (*api.Breakpoint, error) {
	kind, ok := watchTypes[b.WatchKind]
	if !ok {
		return nil, fmt.Errorf("watch %s: no such kind of watchpoint: %q", b.Watch, b.WatchKind)
	}
	out, err := rpc.Call[rpc2.CreateWatchpointOut](ctx, bs.srv.Client, "CreateWatchpoint", rpc2.CreateWatchpointIn{
		Scope: ask.Inner(b.At), Expr: b.Watch, Type: kind,
	})
	if err != nil {
		return nil, fmt.Errorf("watch %s: %w", b.Watch, unwatched(err))
	}
	return out.Breakpoint, nil
}

// qualified is what is watched, a package's variable by its whole name: the next run
// watches it from a frame of another package.
func (bs *breakpoints) qualified(ctx context.Context, b debugger.Breakpoint) string {
	if !token.IsIdentifier(b.Watch) {
		return b.Watch
	}
	at := ask.Inner(b.At)
	frame, err := ask.FrameAt(ctx, bs.srv, at.GoroutineID, at.Frame)
	if err != nil {
		return b.Watch
	}
	args, locals, err := ask.InFrame(ctx, bs.srv, refOf(at))
	if err != nil || slices.ContainsFunc(append(args, locals...), func(v api.Variable) bool { return v.Name == b.Watch }) {
		return b.Watch
	}
	pkg := debugger.PackageOf(debugger.Unescaped(frame.Function.Name()))
	if strings.Contains(pkg, "/") {
		pkg = strconv.Quote(pkg)
	}
	if _, err := ask.Eval(ctx, bs.srv, refOf(at), pkg+"."+b.Watch, api.LoadConfig{}); err != nil {
		return b.Watch
	}
	return pkg + "." + b.Watch
}

var errNoWatch = errors.New("this system offers no watchpoints")

// unwatched says in plain words why a value cannot be watched.
func unwatched(err error) error {
	switch {
	case errors.Is(err, rpc.ErrWatchFull):
		return advice.Add(errors.New("the processor can watch four values at once, and already does"), "remove another watchpoint first")
	case errors.Is(err, rpc.ErrWatchSize):
		return advice.Add(fmt.Errorf("a %s is larger than the processor can watch, which is 8 bytes", rpc.Detail(err, rpc.WatchType)),
			"watch a field, an element, or len(x)'s header by its address: *(*int)(0x…)")
	case errors.Is(err, rpc.ErrWatchStack):
		return advice.Add(errors.New("reads of a variable on the stack cannot be watched: the runtime reads it whenever it moves the stack"), "watch its writes")
	case errors.Is(err, rpc.ErrWatchPlace):
		return errors.New("it has no address: it is a constant, a result, or kept in a register")
	case errors.Is(err, rpc.ErrNoSymbol):
		return advice.Add(errors.New("there is no such variable here"), "set it where the variable exists")
	case errors.Is(err, rpc.ErrBreakExists):
		return advice.Add(errors.New("it is watched already, and a value has one watchpoint"), "remove that one first: breakpoints lists it")
	case errors.Is(err, rpc.ErrWatchSystem):
		return errNoWatch
	}
	return err
}

// refOf is the frame of a scope.
func refOf(s api.EvalScope) debugger.FrameRef {
	return debugger.FrameRef{Goroutine: debugger.GoroutineID(s.GoroutineID), Frame: s.Frame}
}

// lostWatches forgets the watchpoints whose variables went out of scope, and
// says what they were.
func (bs *breakpoints) lostWatches(state *api.DebuggerState) (gone []setBreak) {
	for _, at := range state.WatchOutOfScope {
		mark := bs.breaks[at.ID]
		if mark == nil {
			continue
		}
		delete(bs.breaks, at.ID)
		b := mark.Breakpoint
		b.Hits, b.Place, b.Why = at.TotalHitCount, debugger.PlaceLost, "it went out of scope"
		gone = append(gone, setBreak{Breakpoint: b, watched: mark.watched})
	}
	return gone
}
