package dap

import (
	"context"
	"maps"
	"sync/atomic"

	"github.com/google/go-dap"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/session"
)

// visit is an earlier moment of the program that has crashed, in a session of its own: see
// live.Past. The editor sees it as the same session, held somewhere else. It ends where the
// program crashes again, by exit in the console, or with the session.
type visit struct {
	*server
	over  chan struct{} // closed once the editor is back in the present
	moves atomic.Bool   // the editor has asked for a step, and was sent no stop since
}

// backward is where the editor has gone back to.
type backward struct {
	past atomic.Pointer[visit] // the earlier moment that it looks at; nil in the present

	// Used by follow:
	visited *live.Past // the last moment that it has looked at
	offered bool       // its capabilities include stepping back
}

// leavesPast are the lines that return to the present.
var leavesPast = map[string]bool{"exit": true, "quit": true, "q": true, "0": true}

// offerBack tells the editor whether it may step back from a stop.
func (s *server) offerBack(stop debugger.Stop) {
	if !s.opts.Own || s.now().Can.Reverse {
		return
	}
	m := &dap.CapabilitiesEvent{Event: event("capabilities")}
	m.Body.Capabilities.SupportsStepBack = stop.Crashed()
	if s.offered != stop.Crashed() {
		s.offered = stop.Crashed()
		s.send(m)
	}
}

// stays reports a step back that failed: the editor takes the program for running.
func (s *server) stays(e *session.Evaluated) {
	if stop, err := s.held(); err == nil && s.opts.Own && engine.LeadsBack(e.Input) && e.Err != "" {
		s.print("console", session.Clean(e.Err)+"\n")
		s.stopped(stop.Stop)
	}
}

// goBack shows the editor an earlier moment.
func (s *server) goBack(past *live.Past) {
	shared, ok := past.Client.(pair.Engine)
	if !ok || s.visited == past || !s.opts.Own {
		return
	}
	s.visited = past
	ctx, cancel := context.WithCancel(s.ctx)
	room := pair.New(shared, pair.Options{Host: s.seat.Name})
	room.Expect() // so that the editor's own deeds carry its name
	seat := room.Host()
	inner := newServer(ctx, cancel, Options{Calls: s.opts.Calls}, s.wire)
	inner.client, inner.seat, inner.config = s.client, seat, s.config
	s.mu.Lock()
	inner.breaks.numbers = maps.Clone(s.breaks.numbers) // the past has the same breakpoints
	s.mu.Unlock()
	v := &visit{server: inner, over: make(chan struct{})}
	s.past.Store(v)
	s.work.Go(func() {
		defer close(v.over)
		v.follow()
		seat.Do(intent.Quit{})
		cancel()
		inner.work.Wait()
		s.past.Store(nil)
		s.refs.forget()
		if stop, err := s.held(); err == nil {
			s.print("console", "back in the present: the program is held as it was\n")
			s.stopped(stop.Stop)
		}
	})
}

// follow hands the stops in the past to the editor, until it leaves the past.
func (v *visit) follow() {
	var seq, version uint64
	arrived := false
	for {
		u, err := v.seat.Wait(v.ctx, seq, version)
		v.hear(u.Events)
		for _, e := range u.Events {
			seq = e.Seq
			switch b := e.Body.(type) {
			case *session.Stopped:
				if b.Stop.Crashed() || b.Stop.Ended() {
					return
				}
				if !arrived {
					arrived = true
					v.print("console", "the past, in a run of its own: :exit returns to the present\n")
				}
				v.moves.Store(false)
				v.report(e)
			case *session.LaunchFailed:
				v.report(e)
				return
			case *session.Resumed, *session.Jumped, *session.Evaluated:
				v.report(e)
			case *session.Notice:
				v.report(e)
				if stop, err := v.held(); err == nil && b.Level != "info" && v.moves.CompareAndSwap(true, false) { // a step was refused, and the editor takes it for running
					v.stopped(stop.Stop)
				}
			}
		}
		if err != nil {
			return
		}
		version = u.Live.Version
	}
}

// handle carries out a request about the moment in the past; false for one that is about the
// session.
func (v *visit) handle(m dap.RequestMessage, underway context.Context) bool {
	switch m := m.(type) {
	case *dap.EvaluateRequest:
		if line, command := commandOf(m.Arguments.Expression); command && m.Arguments.Context == "repl" && leavesPast[line] {
			v.send(&dap.EvaluateResponse{Response: response(m.GetRequest())})
			v.part()
			<-v.over
			return true
		}
	case *dap.ContinueRequest, *dap.NextRequest, *dap.StepInRequest, *dap.StepOutRequest, *dap.StepBackRequest, *dap.ReverseContinueRequest:
		v.moves.Store(true)
	case *dap.PauseRequest, *dap.ThreadsRequest, *dap.StackTraceRequest, *dap.ScopesRequest, *dap.VariablesRequest, *dap.SetVariableRequest, *dap.SetExpressionRequest,
		*dap.ExceptionInfoRequest, *dap.DisassembleRequest, *dap.ReadMemoryRequest, *dap.WriteMemoryRequest, *dap.StepInTargetsRequest,
		*dap.GotoTargetsRequest, *dap.GotoRequest, *dap.CompletionsRequest:
	default:
		return false
	}
	if _, halt := m.(*dap.PauseRequest); !halt { // which does not wait for those before it
		v.mu.Lock()
		v.underway.ctx = underway
		v.mu.Unlock()
	}
	v.server.handle(m)
	return true
}
