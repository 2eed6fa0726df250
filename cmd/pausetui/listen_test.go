package main

import (
	"bufio"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-dap"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// dapClient is a client of the Debug Adapter Protocol.
type dapClient struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
	seq  int
	seen []dap.Message // events that nobody has waited for yet
}

func (e *dapClient) request(command string) dap.Request {
	e.seq++
	return dap.Request{ProtocolMessage: dap.ProtocolMessage{Seq: e.seq, Type: "request"}, Command: command}
}

// ask sends a request and returns its response.
func (e *dapClient) ask(m dap.RequestMessage) dap.ResponseMessage {
	e.t.Helper()
	if err := dap.WriteProtocolMessage(e.conn, m); err != nil {
		e.t.Fatal(err)
	}
	return e.answerTo(m)
}

// comeIn attaches, which the host answers with a key; none where it is not asked.
func (e *dapClient) comeIn(host *terminal, key string) {
	e.t.Helper()
	if a, ok := e.ask(&dap.InitializeRequest{Request: e.request("initialize")}).(*dap.InitializeResponse); !ok || !a.Body.SupportsExceptionInfoRequest {
		e.t.Fatalf("%+v", a)
	}
	attach := &dap.AttachRequest{Request: e.request("attach")}
	if err := dap.WriteProtocolMessage(e.conn, attach); err != nil {
		e.t.Fatal(err)
	}
	if key != "" {
		host.wait("Let editor in?")
		host.keys(key)
	}
	if a, ok := e.answerTo(attach).(*dap.AttachResponse); !ok {
		e.t.Fatalf("attach: %+v", a)
	}
	e.event("initialized")
}

// answerTo waits for the response to a request.
func (e *dapClient) answerTo(m dap.RequestMessage) dap.ResponseMessage {
	e.t.Helper()
	for {
		if r, ok := e.read().(dap.ResponseMessage); ok && r.GetResponse().RequestSeq == m.GetRequest().Seq {
			return r
		}
	}
}

// refused checks that a request is refused with some words.
func (e *dapClient) refused(m dap.RequestMessage, words string) {
	e.t.Helper()
	if r, ok := e.ask(m).(*dap.ErrorResponse); !ok || !strings.Contains(r.Message, words) {
		e.t.Errorf("%s: %+v; want a refusal with %q", m.GetRequest().Command, r, words)
	}
}

func (e *dapClient) read() dap.Message {
	e.t.Helper()
	_ = e.conn.SetReadDeadline(time.Now().Add(testsupport.Patience))
	m, err := dap.ReadProtocolMessage(e.in)
	if err != nil {
		e.t.Fatalf("read: %v", err)
	}
	if _, event := m.(dap.EventMessage); event {
		e.seen = append(e.seen, m)
	}
	return m
}

// event waits for an event of a kind.
func (e *dapClient) event(name string) dap.Message {
	e.t.Helper()
	for {
		for i, m := range e.seen {
			if m.(dap.EventMessage).GetEvent().Event == name {
				e.seen = e.seen[i+1:]
				return m
			}
		}
		e.read()
	}
}

