package main

import (
	"encoding/base64"
	"encoding/binary"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-dap"
)

const sumProgram = `package main

import "fmt"

type item struct {
	name string
	n    int
}

var limit = 10

func double(n int) int { return 2 * n }

func sum(items []*item) int {
	total := 0
	for _, it := range items {
		total += it.n
	}
	return min(double(total), limit)
}

func main() {
	fmt.Println(sum([]*item{{"a", 1}, {"b", 2}}))
	fmt.Println(sum(nil))
}
`

// stopsAt waits until the program stops, and returns the frame.
func (e *dapClient) stopsAt(reason string, line int) dap.StackFrame {
	e.t.Helper()
	m := e.event("stopped").(*dap.StoppedEvent)
	if m.Body.Reason != reason {
		e.t.Errorf("it stops for %q, want %q", m.Body.Reason, reason)
	}
	frames := e.ask(&dap.StackTraceRequest{Request: e.request("stackTrace"), Arguments: dap.StackTraceArguments{ThreadId: m.Body.ThreadId}}).(*dap.StackTraceResponse).Body.StackFrames
	if len(frames) == 0 || frames[0].Line != line {
		e.t.Fatalf("it stops at %+v, want line %d", frames, line)
	}
	return frames[0]
}

// What dlv dap can do beside the usual: breakpoints of all kinds, code, memory, targets,
// completions.
func TestAnEditorHasTheWholeDebugger(t *testing.T) {
	t.Parallel()
	dir := program(t, sumProgram)
	source := dap.Source{Path: filepath.Join(dir, "main.go")}
	e := adapter(t, dir)
	e.launch(`{"program": ".", "goroutineFilters": "-with user", "showGlobalVariables": true}`)
	e.event("initialized")
	e.ask(&dap.SetFunctionBreakpointsRequest{Request: e.request("setFunctionBreakpoints"), Arguments: dap.SetFunctionBreakpointsArguments{Breakpoints: []dap.FunctionBreakpoint{{Name: "main.sum"}}}})
	e.ask(&dap.SetExceptionBreakpointsRequest{Request: e.request("setExceptionBreakpoints"), Arguments: dap.SetExceptionBreakpointsArguments{Filters: []string{"all"}}})
	e.ask(&dap.ConfigurationDoneRequest{Request: e.request("configurationDone")})
	frame := e.stopsAt("breakpoint", 14)
	if list := e.ask(&dap.ThreadsRequest{Request: e.request("threads")}).(*dap.ThreadsResponse).Body.Threads; len(list) != 1 {
		t.Errorf("goroutines %+v", list)
	}
	lines := e.ask(&dap.BreakpointLocationsRequest{Request: e.request("breakpointLocations"), Arguments: &dap.BreakpointLocationsArguments{Source: source, Line: 14, EndLine: 19}}).(*dap.BreakpointLocationsResponse).Body.Breakpoints
	if !slices.Equal(lines, []dap.BreakpointLocation{{Line: 15}, {Line: 16}, {Line: 17}, {Line: 19}}) {
		t.Errorf("lines %+v", lines)
	}
	code := e.ask(&dap.DisassembleRequest{Request: e.request("disassemble"), Arguments: dap.DisassembleArguments{MemoryReference: frame.InstructionPointerReference, InstructionOffset: -1, InstructionCount: 3}}).(*dap.DisassembleResponse).Body.Instructions
	if len(code) != 3 || code[1].Address != frame.InstructionPointerReference || code[1].Symbol != "main.sum" {
		t.Errorf("instructions %+v", code)
	}
	scopes := e.ask(&dap.ScopesRequest{Request: e.request("scopes"), Arguments: dap.ScopesArguments{FrameId: frame.Id}}).(*dap.ScopesResponse).Body.Scopes
	globals := e.ask(&dap.VariablesRequest{Request: e.request("variables"), Arguments: dap.VariablesArguments{VariablesReference: scopes[2].VariablesReference}}).(*dap.VariablesResponse).Body.Variables
	if len(globals) != 1 || globals[0].Value != "10" {
		t.Errorf("globals %+v", globals)
	}
	for range 3 {
		e.ask(&dap.NextRequest{Request: e.request("next"), Arguments: dap.NextArguments{ThreadId: 1}})
		frame = e.stopsAtSome()
	}
	e.entersValues(frame)
	if value, refused := e.evaluated("watch", "double(21)"); value.Result != "42" {
		t.Errorf("a watch that calls is %q, %s", value.Result, refused)
	}
	e.ask(&dap.SetFunctionBreakpointsRequest{Request: e.request("setFunctionBreakpoints")})
	data := e.ask(&dap.SetDataBreakpointsRequest{Request: e.request("setDataBreakpoints"), Arguments: dap.SetDataBreakpointsArguments{Breakpoints: []dap.DataBreakpoint{{DataId: "total", AccessType: "write"}}}}).(*dap.SetDataBreakpointsResponse).Body.Breakpoints
	if len(data) != 1 || !data[0].Verified {
		t.Errorf("watchpoints %+v", data)
	}
	e.ask(&dap.ContinueRequest{Request: e.request("continue")})
	e.stopsAt("data breakpoint", 17)
	e.ask(&dap.SetDataBreakpointsRequest{Request: e.request("setDataBreakpoints")})
	e.goesTo(source)
	e.ask(&dap.TerminateRequest{Request: e.request("terminate")})
	e.event("terminated")
	e.ask(&dap.DisconnectRequest{Request: e.request("disconnect")})
}

