package main

import (
	"bufio"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-dap"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// addingProgram prints sums, and then crashes.
const addingProgram = `package main

import "fmt"

func main() {
	total := 0
	for i := 1; i <= 3; i++ {
		total += i
		fmt.Println("total", total)
	}
	var sums map[string]int
	sums["total"] = total
}
`

// prints waits until the editor has printed texts of a category, in any order.
func (e *dapClient) prints(category string, texts ...string) {
	e.t.Helper()
	heard := ""
	for {
		missing := false
		for _, text := range texts {
			missing = missing || !strings.Contains(heard, text)
		}
		if !missing {
			return
		}
		if o := e.event("output").(*dap.OutputEvent); o.Body.Category == category {
			heard += o.Body.Output
		}
	}
}

// edit starts a session for an editor, which the host lets in and gives the wheel.
func edit(t *testing.T, dir string, args ...string) (*terminal, *dapClient) {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "dap.sock")
	host := startTerminal(t, dir, 120, 36, nil, append([]string{"debug", "--offline", "--listen", "unix:" + socket}, args...)...)
	host.wait("main.go:")
	conn, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	e := &dapClient{t: t, conn: conn, in: bufio.NewReader(conn)}
	e.comeIn(host, "d")
	host.wait("editor: drives now")
	return host, e
}

// An editor sets a variable, and gets its log points and the program's output.
func TestAnEditorSetsVariablesAndLogs(t *testing.T) {
	t.Parallel()
	dir := program(t, addingProgram)
	host, e := edit(t, dir, "--break", "main.go:9", ".")
	e.ask(&dap.ConfigurationDoneRequest{Request: e.request("configurationDone")})
	if s := e.event("stopped").(*dap.StoppedEvent); s.Body.Reason != "breakpoint" {
		t.Fatalf("%+v", s.Body)
	}
	thread := e.ask(&dap.ThreadsRequest{Request: e.request("threads")}).(*dap.ThreadsResponse).Body.Threads[0].Id
	frame := e.ask(&dap.StackTraceRequest{Request: e.request("stackTrace"), Arguments: dap.StackTraceArguments{ThreadId: thread}}).(*dap.StackTraceResponse).Body.StackFrames[0]
	scopes := e.ask(&dap.ScopesRequest{Request: e.request("scopes"), Arguments: dap.ScopesArguments{FrameId: frame.Id}}).(*dap.ScopesResponse).Body.Scopes
	locals := scopes[len(scopes)-1].VariablesReference
	set := func(name, value string) *dap.SetVariableRequest {
		return &dap.SetVariableRequest{Request: e.request("setVariable"), Arguments: dap.SetVariableArguments{VariablesReference: locals, Name: name, Value: value}}
	}
	if a, ok := e.ask(set("total", "40")).(*dap.SetVariableResponse); !ok || a.Body.Value != "40" || a.Body.Type != "int" {
		t.Errorf("set total: %+v", a)
	}
	for name, value := range map[string]string{"total": `"words"`, "absent": "1", "i": "1\nexit"} {
		if _, refused := e.ask(set(name, value)).(*dap.ErrorResponse); !refused {
			t.Errorf("%s = %s was taken", name, value)
		}
	}
	breakpoints := &dap.SetBreakpointsRequest{Request: e.request("setBreakpoints"), Arguments: dap.SetBreakpointsArguments{Source: dap.Source{Path: filepath.Join(dir, "main.go")},
		Breakpoints: []dap.SourceBreakpoint{{Line: 9, LogMessage: "round {i} has {total}."}}}}
	if a, ok := e.ask(breakpoints).(*dap.SetBreakpointsResponse); !ok || len(a.Body.Breakpoints) != 1 || !a.Body.Breakpoints[0].Verified {
		t.Fatalf("log point: %+v", a)
	}
	e.ask(&dap.ContinueRequest{Request: e.request("continue")})
	e.prints("console", "round 2 has 42.\n", "round 3 has 45.\n")
	if s := e.event("stopped").(*dap.StoppedEvent); s.Body.Reason != "exception" {
		t.Errorf("after the loop: %+v", s.Body)
	}
	e.seen = nil
	e.ask(&dap.EvaluateRequest{Request: e.request("evaluate"), Arguments: dap.EvaluateArguments{Expression: ":restart", Context: "repl"}})
	e.prints("stdout", "total 1\n", "total 3\n", "total 6\n")
	host.keys(":", "kick editor\r", escape)
	host.wait("editor: was removed by the host")
	if _, err := dap.ReadProtocolMessage(e.in); err == nil {
		for err == nil { // what was on its way
			_, err = dap.ReadProtocolMessage(e.in)
		}
	}
	host.leave()
}

// The end of the session ends the editor's.
func TestTheEndOfTheSessionEndsTheEditors(t *testing.T) {
	t.Parallel()
	host, e := edit(t, program(t, addingProgram), ".")
	e.ask(&dap.ConfigurationDoneRequest{Request: e.request("configurationDone")})
	e.prints("stdout", "total 1\n", "total 3\n", "total 6\n")
	host.leave()
	var err error
	for err == nil {
		_, err = dap.ReadProtocolMessage(e.in)
	}
}

// A setting lets editors in that come over a socket of the user's.
func TestAnEditorIsLetInByTheSetting(t *testing.T) {
	t.Parallel()
	config, socket := t.TempDir(), filepath.Join(t.TempDir(), "dap.sock")
	testsupport.Write(t, filepath.Join(config, "pausetui", "config.toml"), "[editors]\nadmit = true\n")
	host := startTerminal(t, program(t, addingProgram), 120, 36, []string{"XDG_CONFIG_HOME=" + config}, "debug", "--offline", "--listen", "unix:"+socket, ".")
	host.wait("main.go:")
	conn, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	e := &dapClient{t: t, conn: conn, in: bufio.NewReader(conn)}
	e.comeIn(host, "")
	host.wait("editor: joined")
	host.leave()
}

// An editor that was let in is known when it comes back, with the wheel that it had.
func TestAnEditorComesBack(t *testing.T) {
	t.Parallel()
	host, e := edit(t, program(t, addingProgram), ".")
	for range 2 {
		e.ask(&dap.DisconnectRequest{Request: e.request("disconnect")})
		host.wait("editor: left")
		again, err := net.Dial("unix", e.conn.RemoteAddr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = again.Close() })
		e = &dapClient{t: t, conn: again, in: bufio.NewReader(again)}
		e.comeIn(host, "")
		e.ask(&dap.ConfigurationDoneRequest{Request: e.request("configurationDone")})
		if a, ok := e.ask(&dap.RestartRequest{Request: e.request("restart")}).(*dap.RestartResponse); !ok {
			t.Errorf("it does not drive: %+v", a)
		}
	}
	host.leave()
}
