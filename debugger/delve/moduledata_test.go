//go:build linux

package delve

import (
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// The first interface that is looked at after the target ran may be in registers.
func TestAnInterfaceInRegistersIsRead(t *testing.T) {
	t.Parallel()
	target := launchWith(t, Config{Binary: fixture(t, "moves"), Args: []string{"calls"}})
	set(t, target, debugger.Breakpoint{Location: "fmt.(*pp).printArg"})
	stop := resume(t, target, debugger.Continue)
	frame, err := target.Load(t.Context(), debugger.FrameRef{Goroutine: stop.Goroutine})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range frame.Args {
		if v.Name == "arg" && v.Unreadable == "" && v.Deref().Type == "int" {
			return
		}
	}
	t.Errorf("stopped for %s in %+v", stop.Reason, frame)
}