// An editor attaches to the session, looks as a viewer, and drives with the wheel.
func TestAnEditorAttaches(t *testing.T) {
	t.Parallel()
	dir := program(t, emptyMapProgram)
	socket := filepath.Join(t.TempDir(), "dap.sock")
	host := startTerminal(t, dir, 120, 36, nil, "debug", "--offline", "--listen", "unix:"+socket)
	host.wait("is nil because")
	conn, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	e := &dapClient{t: t, conn: conn, in: bufio.NewReader(conn)}
	e.refused(&dap.LaunchRequest{Request: e.request("launch")}, "attach")
	e.comeIn(host, "y")
	host.wait("editor: joined")
	file := filepath.Join(dir, "main.go")
	set := func(lines ...int) *dap.SetBreakpointsResponse {
		r := &dap.SetBreakpointsRequest{Request: e.request("setBreakpoints"), Arguments: dap.SetBreakpointsArguments{Source: dap.Source{Path: file}}}
		for _, l := range lines {
			r.Arguments.Breakpoints = append(r.Arguments.Breakpoints, dap.SourceBreakpoint{Line: l})
		}
		return e.ask(r).(*dap.SetBreakpointsResponse)
	}
	if b := set(10).Body.Breakpoints; len(b) != 1 || b[0].Verified || !strings.Contains(b[0].Message, "driver") {
		t.Errorf("a viewer's breakpoint: %+v", b)
	}
	e.ask(&dap.ConfigurationDoneRequest{Request: e.request("configurationDone")})
	stopped := e.event("stopped").(*dap.StoppedEvent)
	if stopped.Body.Reason != "exception" {
		t.Errorf("%+v", stopped.Body)
	}
	info := e.ask(&dap.ExceptionInfoRequest{Request: e.request("exceptionInfo"), Arguments: dap.ExceptionInfoArguments{ThreadId: stopped.Body.ThreadId}}).(*dap.ExceptionInfoResponse)
	if info.Body.ExceptionId != "nil-map-write" || !strings.Contains(info.Body.Description, "x.terms is nil") {
		t.Errorf("%+v", info.Body)
	}
	if list := e.ask(&dap.ThreadsRequest{Request: e.request("threads")}).(*dap.ThreadsResponse).Body.Threads; len(list) == 0 {
		t.Error("no threads")
	}
	e.looksAround(stopped.Body.ThreadId)
	e.refused(&dap.NextRequest{Request: e.request("next"), Arguments: dap.NextArguments{ThreadId: stopped.Body.ThreadId}}, "only the driver")
	e.refused(&dap.EvaluateRequest{Request: e.request("evaluate"), Arguments: dap.EvaluateArguments{Expression: ":restart", Context: "repl"}}, "only the driver")

	host.keys(":", "wheel editor\r", escape)
	host.wait("editor: drives now")
	if b := e.event("breakpoint").(*dap.BreakpointEvent); b.Body.Reason != "changed" || !b.Body.Breakpoint.Verified {
		t.Errorf("with the wheel: %+v", b)
	}
	if a, ok := e.ask(&dap.EvaluateRequest{Request: e.request("evaluate"), Arguments: dap.EvaluateArguments{Expression: ":rebuild", Context: "repl"}}).(*dap.EvaluateResponse); !ok {
		t.Errorf("rebuild: %+v", a)
	}
	for e.event("stopped").(*dap.StoppedEvent).Body.Reason != "breakpoint" {
	}
	e.ask(&dap.NextRequest{Request: e.request("next"), Arguments: dap.NextArguments{}})
	if s := e.event("stopped").(*dap.StoppedEvent); s.Body.Reason != "step" {
		t.Errorf("after next: %+v", s.Body)
	}
	e.ask(&dap.DisconnectRequest{Request: e.request("disconnect")})
	host.wait("editor: left")
	host.keys("q", "y")
	host.exit()
}

// looksAround reads the stack and its variables.
func (e *dapClient) looksAround(thread int) {
	e.t.Helper()
	frames := e.ask(&dap.StackTraceRequest{Request: e.request("stackTrace"), Arguments: dap.StackTraceArguments{ThreadId: thread, Levels: 20}}).(*dap.StackTraceResponse).Body.StackFrames
	var frame int
	for _, f := range frames {
		if strings.Contains(f.Name, "add") {
			frame = f.Id
		}
	}
	scopes, ok := e.ask(&dap.ScopesRequest{Request: e.request("scopes"), Arguments: dap.ScopesArguments{FrameId: frame}}).(*dap.ScopesResponse)
	if !ok {
		e.t.Fatalf("no scopes of %+v", frames)
	}
	found := false
	for _, s := range scopes.Body.Scopes {
		for _, v := range e.ask(&dap.VariablesRequest{Request: e.request("variables"), Arguments: dap.VariablesArguments{VariablesReference: s.VariablesReference}}).(*dap.VariablesResponse).Body.Variables {
			if v.Name == "x" {
				fields := e.ask(&dap.VariablesRequest{Request: e.request("variables"), Arguments: dap.VariablesArguments{VariablesReference: v.VariablesReference}}).(*dap.VariablesResponse).Body.Variables
				found = len(fields) > 0
			}
		}
	}
	if !found {
		e.t.Error("x has no fields")
	}
	hover := e.ask(&dap.EvaluateRequest{Request: e.request("evaluate"), Arguments: dap.EvaluateArguments{Expression: "x.terms", FrameId: frame, Context: "hover"}})
	if a, ok := hover.(*dap.EvaluateResponse); !ok || a.Body.Result != "nil" {
		e.t.Errorf("hover: %+v", hover)
	}
}