// stopsAtSome waits until the program stops, wherever.
func (e *dapClient) stopsAtSome() dap.StackFrame {
	e.t.Helper()
	e.event("stopped")
	return e.ask(&dap.StackTraceRequest{Request: e.request("stackTrace"), Arguments: dap.StackTraceArguments{ThreadId: 1}}).(*dap.StackTraceResponse).Body.StackFrames[0]
}

// entersValues completes, sets and reads values in the loop of sum.
func (e *dapClient) entersValues(frame dap.StackFrame) {
	e.t.Helper()
	var names []string
	for _, i := range e.ask(&dap.CompletionsRequest{Request: e.request("completions"), Arguments: dap.CompletionsArguments{FrameId: frame.Id, Text: "it.na", Column: 6}}).(*dap.CompletionsResponse).Body.Targets {
		names = append(names, i.Label)
	}
	if strings.Join(names, " ") != "name" {
		e.t.Errorf("completions %q", names)
	}
	set := func(expr, value string) string {
		return e.ask(&dap.SetExpressionRequest{Request: e.request("setExpression"), Arguments: dap.SetExpressionArguments{FrameId: frame.Id, Expression: expr, Value: value}}).(*dap.SetExpressionResponse).Body.Value
	}
	if got := set("it.n", "3") + set("it.name", `"long"`); got != `3"long"` { // a text is made by a call in the program
		e.t.Errorf("set to %s", got)
	}
	at := e.ask(&dap.EvaluateRequest{Request: e.request("evaluate"), Arguments: dap.EvaluateArguments{Expression: "it.n", FrameId: frame.Id, Context: "hover"}}).(*dap.EvaluateResponse).Body.MemoryReference
	word := make([]byte, 8)
	binary.NativeEndian.PutUint64(word, 4)
	e.ask(&dap.WriteMemoryRequest{Request: e.request("writeMemory"), Arguments: dap.WriteMemoryArguments{MemoryReference: at, Data: base64.StdEncoding.EncodeToString(word)}})
	read := e.ask(&dap.ReadMemoryRequest{Request: e.request("readMemory"), Arguments: dap.ReadMemoryArguments{MemoryReference: at, Count: 8}}).(*dap.ReadMemoryResponse).Body.Data
	if value, _ := e.evaluated("hover", "it.n"); value.Result != "4" || read != base64.StdEncoding.EncodeToString(word) {
		e.t.Errorf("written as 4, it is %q, memory %s", value.Result, read)
	}
}

// goesTo steps into a call that is chosen, and sets the next statement.
func (e *dapClient) goesTo(source dap.Source) {
	e.t.Helper()
	e.ask(&dap.SetBreakpointsRequest{Request: e.request("setBreakpoints"), Arguments: dap.SetBreakpointsArguments{Source: source, Breakpoints: []dap.SourceBreakpoint{{Line: 19}}}})
	e.ask(&dap.ContinueRequest{Request: e.request("continue")})
	frame := e.stopsAt("breakpoint", 19)
	calls := e.ask(&dap.StepInTargetsRequest{Request: e.request("stepInTargets"), Arguments: dap.StepInTargetsArguments{FrameId: frame.Id}}).(*dap.StepInTargetsResponse).Body.Targets
	if len(calls) != 1 || calls[0].Label != "double(total)" {
		e.t.Fatalf("calls %+v", calls)
	}
	to := e.ask(&dap.GotoTargetsRequest{Request: e.request("gotoTargets"), Arguments: dap.GotoTargetsArguments{Source: source, Line: 15}}).(*dap.GotoTargetsResponse).Body.Targets
	e.ask(&dap.GotoRequest{Request: e.request("goto"), Arguments: dap.GotoArguments{ThreadId: 1, TargetId: to[0].Id}})
	e.stopsAt("goto", 15)
}
