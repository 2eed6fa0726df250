//go:build linux

package delve

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// What a frame has still to call is known while a panic begins, with where it
// leads and where it was deferred.
func TestDeferredCallsOfAFrame(t *testing.T) {
	t.Parallel()
	target := launchWith(t, Config{Binary: fixture(t, "panics"), Args: []string{"nested"}, Panics: debugger.PanicsAll})
	stop := resume(t, target, debugger.Continue)
	frames, _, err := target.Stack(t.Context(), stop.Goroutine, debugger.StackQuery{Depth: 20, Defers: true})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(frames, func(f debugger.StackFrame) bool { return f.Function == "main.nested" })
	if i < 0 || len(frames[i].Defers) != 1 {
		t.Fatalf("frame %d of %+v", i, frames)
	}
	d := frames[i].Defers[0]
	if d.Err != "" || d.Call.Function != "main.cleanup" || d.At.Function != "main.nested" || !strings.HasSuffix(d.Call.File, "panics/main.go") || d.Call.Line <= d.At.Line {
		t.Errorf("deferred %+v", d)
	}
	_, err = target.Load(t.Context(), debugger.FrameRef{Goroutine: stop.Goroutine, Frame: i, Deferred: 9})
	if err == nil || strings.Count(err.Error(), "deferred calls") != 1 {
		t.Errorf("of a call that is not there: %v", err)
	}
}

func TestOriginAndAncestors(t *testing.T) {
	t.Parallel()
	target := launchWith(t, Config{Binary: fixture(t, "panics"), Args: []string{"other goroutine"}, Env: append(os.Environ(), "GODEBUG=tracebackancestors=5")})
	stop := resume(t, target, debugger.Continue)
	origin, err := target.Origin(t.Context(), stop.Goroutine)
	if err != nil || origin.By != 1 || !strings.HasPrefix(origin.At.Function, "main.init") || !strings.HasSuffix(origin.At.File, "panics/main.go") {
		t.Fatalf("started by %+v, %v", origin, err)
	}
	list, err := target.Ancestors(t.Context(), stop.Goroutine, 10, 10)
	if err != nil || len(list) != 1 || list[0].ID != 1 {
		t.Fatalf("ancestors %+v, %v", list, err)
	}
	at := slices.IndexFunc(list[0].Frames, func(f debugger.Frame) bool { return f.Function == origin.At.Function })
	if at < 0 || list[0].Frames[at].Line != origin.At.Line {
		t.Errorf("the go statement is in line %d, the ancestor's frames are %+v", origin.At.Line, list[0].Frames)
	}
	if origin, err := target.Origin(t.Context(), 1); err != nil || origin.At.File != "" {
		t.Errorf("the runtime starts the first one: %+v, %v", origin, err)
	}
	if _, err := target.Origin(t.Context(), 99999); err == nil {
		t.Error("a goroutine that there is not was started somewhere")
	}
}
