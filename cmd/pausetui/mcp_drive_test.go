package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pausetui/pausetui/internal/testsupport"
)

const countingProgram = `package main

import (
	"fmt"
	"os"
	"time"
)

type counter struct{ n int }

func (c *counter) add(i int) int {
	c.n += i
	return c.n
}

func main() {
	c := &counter{}
	password := "meadowlark"
	for i := range 10 {
		c.add(i)
	}
	if len(os.Args) > 1 {
		for {
			time.Sleep(10 * time.Millisecond)
		}
	}
	fmt.Println(c.n, len(password))
	os.Exit(c.n % 7)
}
`

// at is where a tool says that the program is held.
type at struct {
	Phase, Reason, Place, Error string
	Exit                        *int
}

// held calls a tool that runs the program.
func held(t *testing.T, s *mcp.ClientSession, name string, args map[string]any) (at, string) {
	t.Helper()
	text, ok := call(t, s, name, args)
	var out struct{ Status at }
	if err := json.Unmarshal([]byte(text), &out); !ok || err != nil {
		t.Fatalf("%s %v: %s", name, args, text)
	}
	return out.Status, text
}

// In a session of its own an agent runs the program: to places, by conditions, in steps,
// again.
func TestAnAgentRunsItsProgram(t *testing.T) {
	t.Parallel()
	dir := program(t, countingProgram)
	s := agent(t, dir, "--offline")
	got, _ := held(t, s, "start", map[string]any{"break": []string{"main.go:12 if i == 4"}})
	if got.Reason != "breakpoint" || got.Place != "main.go:12" {
		t.Fatalf("the first stop: %+v", got)
	}
	if text, _ := call(t, s, "eval", map[string]any{"expr": "c.n"}); !strings.Contains(text, "c.n = 6") {
		t.Errorf("eval: %s", text)
	}
	if text, ok := call(t, s, "set_variable", map[string]any{"name": "c.n", "value": "100"}); !ok {
		t.Errorf("set: %s", text)
	}
	if got, text := held(t, s, "step", nil); got.Place != "main.go:13" || !strings.Contains(text, "n: 104") {
		t.Errorf("step: %+v %s", got, text)
	}
	if got, text := held(t, s, "step", map[string]any{"how": "out"}); got.Place != "main.go:20" || !strings.Contains(text, "104") {
		t.Errorf("step out: %+v %s", got, text)
	}
	if text, ok := call(t, s, "disassemble", map[string]any{"location": "main.(*counter).add"}); !ok || !strings.Contains(text, "main.go:12") {
		t.Errorf("disassemble: %s", text)
	}
	text, ok := call(t, s, "breakpoint", map[string]any{"change": 1, "condition": "c.n > 110"})
	if !ok || !strings.Contains(text, `"condition":"c.n \u003e 110"`) {
		t.Errorf("breakpoint: %s", text)
	}
	for _, args := range []map[string]any{{"location": "main.go:24", "condition": `password[0] == 'm'`}, {"location": "no.go:1"}, {"location": "main.go:12", "condition": "c.add(1) > 1"}} {
		if text, ok := call(t, s, "breakpoint", args); ok {
			t.Errorf("%v: %s", args, text)
		}
	}
	if text, ok := call(t, s, "start", map[string]any{"break": []string{"main.main if password[0] == 'm'"}}); ok || !strings.Contains(text, "name of a secret") {
		t.Errorf("a condition of a secret: %s", text)
	}
	if got, _ = held(t, s, "start", map[string]any{"break": []string{"main.main"}}); got.Reason != "breakpoint" {
		t.Fatalf("again: %+v", got)
	}
	if got, _ = held(t, s, "continue", map[string]any{"to": "main.go:22"}); got.Place != "main.go:22" {
		t.Errorf("run to: %+v", got)
	}
	if got, _ = held(t, s, "restart", map[string]any{"args": []string{"on"}}); got.Reason != "breakpoint" {
		t.Errorf("restart: %+v", got)
	}
	if got, _ = held(t, s, "continue", map[string]any{"seconds": 1}); got.Phase != "running" {
		t.Errorf("continue: %+v", got)
	}
	if got, _ = held(t, s, "pause", nil); got.Reason != "halt" {
		t.Errorf("pause: %+v", got)
	}
	if got, _ = held(t, s, "restart", map[string]any{"args": []string{}}); got.Reason != "breakpoint" {
		t.Errorf("restart: %+v", got)
	}
	got, text = held(t, s, "continue", nil)
	if got.Phase != "exited" || got.Exit == nil || *got.Exit != 45%7 || !strings.Contains(text, "45 10") {
		t.Errorf("the end: %+v %s", got, text)
	}
}

// An agent attaches to a process that runs a program of the module; it runs on.
func TestAnAgentAttaches(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := program(t, countingProgram)
	build := exec.Command("go", "build", "-gcflags=all=-N -l", "-o", "app", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	cmd := exec.Command(filepath.Join(dir, "app"), "on")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	s := agent(t, dir, "--offline")
	got, _ := held(t, s, "start", map[string]any{"mode": "attach", "pid": cmd.Process.Pid})
	if got.Phase != "stopped" {
		t.Errorf("attach: %+v", got)
	}
	if got, _ = held(t, s, "start", map[string]any{"mode": "exec", "binary": "app"}); got.Phase != "exited" {
		t.Errorf("exec: %+v", got)
	}
}
