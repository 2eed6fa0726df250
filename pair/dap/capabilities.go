package dap

import (
	"github.com/google/go-dap"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
)

// initialize says what an editor may ask for.
func (s *server) initialize(m *dap.InitializeRequest) {
	s.client = m.Arguments
	a := &dap.InitializeResponse{Response: response(m.GetRequest())}
	a.Body = dap.Capabilities{
		SupportsConfigurationDoneRequest:   true,
		SupportsConditionalBreakpoints:     true,
		SupportsHitConditionalBreakpoints:  true,
		SupportsLogPoints:                  true,
		SupportsEvaluateForHovers:          true,
		SupportsSetVariable:                true,
		SupportsExceptionInfoRequest:       true,
		SupportsDelayedStackTraceLoading:   true,
		SupportsRestartRequest:             true,
		SupportsFunctionBreakpoints:        true,
		SupportsInstructionBreakpoints:     true,
		SupportsDataBreakpoints:            true,
		SupportsDisassembleRequest:         true,
		SupportsSteppingGranularity:        true,
		SupportsReadMemoryRequest:          true,
		SupportsWriteMemoryRequest:         true,
		SupportsClipboardContext:           true,
		SupportsSetExpression:              true,
		SupportsGotoTargetsRequest:         true,
		SupportsStepInTargetsRequest:       true,
		SupportsCompletionsRequest:         true,
		CompletionTriggerCharacters:        []string{".", ":"},
		SupportsBreakpointLocationsRequest: true,
		SupportsLoadedSourcesRequest:       true,
		SupportsCancelRequest:              true,
		SupportsTerminateRequest:           s.opts.Own,
		SupportTerminateDebuggee:           s.opts.Own,
	}
	if s.opts.Own {
		a.Body.ExceptionBreakpointFilters = panicFilters
	}
	s.send(a)
}

// panicFilters say at which panics the program stops: see debugger.PanicMode.
var panicFilters = []dap.ExceptionBreakpointsFilter{
	{Filter: string(debugger.PanicsAuto), Label: "Panics that end the program", Description: "and those that a server recovers; failing tests", Default: true},
	{Filter: string(debugger.PanicsAll), Label: "All panics", Description: "also those that the program recovers"},
}

// setExceptionBreakpoints says which panics stop the program from its next start on.
// What the configuration says counts more.
func (s *server) setExceptionBreakpoints(m *dap.SetExceptionBreakpointsRequest) {
	if s.opts.Own && s.config.Panics == "" && !s.config.NoDebug {
		mode := debugger.PanicsOff
		for _, f := range m.Arguments.Filters {
			if mode != debugger.PanicsAll {
				mode = debugger.PanicMode(f)
			}
		}
		if _, err := debugger.ParsePanicMode(string(mode)); err == nil {
			s.seat.Do(intent.StopAt{Panics: mode})
		}
	}
	s.send(&dap.SetExceptionBreakpointsResponse{Response: response(m.GetRequest())})
}
