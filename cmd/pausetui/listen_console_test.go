package main

import (
	"strings"
	"testing"

	"github.com/google/go-dap"
)

// consoleProgram has variables that are called as commands are.
const consoleProgram = `package main

import "fmt"

type rect struct{ w, h int }

func (r rect) area() int { return r.w * r.h }

func double(n int) int { return 2 * n }

func main() {
	r, c, n := rect{3, 4}, make(chan string, 2), "one"
	c <- "first"
	ages := map[string]int{"ann": 31, "bob": 44}
	for i := range 4 {
		n += fmt.Sprint(i, len(ages))
	}
	fmt.Println(r.area(), n, double(2), len(c))
}
`

// evaluated is what the console, a watch or a hover answers, or why it does not.
func (e *dapClient) evaluated(context, expr string) (a dap.EvaluateResponseBody, refused string) {
	e.t.Helper()
	r := e.ask(&dap.EvaluateRequest{Request: e.request("evaluate"), Arguments: dap.EvaluateArguments{Expression: expr, Context: context}})
	if no, ok := r.(*dap.ErrorResponse); ok {
		return a, no.Message
	}
	return r.(*dap.EvaluateResponse).Body, ""
}

func TestAnEditorsConsole(t *testing.T) {
	t.Parallel()
	dir := program(t, consoleProgram)
	host, e := edit(t, dir, "--break", "main.go:18", ".")
	e.ask(&dap.ConfigurationDoneRequest{Request: e.request("configurationDone")})
	e.event("stopped")
	for _, tt := range []struct{ context, expr, want, kind string }{
		{"repl", "r", "main.rect{w: 3, h: 4}", "main.rect"},
		{"repl", "n", `"one0 21 22 23 2"`, "string"},
		{"watch", "len(ages)", "2", "int"},
		{"repl", "call double(4)", "8", "int"},
		{"repl", "call r.area()", "12", "int"},
	} {
		if a, refused := e.evaluated(tt.context, tt.expr); a.Result != tt.want || a.Type != tt.kind || refused != "" {
			t.Errorf("%s: %q, %s (%s); want %q, %s", tt.expr, a.Result, a.Type, refused, tt.want, tt.kind)
		}
	}
	for _, tt := range []struct{ context, expr, why string }{
		{"repl", "double(4)", "call double(4)"},
		{"hover", "double(4)", "calls = true"},
		{"repl", "restart", ":restart"},
		{"repl", "call absent(1)", "absent"},
		{"watch", "absent", "absent"},
	} {
		if a, refused := e.evaluated(tt.context, tt.expr); !strings.Contains(refused, tt.why) {
			t.Errorf("%s: %+v, %q; want %q", tt.expr, a, refused, tt.why)
		}
	}
	for expr, want := range map[string]string{"c": `"first"`, "ages": "31"} {
		a, _ := e.evaluated("watch", expr)
		list, ok := e.ask(&dap.VariablesRequest{Request: e.request("variables"), Arguments: dap.VariablesArguments{VariablesReference: a.VariablesReference}}).(*dap.VariablesResponse)
		if !ok || len(list.Body.Variables) == 0 || list.Body.Variables[0].Value != want {
			t.Errorf("%s opens to %+v", expr, list)
		}
	}
	if _, refused := e.evaluated("repl", "r.w = 7"); refused != "" {
		t.Error(refused)
	}
	if a, _ := e.evaluated("repl", "r.w"); a.Result != "7" {
		t.Errorf("r.w is %s", a.Result)
	}
	for _, m := range e.seen {
		if name := m.(dap.EventMessage).GetEvent().Event; name == "continued" || name == "stopped" {
			t.Errorf("a call has let the editor hear of %s", name)
		}
	}
	host.leave()
}
