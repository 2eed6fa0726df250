package ui

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// All that wait are in a row, also those that wait for too many things to look at them
// one by one; a filter finds them, and leaves the name of the view.
func TestEveryGoroutineThatWaitsHasARow(t *testing.T) {
	f := sceneStopped()
	for i := range 200 {
		f.inspect.goroutines = append(f.inspect.goroutines, debugger.Goroutine{ID: debugger.GoroutineID(1000 + i), State: "waiting", WaitReason: "chan receive",
			WaitsOn: []uint64{0xc000 + 64*uint64(i)}, User: debugger.Frame{Function: "main.Sub", File: "/m/sub.go", Line: 9, User: true}})
	}
	f.inspect.goroutines = append(f.inspect.goroutines, debugger.Goroutine{ID: 2000, State: "waiting", WaitReason: "sleep",
		User: debugger.Frame{Function: "main.nap", File: "/m/nap.go", Line: 3, User: true}})
	s := play(t, f, 120, 36)
	s.press("4", "z", "v", "v", "v")
	for _, want := range []string{"? each for something of its own", "×200", "Sub sub.go:9", "for time, input or output", "nap nap.go:3", "by waits"} {
		if text := s.screenText(); !strings.Contains(text, want) {
			t.Fatalf("without %q:\n%s", want, text)
		}
	}
	for _, filter := range []string{"wait:chan", "func:Sub"} {
		s.press("/")
		s.Filtering.Line.Set("")
		for _, r := range filter {
			s.press(string(r))
		}
		s.press("enter")
		for _, want := range []string{"×200", "by waits, rows with " + filter} {
			if text := s.screenText(); !strings.Contains(text, want) || strings.Contains(text, "nap.go") {
				t.Errorf("%s: without %q:\n%s", filter, want, text)
			}
		}
	}
}
