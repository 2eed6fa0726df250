package mcp_test

import (
	"context"
	"net"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/pair/mcp"
	"github.com/pausetui/pausetui/pair/pairtest"
	"github.com/pausetui/pausetui/session"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// serve has an agent send lines, and returns what reached the engine but for
// notes. Another participant is in, and goes on.
func serve(t *testing.T, sent []byte) []pairtest.Done {
	t.Helper()
	e := pairtest.New()
	e.OnDo = func(by intent.Author, i intent.Intent) {
		if _, proposed := i.(intent.Propose); proposed {
			e.Add("engine", &session.Notice{Level: "error", Text: "nothing is under review", To: by.Name})
		}
	}
	agent := func(ctx context.Context, seat *pair.Seat, conn net.Conn) {
		_ = mcp.Serve(ctx, seat, mcp.Options{}, conn, conn)
	}
	return pairtest.Effects(t, e, pair.Newcomer{Name: "agent", Via: "agent", Agent: true}, agent, sent)
}

// FuzzAgent sends what no agent would: no intent but notes and proposals reaches
// the engine, nobody else notices, nothing hangs, nothing panics.
func FuzzAgent(f *testing.F) {
	call := func(name, arguments string) string {
		return hello + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"` + name + `","arguments":` + arguments + "}}\n"
	}
	for _, name := range []string{"status", "values", "candidate", "propose_patch", "past_sessions", "ask_approval", "apply", "note", "no_such_tool", "wait", "context", "continue", "step", "restart", "breakpoint", "set_variable", "disassemble", "start", "join"} {
		f.Add([]byte(call(name, `{"id":"c1","reason":"x","text":"\u001b[2J","title":"x","files":{"../x.go":"x"}}`)))
	}
	for _, line := range []string{`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}`,
		`{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"pausetui://session/log"}}`, `[]`, `{"jsonrpc":"1.0"}`, `{"id":{}}`, `{"jsonrpc":"2.0","id":2,"result":{}}`,
		`{"jsonrpc":"2.0","method":"notifications/canceled","params":{"requestId":1}}`, strings.Repeat("[", 10_000)} {
		f.Add([]byte(hello + line + "\n"))
		f.Add([]byte(line + "\n"))
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		for _, d := range serve(t, sent) {
			switch d.Intent.(type) {
			case intent.Propose, intent.Dismiss:
			default:
				t.Errorf("the engine heard %+v", d)
			}
		}
	})
}
