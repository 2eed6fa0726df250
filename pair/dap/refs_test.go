package dap

import (
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// An editor that looks on cannot take all memory by asking for the same again.
func TestNumbersOfAStopAreBounded(t *testing.T) {
	r := newRefs()
	for range 2 * maxRefs {
		r.frame(debugger.FrameRef{})
		r.value(container{})
	}
	if len(r.frames) > maxRefs || len(r.values) > maxRefs || r.value(container{}) != 0 {
		t.Errorf("%d frames and %d values have numbers", len(r.frames), len(r.values))
	}
	if _, err := r.valueOf(0); err == nil {
		t.Error("there is a value 0")
	}
	if r.forget(); r.value(container{}) != 1 {
		t.Error("nothing has a number at the next stop")
	}
}
