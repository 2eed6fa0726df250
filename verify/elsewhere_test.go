package verify

import (
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/workspace"
)

// TestALineOfAFailureStaysHere: a fix that fails on one line, or in one function, for each
// character of a constant would tell the constant.
func TestALineOfAFailureStaysHere(t *testing.T) {
	frame := func(function, file string, line int) debugger.Frame {
		return debugger.Frame{Function: function, File: file, Line: line}
	}
	v := &target{subject: Subject{Workspace: workspace.Workspace{Modules: []workspace.Module{{Path: "example.com/m", Dir: "/m"}}},
		Stop: debugger.Stop{Frames: []debugger.Frame{frame("runtime.panicmem", "/go/src/runtime/panic.go", 9), frame("main.run[int]", "/m/main.go", 4)}}}}
	for _, f := range []debugger.Frame{frame("main.run[...]", "/m/main.go", 7), frame("main.run", "/m/other.go", 102)} {
		if got := v.placeOf(f); got != " in main.run" {
			t.Errorf("%q of %v", got, f)
		}
	}
	other := v.placeOf(frame("main.a", "/m/main.go", 7))
	for _, f := range []debugger.Frame{frame("main.b", "/m/main.go", 8), frame("runtime.panicmem", "/go/src/runtime/panic.go", 9)} {
		if got := v.placeOf(f); got != other {
			t.Errorf("%q of %v", got, f)
		}
	}
}
