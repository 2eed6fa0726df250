//go:build linux

package delve

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// stopInBody runs a fixture to its panic, in the body of a loop over a function.
func stopInBody(t *testing.T, args ...string) (*Target, debugger.FrameRef, debugger.Frame) {
	target := launch(t, "iterates", args...)
	stop := resume(t, target, debugger.Continue)
	f, ok := stop.SelectedFrame()
	if !ok || stop.Panic == nil {
		t.Fatalf("stopped: %+v", stop)
	}
	at := debugger.FrameRef{Goroutine: stop.Goroutine, Frame: f.Index}
	frame, err := target.Load(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	return target, at, frame
}

// The body of a loop over a function sees the variables around it, also at a panic.
func TestVariablesAroundALoopBody(t *testing.T) {
	t.Parallel()
	target, at, frame := stopInBody(t)
	var names []string
	for _, v := range frame.Locals {
		names = append(names, v.Name)
	}
	if got := strings.Join(names, " "); got != "words best total unused i j" {
		t.Errorf("variables: %s", got)
	}
	for expr, want := range map[string]string{"total": "1", "i + j": "2", "len(words) * i + total": "3", "unused": "3", "words[j]": "bb"} {
		if v, err := target.Evaluate(t.Context(), at, expr); err != nil || v.Value != want {
			t.Errorf("%s: %q, %v", expr, v.Value, err)
		}
	}
	if err := target.SetVariable(t.Context(), at, "total", "9"); err != nil {
		t.Error(err)
	}
	if v, err := target.Evaluate(t.Context(), at, "total"); err != nil || v.Value != "9" || v.Name != "total" {
		t.Errorf("total was set: %s = %q, %v", v.Name, v.Value, err)
	}
	if got := debugger.ShortFunction(frame.Function); got != "main.longest" {
		t.Errorf("the function is %s", got)
	}
}

// Of several calls of the function around it, the variables are those of the one
// whose loop it is.
func TestVariablesAroundALoopBodyOfARecursiveIterator(t *testing.T) {
	t.Parallel()
	target, at, _ := stopInBody(t, "tree")
	for expr, want := range map[string]string{"name": "a", "t.name": "a", "t.left.name": "a"} {
		if v, err := target.Evaluate(t.Context(), at, expr); err != nil || v.Value != want {
			t.Errorf("%s: %q, %v", expr, v.Value, err)
		}
	}
}
