package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-dap"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// adapter starts pausetui dap, as an editor does.
func adapter(t *testing.T, dir string) *dapClient {
	t.Helper()
	ours, theirs := net.Pipe()
	c := exec.Command(os.Args[0], "dap", "--offline")
	c.Dir, c.Env = dir, append(os.Environ(), asMain+"=1", "NO_COLOR=1")
	c.Stdin, c.Stdout, c.WaitDelay = theirs, theirs, time.Second
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	t.Cleanup(func() {
		_ = ours.Close()
		select {
		case <-ended:
		case <-time.After(testsupport.Patience):
			_ = c.Process.Kill()
			t.Error("the adapter does not end when the editor leaves")
		}
	})
	return &dapClient{t: t, conn: ours, in: bufio.NewReader(ours)}
}

func (e *dapClient) launch(arguments string) dap.ResponseMessage {
	e.t.Helper()
	e.ask(&dap.InitializeRequest{Request: e.request("initialize")})
	return e.ask(&dap.LaunchRequest{Request: e.request("launch"), Arguments: []byte(arguments)})
}

// raw sends a request that the protocol does not have, and returns the response as it comes.
func (e *dapClient) raw(command string) string {
	e.t.Helper()
	e.seq++
	if err := dap.WriteBaseMessage(e.conn, []byte(fmt.Sprintf(`{"seq":%d,"type":"request","command":%s}`, e.seq, command))); err != nil {
		e.t.Fatal(err)
	}
	for {
		text, err := dap.ReadBaseMessage(e.in)
		if err != nil {
			e.t.Fatal(err)
		}
		if strings.Contains(string(text), fmt.Sprintf(`"request_seq":%d,`, e.seq)) {
			return string(text)
		}
	}
}

// says waits until the console has printed something.
func (e *dapClient) says(text string) {
	e.t.Helper()
	for {
		if m := e.event("output").(*dap.OutputEvent); strings.Contains(m.Body.Output, text) {
			return
		}
	}
}

// An editor starts a session of its own: its breakpoints are set before the program
// runs, and a fix is listed, read and applied in its console.
func TestAnEditorStartsASession(t *testing.T) {
	t.Parallel()
	dir := program(t, emptyMapProgram)
	file := filepath.Join(dir, "main.go")
	e := adapter(t, dir)
	if r := e.launch(`{"program": ".", "buildFlags": "-tags=x", "env": {"A": "b", "C": null}, "cwd": "."}`); !r.GetResponse().Success {
		t.Fatalf("%+v", r)
	}
	e.event("initialized")
	set := &dap.SetBreakpointsRequest{Request: e.request("setBreakpoints"), Arguments: dap.SetBreakpointsArguments{Source: dap.Source{Path: file}, Breakpoints: []dap.SourceBreakpoint{{Line: 11}}}}
	e.ask(set)
	e.ask(&dap.ConfigurationDoneRequest{Request: e.request("configurationDone")})
	e.event("process")
	if m := e.event("stopped").(*dap.StoppedEvent); m.Body.Reason != "breakpoint" {
		t.Errorf("%+v", m.Body)
	}
	e.ask(&dap.ContinueRequest{Request: e.request("continue")})
	e.event("stopped")
	stack := e.ask(&dap.StackTraceRequest{Request: e.request("stackTrace"), Arguments: dap.StackTraceArguments{ThreadId: 1}}).(*dap.StackTraceResponse).Body.StackFrames
	if shown := slices.IndexFunc(stack, func(f dap.StackFrame) bool { return f.Source != nil }); stack[shown].Name != "main.(*index).add" {
		t.Errorf("an editor would show %+v", stack[shown])
	}
	e.says("why: x.terms is nil")
	e.says("fix 1 is verified")
	if list := e.raw(`"pausetui/fixes"`); !strings.Contains(list, `"verified":true`) || !strings.Contains(list, `"diff":"--- a/main.go`) {
		t.Errorf("the fixes: %s", list)
	}
	if refused := e.raw(`"pausetui/decide","arguments":{"id":"c99","decision":"approve"}`); !strings.Contains(refused, `there is no fix \"c99\"`) {
		t.Error(refused)
	}
	e.evaluated("repl", ":approve 1")
	e.says("y applies")
	e.evaluated("repl", ":y")
	e.says("applied fix 1")
	if m := e.event("stopped").(*dap.StoppedEvent); m.Body.Reason != "breakpoint" {
		t.Errorf("%+v", m.Body)
	}
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "make(map") && !strings.Contains(string(text), "map[string]int{}") {
		t.Errorf("%v\n%s", err, text)
	}
	e.ask(&dap.ContinueRequest{Request: e.request("continue")})
	if m := e.event("exited").(*dap.ExitedEvent); m.Body.ExitCode != 0 {
		t.Errorf("%+v", m.Body)
	}
	e.event("terminated")
	e.ask(&dap.DisconnectRequest{Request: e.request("disconnect")})
}

// What cannot be started is said in the answer to launch.
func TestALaunchIsRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	dir := program(t, "package main\n\nfunc main() { x }\n")
	for arguments, want := range map[string]string{
		`{"program": "."}`:                   "main.go:3:15: undefined: x",
		`{"program": "nowhere"}`:             "not a directory",
		`{}`:                                 "names no program",
		`{"program": ".", "mode": "replay"}`: "want debug, test, exec or core",
		`{"program": 1}`:                     `"program" cannot be a number`,
		`{"program": ".", "panics": "sometimes"}`: "panics",
	} {
		e := adapter(t, dir)
		if r, ok := e.launch(arguments).(*dap.ErrorResponse); !ok || !strings.Contains(r.Message, want) {
			t.Errorf("%s: %+v", arguments, r)
		}
		e.ask(&dap.DisconnectRequest{Request: e.request("disconnect")})
	}
}

// An adapter and a server for agents that are told to end do so while their client is silent.
func TestServersOnStandardInputEndBySignal(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"dap", "mcp"} {
		c := exec.Command(os.Args[0], command, "--offline")
		if command == "mcp" {
			c.Args = c.Args[:2]
		}
		c.Dir, c.Env = t.TempDir(), append(os.Environ(), asMain+"=1", "NO_COLOR=1")
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		hello := `{"seq":1,"type":"request","command":"initialize","arguments":{"adapterID":"x"}}`
		if command == "mcp" {
			hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n"
		} else {
			hello = fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(hello), hello)
		}
		if _, err := io.WriteString(in, hello); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		_ = c.Process.Signal(syscall.SIGTERM)
		late := time.AfterFunc(testsupport.Patience, func() { _ = c.Process.Kill() })
		if _, _ = io.Copy(io.Discard, out); !late.Stop() {
			t.Errorf("%s does not end", command)
		}
		_ = c.Wait() // it says how it ended
	}
}
