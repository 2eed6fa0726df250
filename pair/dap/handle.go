package dap

import (
	"errors"

	"github.com/google/go-dap"
)

// handle carries a request out; false when it was the last.
func (s *server) handle(m dap.RequestMessage) bool {
	r := m.GetRequest()
	if v := s.past.Load(); v != nil && v.handle(m, s.underway.ctx) {
		return true
	}
	var err error
	switch m := m.(type) {
	case *dap.InitializeRequest:
		s.initialize(m)
	case *dap.AttachRequest:
		err = s.enter(Attach, m.Arguments, &dap.AttachResponse{Response: response(r)})
	case *dap.LaunchRequest:
		err = s.enter(Launch, m.Arguments, &dap.LaunchResponse{Response: response(r)})
	case *dap.DisconnectRequest:
		s.leave(m.Arguments)
		s.send(&dap.DisconnectResponse{Response: response(r)})
		return false
	default:
		if err = errors.New("attach or launch first"); s.seat != nil {
			err = s.handleAttached(m)
		}
	}
	if err != nil && s.canceled() {
		err = errCanceled
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
		return points{s}.setBreakpoints(m)
	case *dap.SetExceptionBreakpointsRequest:
		s.setExceptionBreakpoints(m)
	case *dap.ConfigurationDoneRequest:
		s.send(&dap.ConfigurationDoneResponse{Response: response(r)})
		s.begin()
		s.letGo()
	case *dap.SetFunctionBreakpointsRequest:
		return points{s}.setFunctionBreakpoints(m)
	case *dap.SetInstructionBreakpointsRequest:
		return points{s}.setInstructionBreakpoints(m)
	case *dap.SetDataBreakpointsRequest:
		return points{s}.setDataBreakpoints(m)
	case *dap.DataBreakpointInfoRequest:
		return points{s}.dataBreakpointInfo(m)
	case *dap.ThreadsRequest:
		return looking{s}.threads(m)
	case *dap.StackTraceRequest:
		return looking{s}.stackTrace(m)
	case *dap.ScopesRequest:
		return looking{s}.scopes(m)
	case *dap.VariablesRequest:
		return looking{s}.variables(m)
	case *dap.EvaluateRequest:
		return s.evaluate(m)
	case *dap.SetVariableRequest:
		return s.setVariable(m)
	case *dap.ExceptionInfoRequest:
		return s.exceptionInfo(m)
	case *dap.TerminateRequest:
		return s.terminate(m)
	default:
		return s.handleMore(m)
	}
	return nil
}

// handleMore carries out what not every editor asks for.
func (s *server) handleMore(m dap.RequestMessage) error {
	switch m := m.(type) {
	case *dap.SetExpressionRequest:
		return s.setExpression(m)
	case *dap.DisassembleRequest:
		return machine{s}.disassemble(m)
	case *dap.ReadMemoryRequest:
		return machine{s}.readMemory(m)
	case *dap.WriteMemoryRequest:
		return machine{s}.writeMemory(m)
	case *dap.StepInTargetsRequest:
		return targets{s}.stepInTargets(m)
	case *dap.GotoTargetsRequest:
		targets{s}.gotoTargets(m)
	case *dap.GotoRequest:
		return targets{s}.jump(m)
	case *dap.CompletionsRequest:
		return targets{s}.completions(m)
	case *dap.BreakpointLocationsRequest:
		targets{s}.breakpointLocations(m)
	case *dap.LoadedSourcesRequest:
		return targets{s}.loadedSources(m)
	default:
		return s.custom(m)
	}
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
