//go:build linux

package delve

import (
	"regexp"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// The linker escapes the dot in the path of a package; no other tool does.
func TestNamesAreUnescaped(t *testing.T) {
	t.Parallel()
	const pkg = "github.com/pausetui/pausetui/debugger/delve/testdata/ends/odd.v1"
	target := launch(t, "ends", "odd")
	if _, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{Location: strings.Replace(pkg, ".v1", "%2ev1", 1) + ".Last", OnReturn: true}); err != nil {
		t.Fatal(err)
	}
	stop := resume(t, target, debugger.Continue)
	for stop.Panic == nil && !stop.Ended() {
		stop = resume(t, target, debugger.Continue)
	}
	frame, _ := stop.SelectedFrame()
	if frame.Function != pkg+".(*Shape).Last" || stop.Frames[stop.Selected+1].Function != pkg+".Last" {
		t.Fatalf("frames %v", functions(stop.Frames))
	}
	for _, v := range frame.Variables() {
		if text := v.Type + " " + v.Value; strings.Contains(text, "%2e") || !strings.Contains(text, "odd.v1.") && v.Name == "s" {
			t.Errorf("%s: %s", v.Name, text)
		}
	}
	// what Delve is asked for has its own names
	again, err := target.Load(t.Context(), debugger.FrameRef{Goroutine: stop.Goroutine, Frame: stop.Selected})
	if err != nil || len(again.Args) != 1 {
		t.Fatal(err)
	}
	if children, err := target.Children(t.Context(), debugger.FrameRef{Goroutine: stop.Goroutine, Frame: stop.Selected}, again.Args[0], debugger.Page{}); err != nil || len(children) == 0 {
		t.Errorf("children %v, %v", children, err)
	}
	pattern := strings.ReplaceAll(linkerPattern(stop.Frames[stop.Selected+1].Function), `\/`, "/")
	if !regexp.MustCompile("^" + pattern + "$").MatchString(strings.Replace(pkg, ".v1", "%2ev1", 1) + ".Last") {
		t.Errorf("pattern %s", pattern)
	}
}
