package dap

import "github.com/google/go-dap"

// initialize says what an editor may ask for.
func (s *server) initialize(m *dap.InitializeRequest) {
	s.client = m.Arguments
	a := &dap.InitializeResponse{Response: response(m.GetRequest())}
	a.Body = dap.Capabilities{
		SupportsConfigurationDoneRequest:  true,
		SupportsConditionalBreakpoints:    true,
		SupportsHitConditionalBreakpoints: true,
		SupportsLogPoints:                 true,
		SupportsEvaluateForHovers:         true,
		SupportsSetVariable:               true,
		SupportsExceptionInfoRequest:      true,
		SupportsDelayedStackTraceLoading:  true,
		SupportsRestartRequest:            true,
		SupportsTerminateRequest:          s.opts.Own,
		SupportTerminateDebuggee:          s.opts.Own,
	}
	s.send(a)
}
