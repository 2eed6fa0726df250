package fixer_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer"
)

// counting counts how often each expression is evaluated in each frame.
type counting struct {
	debugger.Inspector
	mu    sync.Mutex
	times map[string]int
}

func (c *counting) Evaluate(ctx context.Context, at debugger.FrameRef, expr string) (debugger.Variable, error) {
	c.mu.Lock()
	c.times[fmt.Sprint(at, " ", expr)]++
	c.mu.Unlock()
	return c.Inspector.Evaluate(ctx, at, expr)
}

// Who waits for whom is asked of each goroutine once, however many pairs of them there are.
func TestDeadlocksAreReadOnce(t *testing.T) {
	t.Parallel()
	const stages = 6
	var code strings.Builder
	code.WriteString("package main\n\n")
	for i := range stages {
		fmt.Fprintf(&code, "func take%d(in, out chan int) {\n\tfor v := range in {\n\t\tout <- v\n\t}\n\tclose(out)\n}\n\n", i)
		fmt.Fprintf(&code, "func give%d(in, out chan int) {\n\tout <- %d\n\t<-in\n}\n\n", i, i)
	}
	code.WriteString("func main() {\n\tfirst := make(chan int)\n\tin := first\n")
	for i := range stages {
		fmt.Fprintf(&code, "\tout%d, extra%d := make(chan int), make(chan int)\n\tgo take%d(in, out%d)\n\tgo give%d(out%d, extra%d)\n\tin = out%d\n", i, i, i, i, i, i, i, i)
	}
	code.WriteString("\t<-in\n\tclose(first)\n}\n")
	p := program{dir: t.TempDir(), pkg: "."}
	write(t, filepath.Join(p.dir, "go.mod"), "module example.com/fixture\n\ngo 1.25\n")
	write(t, filepath.Join(p.dir, "main.go"), code.String())
	s := p.pause(t)
	inspect := &counting{Inspector: s.Inspect, times: map[string]int{}}
	s.Inspect = inspect
	if _, _, err := fixer.Propose(t.Context(), s.Case); err != nil {
		t.Fatal(err)
	}
	if len(inspect.times) == 0 {
		t.Error("nothing was read")
	}
	for what, n := range inspect.times {
		if n > 2 {
			t.Errorf("%s was read %d times", what, n)
		}
	}
}
