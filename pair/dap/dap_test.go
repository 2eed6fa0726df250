package dap_test

import (
	"context"
	"fmt"
	"net"
	"testing"

	"go.uber.org/goleak"

	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/pair/dap"
	"github.com/pausetui/pausetui/pair/pairtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// requests are one of each kind that would have an effect.
var requests = []string{
	`"setBreakpoints","arguments":{"source":{"path":"/main.go"},"breakpoints":[{"line":1,"logMessage":"{x}"}]}`,
	`"continue","arguments":{"threadId":1}`, `"next","arguments":{"threadId":1}`, `"stepIn","arguments":{"threadId":1}`, `"stepOut","arguments":{"threadId":1}`,
	`"pause","arguments":{"threadId":1}`, `"evaluate","arguments":{"expression":":restart","context":"repl"}`, `"evaluate","arguments":{"expression":"call f()","context":"repl"}`, `"setVariable","arguments":{"variablesReference":1,"name":"x","value":"1"}`,
	`"restart"`, `"goto","arguments":{"threadId":1,"targetId":1}`, `"launch","arguments":{"program":"/bin/sh"}`, `"terminate"`, `"runInTerminal"`, `"no-such-request"`,
	`"writeMemory","arguments":{"memoryReference":"0x0","data":""}`, `"stackTrace","arguments":{"threadId":-1,"levels":99999999}`, `"variables","arguments":{"variablesReference":-7}`,
	`"pausetui/fixes"`, `"pausetui/decide","arguments":{"id":"c1","decision":"approve"}`, `"pausetui/decide","arguments":{"decision":"undo"}`,
	`"setFunctionBreakpoints","arguments":{"breakpoints":[{"name":"main.f"}]}`, `"setDataBreakpoints","arguments":{"breakpoints":[{"dataId":"x"}]}`,
	`"setInstructionBreakpoints","arguments":{"breakpoints":[{"instructionReference":"0x1"}]}`, `"setExceptionBreakpoints","arguments":{"filters":["all"]}`,
	`"setExpression","arguments":{"expression":"x","value":"1"}`, `"disassemble","arguments":{"memoryReference":"0x1","instructionCount":9}`,
	`"readMemory","arguments":{"memoryReference":"0x1","count":9}`, `"stepBack","arguments":{"threadId":1}`, `"cancel","arguments":{"requestId":2}`,
	`"completions","arguments":{"text":"x.","column":3}`, `"breakpointLocations","arguments":{"source":{"path":"/etc/passwd"},"line":1}`,
	`"threads"`, `"scopes","arguments":{"frameId":0}`, `"exceptionInfo","arguments":{"threadId":1}`, `"configurationDone"`, `"disconnect","arguments":{"terminateDebuggee":true}`,
}

func message(content string) string {
	return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(content), content)
}

// serve has a viewer's editor send bytes, and returns what reached the engine.
func serve(t *testing.T, sent []byte) []pairtest.Done {
	t.Helper()
	editor := func(ctx context.Context, seat *pair.Seat, conn net.Conn) {
		_ = dap.Serve(ctx, func(context.Context, dap.Client, dap.Config) (*pair.Seat, error) { return seat, nil }, dap.Options{Calls: true}, conn)
	}
	sent = append([]byte(message(`{"seq":1,"type":"request","command":"attach"}`)), sent...)
	return pairtest.Effects(t, pairtest.New(), pair.Newcomer{Name: "editor", Via: "editor"}, editor, sent)
}

func TestAViewersEditorHasNoEffect(t *testing.T) {
	for _, r := range requests {
		if got := serve(t, []byte(message(`{"seq":2,"type":"request","command":`+r+`}`))); len(got) > 0 {
			t.Errorf("%s: the engine heard %+v", r, got)
		}
	}
}

// FuzzEditor sends what no editor would: nothing reaches the engine, nothing
// hangs, nothing panics.
func FuzzEditor(f *testing.F) {
	for _, r := range requests {
		f.Add([]byte(message(`{"seq":1,"type":"request","command":` + r + `}`)))
	}
	f.Add([]byte("Content-Length: 99999999999999999999\r\n\r\n{}"))
	f.Add([]byte("Content-Length: -1\r\n\r\n{}"))
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Add([]byte(message(`{"seq":"x","type":5,"command":{}}`)))
	f.Fuzz(func(t *testing.T, sent []byte) {
		if got := serve(t, sent); len(got) > 0 {
			t.Errorf("the engine heard %+v", got)
		}
	})
}
