package engine

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/agent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/prompts/redact"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
)

// vault crashes with a token, a password and much text in its hands.
const vault = `
-- go.mod --
module example.org/vault

go 1.26
-- main.go --
package main

import (
	"os"
	"strings"
)

type config struct {
	APIKey string
	Port   int
	Extra  map[string]string
}

type addr *byte

var (
	nameList [300]string
	noList   [300]*int
)

func open(c *config, password []byte, page, line string, n int) byte {
	names, nothing := nameList[:], noList[:]
	if len(names) != len(nothing) {
		return 0
	}
	return page[n]
}

func main() {
	c := &config{APIKey: "sk-" + strings.Repeat("a7Qx", 6), Port: 8080, Extra: map[string]string{"password": "tr0ub4dor"}}
	page := strings.Repeat("a line of text. ", 100) + "token=" + c.APIKey + strings.Repeat(" more text.", 100)
	println(len(os.Args), open(c, []byte("swordfish-77"), page, "plain words", len(page)))
	var a addr
	_ = a
}
`

// A model that asks for a secret in parts gets none of them; of what is no
// secret, it gets what it asks for.
func TestASecretIsNotReadInParts(t *testing.T) {
	t.Parallel()
	call := func(expr string) llm.Call { return use("eval", "expr", expr) }
	model := &prober{answers: []llm.Answer{
		{Calls: []llm.Call{call("c.APIKey[0:8]"), call("c.APIKey[8:16]"), call("c.APIKey[16:24]"), call("runtime.envs"), call("c.Port")}},
		{Text: "I do not know."},
	}}
	p := play(t, options.Session{Target: options.Target{Dir: module(t, vault), Env: []string{"VAULT_TOKEN=tok-of-the-environment"}}, Fixes: options.Fixes{AskAtOnce: true, MaxRounds: -1,
		Profiles: []options.Profile{{Name: "test", Source: "scripted", Provider: model, Model: "prober", Prompt: "investigate"}}}})
	s := p.until("it has looked", crashed)
	stop, _ := s.CurrentStop()
	p.until("it was answered", func(session.State) bool { return len(model.requests()) >= 2 })
	sent := ""
	for _, m := range model.requests()[1].Messages {
		if m.Role == "tool" {
			sent += m.Text + "\n"
		}
	}
	if strings.Contains(sent, "a7Qx") || !strings.Contains(sent, "taken from a secret") || !strings.Contains(sent, "c.Port = 8080") || strings.Contains(sent, "tok-of-the") {
		t.Errorf("sent: %s", sent)
	}

	screen := prompts.NewScreen(redact.New(redact.Settings{Entropy: true, Names: []string{"line"}}, os.Environ()))
	tools := agent.New(screen.Guarded(evidence.Case{Stop: stop.Stop, Inspect: p.engine.inspection.HeldInspector(), Workspace: s.Started.Workspace}), screen)
	eval := func(expr string, frame int) string {
		text, err := tools.Call(t.Context(), llm.Call{Name: agent.Eval, Arguments: map[string]any{"expr": expr, "frame": frame}})
		return fmt.Sprint(text, err)
	}
	culprit := stop.Stop.Panic.Culprit
	for _, expr := range []string{
		"c.APIKey", "c.APIKey[3]", "c.APIKey[3:7]", "(*c).APIKey[2:][2:6]", "[]byte(c.APIKey)[4]", "string([]byte(c.APIKey)[4:8])", "c.APIKey + \"x\"", "c.APIKey[0] == 115",
		"c.APIKey > \"sk-b\"", "int(c.APIKey[5])", "min(c.APIKey, \"sk-b\")", `c.Extra["password"]`, `c.Extra["password"][0:3]`, "password", "password[0:4]", "password[0]", "string(password[1:4])",
		"len(page[:int(password[0])])", "cap([]byte(page)[int(password[0]):])", "len(page[int(c.APIKey[3])-90:])", "names[int(password[0])] == \"\"", "nothing[int(password[0])] == nil",
		"nothing[int(password[0])]", "nil != nothing[int(password[0])]", "len(names[int(password[0])])", "n/(int(password[0])-115)", "n/(int(password[0])-114)", "names[int(password[0])*99]", "*nothing[int(password[0])]",
		"c.Extra[string(password[0:1])]", "len(c.Extra[c.APIKey])", "len(string(int(password[0])*100))", "len(page[:int(line[0])])", "len(min(c.APIKey, \"sk-b\"))", "len(page[:len(names[int(password[1])])])",
		"page[1606:1612]", "page[1610]", "page[1600:][6:12]", "[]byte(page)[1610]", "line[0:3]", "line[0]", "string(line[1])",
	} {
		got := eval(expr, culprit)
		if !strings.Contains(got, "taken from a secret") && !strings.Contains(got, "[redacted ") && !strings.Contains(got, "[hidden by") && !strings.Contains(got, "can not") && !strings.Contains(got, "cannot") {
			t.Errorf("%s: %s", expr, got)
		}
	}
	for _, expr := range []string{"(*byte)(0xc000000000)", "*(*string)(0xc000012345)", "*(*int)(824634302464)", "unsafe.Pointer(uintptr(1))", "runtime.envs", `"runtime".envs[0]`, "(runtime).envs", "syscall.envs",
		`"syscall".envs`, "`run" + "time`.envs", `"run\x74ime".envs`, "syscall.env[\"PATH\"]", "os.Args", `"os".Args[0]`, "runtime.argv", "len(runtime.envs[0])"} {
		if got := eval(expr, culprit); !strings.Contains(got, "cannot be read") {
			t.Errorf("%s: %s", expr, got)
		}
	}
	frames, _, err := p.engine.inspection.HeldInspector().Frames(t.Context(), stop.Stop.Goroutine, debugger.Page{Count: 50})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range frames {
		if strings.HasPrefix(f.Function, "runtime.") {
			if got := eval("envs", f.Index); !strings.Contains(got, "cannot be read") {
				t.Errorf("envs in %s: %s", f.Function, got)
			}
		}
	}
	for expr, want := range map[string]string{"c.Port": "8080", "len(c.APIKey)": "27", `c.APIKey == ""`: "false", "page[0:6]": "a line", "n": "2733", "len(password)": "12", "len(password[0:3])": "3", "len([]byte(c.APIKey))": "27", "nothing[3] == nil": "true", "nothing[n-2733]": "nil", "len(names[n-2733:])": "300", "n/(n-n)": "divide by zero", "c.Port + 1": "8081"} {
		if got := eval(expr, culprit); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", expr, got, want)
		}
	}
}
