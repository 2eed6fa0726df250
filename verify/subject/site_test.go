package subject

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/source/workspace"
)

// Two maps that are shared in one function are not the same if a dependency's code uses one.
func TestAnotherMapIsAnotherFault(t *testing.T) {
	v := &Target{Subject: Subject{Workspace: workspace.Workspace{Modules: []workspace.Module{{Path: "example.com/m", Dir: "/m"}}}}}
	frames := func(functions ...string) (list []debugger.Frame) {
		for _, f := range functions {
			file := "/goroot/src/" + f
			if strings.HasPrefix(f, "main.") {
				file = "/m/main.go"
			}
			list = append(list, debugger.Frame{Function: f, File: file})
		}
		return list
	}
	direct := frames("internal/runtime/maps.fatal", "runtime.mapassign", "main.(*stats).record")
	throughStd := frames("runtime.mapiternext", "maps.Copy[...]", "main.(*stats).record")
	through := frames("runtime.mapassign", "github.com/x/lru.(*Cache).Add", "main.(*stats).record")
	s := Site{Class: debugger.ConcurrentMap, Function: "main.(*stats).record", within: dependency(direct, v.Own)}
	for _, tt := range []struct {
		frames []debugger.Frame
		same   bool
	}{{direct, true}, {throughStd, true}, {through, false}} {
		c := crash.Crash{Class: debugger.ConcurrentMap, Fatal: true, Goroutines: []crash.Goroutine{{Frames: tt.frames}}}
		if got := v.At(s, c); got != tt.same {
			t.Errorf("%v: %v", tt.frames[1].Function, got)
		}
	}
}

// TestALineOfAFailureStaysHere: a fix that fails on one line, or in one function, for each
// character of a constant would tell the constant.
func TestALineOfAFailureStaysHere(t *testing.T) {
	frame := func(function, file string, line int) debugger.Frame {
		return debugger.Frame{Function: function, File: file, Line: line}
	}
	v := &Target{Subject: Subject{Workspace: workspace.Workspace{Modules: []workspace.Module{{Path: "example.com/m", Dir: "/m"}}},
		Stop: debugger.Stop{Frames: []debugger.Frame{frame("runtime.panicmem", "/go/src/runtime/panic.go", 9), frame("main.run[int]", "/m/main.go", 4)}}}}
	for _, f := range []debugger.Frame{frame("main.run[...]", "/m/main.go", 7), frame("main.run", "/m/other.go", 102)} {
		if got := v.PlaceOf(f); got != " in main.run" {
			t.Errorf("%q of %v", got, f)
		}
	}
	other := v.PlaceOf(frame("main.a", "/m/main.go", 7))
	for _, f := range []debugger.Frame{frame("main.b", "/m/main.go", 8), frame("runtime.panicmem", "/go/src/runtime/panic.go", 9)} {
		if got := v.PlaceOf(f); got != other {
			t.Errorf("%q of %v", got, f)
		}
	}
}
