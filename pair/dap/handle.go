package dap

import (
	"errors"

	"github.com/google/go-dap"

	"github.com/pausetui/pausetui/internal/advice"
)

// handle carries a request out; false when it was the last.
func (s *server) handle(m dap.RequestMessage) bool {
	r := m.GetRequest()
	var err error
	switch m := m.(type) {
	case *dap.InitializeRequest:
		s.initialize(m)
	case *dap.AttachRequest:
		err = s.attach(m)
	case *dap.LaunchRequest:
		err = advice.Add(errors.New("the session has started the program"), "use a configuration with \"request\": \"attach\"")
	case *dap.DisconnectRequest:
		s.send(&dap.DisconnectResponse{Response: response(r)})
		return false
	default:
		if err = errors.New("attach first"); s.seat != nil {
			err = s.handleAttached(m)
		}
	}
	if err != nil {
		s.fail(r, err)
	}
	return true
}

// handleAttached carries out a request about the session.
func (s *server) handleAttached(m dap.RequestMessage) error {
	r := m.GetRequest()
	switch m := m.(type) {
	case *dap.SetBreakpointsRequest:
		s.setBreakpoints(m)
	case *dap.SetExceptionBreakpointsRequest:
		s.send(&dap.SetExceptionBreakpointsResponse{Response: response(r)})
	case *dap.ConfigurationDoneRequest:
		s.send(&dap.ConfigurationDoneResponse{Response: response(r)})
		s.begin()
	case *dap.ThreadsRequest:
		return s.threads(m)
	case *dap.StackTraceRequest:
		return s.stackTrace(m)
	case *dap.ScopesRequest:
		return s.scopes(m)
	case *dap.VariablesRequest:
		return s.variables(m)
	case *dap.EvaluateRequest:
		return s.evaluate(m)
	case *dap.SetVariableRequest:
		return s.setVariable(m)
	case *dap.ExceptionInfoRequest:
		return s.exceptionInfo(m)
	default:
		return s.move(m)
	}
	return nil
}

func (s *server) initialize(m *dap.InitializeRequest) {
	s.client = m.Arguments
	a := &dap.InitializeResponse{Response: response(m.GetRequest())}
	a.Body.SupportsConfigurationDoneRequest = true
	a.Body.SupportsConditionalBreakpoints = true
	a.Body.SupportsHitConditionalBreakpoints = true
	a.Body.SupportsLogPoints = true
	a.Body.SupportsEvaluateForHovers = true
	a.Body.SupportsSetVariable = true
	a.Body.SupportsExceptionInfoRequest = true
	a.Body.SupportsDelayedStackTraceLoading = true
	a.Body.SupportsRestartRequest = true
	s.send(a)
}

// attach waits until the host lets the editor in.
func (s *server) attach(m *dap.AttachRequest) error {
	if s.seat != nil {
		return errors.New("it has attached already")
	}
	seat, err := s.join(s.ctx, Client{Name: s.client.ClientID})
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.seat = seat
	s.mu.Unlock()
	s.work.Go(func() {
		defer s.part() // it is over
		s.follow()
	})
	if err := s.caughtUp(seat.State().Seq); err != nil {
		return err
	}
	s.send(&dap.AttachResponse{Response: response(m.GetRequest())})
	s.send(&dap.InitializedEvent{Event: event("initialized")})
	return nil
}

// caughtUp waits until the editor's view of the session includes an event.
func (s *server) caughtUp(seq uint64) error {
	for {
		s.mu.Lock()
		now, heard := s.state.Seq, s.heard
		s.mu.Unlock()
		if now >= seq {
			return nil
		}
		select {
		case <-heard:
		case <-s.ctx.Done():
			return s.ctx.Err()
		}
	}
}
