package delve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
)

// waiting is a goroutine with something to show.
type waiting struct {
	goroutine debugger.GoroutineID
	failure   *failure // of a test; nil: a panic
	thrown    bool     // that has only begun, rather than one that a server has recovered
	early     bool     // with it: nothing recovers it, or only a server
	served    bool     // with that: a server
}

// nextWaiting shows the next of what has happened at the same moment: panics
// that servers have recovered or that have begun, tests that fail. The error is
// errPassed where none of them is to be shown.
func (ss *stops) nextWaiting(ctx context.Context) (stop debugger.Stop, err error) {
	err = errPassed
	for errors.Is(err, errPassed) && len(ss.waiting) > 0 {
		w := ss.waiting[0]
		ss.waiting = ss.waiting[1:]
		stop, err = ss.waited(ctx, w)
	}
	return stop, err
}

func (ss *stops) waited(ctx context.Context, w waiting) (stop debugger.Stop, err error) {
	switch g := w.goroutine; {
	case w.failure != nil:
		stop, err = ss.failureStop(ctx, g, *w.failure)
	case w.thrown:
		stop, err = ss.thrownStop(ctx, w)
	default:
		stop, err = ss.recoveredStop(ctx, g)
	}
	if errors.Is(err, errPassed) {
		return stop, err
	}
	// So that steps go on from there.
	_, _ = rpc.Call[rpc2.CommandOut](ctx, ss.srv.Client, "Command", api.DebuggerCommand{Name: api.SwitchGoroutine, GoroutineID: int64(w.goroutine)})
	stop.At = time.Now()
	return stop, err
}

// recoveredStop shows a panic that a server has just recovered: what panicked
// is still on the goroutine's stack, below the server's deferred function.
func (ss *stops) recoveredStop(ctx context.Context, g debugger.GoroutineID) (debugger.Stop, error) {
	links, err := ss.panics.links(ctx, debugger.FrameRef{Goroutine: g})
	stop := ss.panics.liveStop(ctx, g, links, err)
	stop.Panic.Recovered = true
	if err = ss.show(ctx, &stop); errors.Is(err, errPassed) {
		return stop, err
	}
	stop.Request = ss.requests.request(ctx, stop)
	return stop, err
}

// thrownStop shows a panic that has only begun, at runtime.gopanic.
func (ss *stops) thrownStop(ctx context.Context, w waiting) (debugger.Stop, error) {
	g := w.goroutine
	at := debugger.FrameRef{Goroutine: g}
	links, _ := ss.panics.links(ctx, at) // those before it, as far as they can be read
	arg, err := ask.Eval(ctx, ss.srv, at, "e", messageLoad)
	if err == nil {
		links = append([]link{{arg: *arg}}, links...)
	} else {
		links = nil
	}
	stop := ss.panics.liveStop(ctx, g, links, err)
	stop.Panic.Thrown, stop.Panic.Recovered = !w.early, w.served
	if err = ss.show(ctx, &stop); errors.Is(err, errPassed) {
		return stop, err
	}
	stop.Request = ss.requests.request(ctx, stop)
	if w.served && stop.Request == nil { // the function that recovers may know it
		return stop, errPassed
	}
	ss.recovery.shown[g] = w.early
	return stop, err
}

// deferredStop shows the panic that has led a step into a deferred function.
func (ss *stops) deferredStop(ctx context.Context, g debugger.GoroutineID) (debugger.Stop, error) {
	links, err := ss.panics.links(ctx, debugger.FrameRef{Goroutine: g})
	stop := ss.panics.liveStop(ctx, g, links, err)
	stop.Panic.Thrown, stop.Panic.Recovered = true, false
	err = ss.show(ctx, &stop)
	return stop, err
}

// panickedDuring reports whether a goroutine has begun to panic since a step of it
// began: the step's frame is below the panic.
func (ss *stops) panickedDuring(ctx context.Context, s *step, frames []debugger.Frame) bool {
	at := gopanicIn(frames)
	if at <= 0 || s.function == panicFunction {
		return false
	}
	out, err := rpc.Call[rpc2.StacktraceOut](ctx, ss.srv.Client, "Stacktrace", rpc2.StacktraceIn{Id: s.goroutine, Depth: at + deepPage, Skip: at})
	return err == nil && slices.ContainsFunc(out.Locations, func(f api.Stackframe) bool {
		return f.FrameOffset == s.offset && f.Function.Name() == s.function
	})
}

// liveStop makes a stop of a goroutine's panics, newest first; err tells why
// there are none.
func (ps *panics) liveStop(ctx context.Context, g debugger.GoroutineID, links []link, err error) debugger.Stop {
	panics := ps.alive(ctx, debugger.FrameRef{Goroutine: g}, links)
	if len(panics) == 0 {
		panics = []debugger.Panic{{Class: debugger.Custom, Message: fmt.Sprintf("(unreadable: %v)", err), Culprit: -1}}
	}
	last := panics[len(panics)-1]
	last.Chain = panics[:len(panics)-1]
	return debugger.Stop{Reason: debugger.ReasonPanic, Panic: &last, Goroutine: g, Selected: -1}
}

// alive makes panics, oldest first, of links whose values the runtime has not
// turned into text: the process does not die of them, or not yet.
func (ps *panics) alive(ctx context.Context, at debugger.FrameRef, links []link) []debugger.Panic {
	var panics []debugger.Panic
	again := false // the panic before has this value, too
	for i, l := range links {
		if i+1 < len(links) && links[i+1].recovered && sameValue(&l.arg, &links[i+1].arg) {
			again = true
			continue
		}
		p := debugger.Panic{Message: ps.errorText(ctx, at, l), Recovered: l.recovered, Repanicked: again, Culprit: -1, Value: typed(&l.arg)}
		again = false
		isError := len(l.arg.Children) > 0 && ps.hasErrorMethod(ctx, l.arg.Children[0].Type)
		p.Class = debugger.Classify(p.Message, false, isError)
		ps.carry(&p)
		panics = append([]debugger.Panic{p}, panics...)
	}
	return panics
}
