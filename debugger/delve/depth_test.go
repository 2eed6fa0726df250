//go:build linux

package delve

import (
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/convert"
)

// Of values that lead to many others, all elements are read, and a few of them deep; at a
// crash one level deep.
func TestFewOfManyValuesAreReadDeep(t *testing.T) {
	target := launch(t, "linked")
	if _, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{Location: "main.look"}); err != nil {
		t.Fatal(err)
	}
	readDeep(t, target, resume(t, target, debugger.Continue), 600)
	readDeep(t, target, resume(t, target, debugger.Continue), 6000)
}

func readDeep(t *testing.T, target *Target, stop debugger.Stop, most int) {
	t.Helper()
	frame, ok := stop.SelectedFrame()
	if !ok || frame.Function != "main.look" {
		t.Fatalf("stopped in %v", functions(stop.Frames))
	}
	var count func(v debugger.Variable) int
	count = func(v debugger.Variable) int {
		n := 1
		for _, c := range v.Children {
			n += count(c)
		}
		return n
	}
	nodes := find(t, frame, "nodes")
	if len(nodes.Children) != convert.ArrayLoad {
		t.Errorf("%d of the elements are read", len(nodes.Children))
	}
	if n := count(nodes); n > most {
		t.Errorf("%d values are read", n)
	}
	third := nodes.Children[2].Children[0] // what it points to
	if near := third.Children[1]; near.Name != "Near" || len(near.Children) != 2 {
		t.Errorf("the third is read as %+v", third)
	}
	near, err := target.Evaluate(t.Context(), debugger.FrameRef{Goroutine: stop.Goroutine, Frame: frame.Index}, "nodes[40].Near")
	if err != nil || len(near.Children) != 40 {
		t.Errorf("of the 40th, %d are read: %v", len(near.Children), err)
	}
}
