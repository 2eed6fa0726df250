//go:build linux

package delve

import (
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// An awaited line is heard of once, and stops nobody; what the person wants there goes first.
func TestAwaitedLines(t *testing.T) {
	t.Parallel()
	file := filepath.Join(testdata(t), "ends", "main.go")
	line := debugger.Breakpoint{File: file, Line: lineOf(t, file, "sum := a + b")}
	nowhere := debugger.Breakpoint{File: file, Line: 1}
	for name, tt := range map[string]struct {
		before, after func(*Target)
		places        []debugger.Breakpoint
		refused       bool
		heard, gone   int
		stops         bool
	}{
		"hidden":                   {places: []debugger.Breakpoint{nowhere, line}, heard: 1},
		"no code":                  {places: []debugger.Breakpoint{nowhere}, refused: true},
		"the person's is there":    {before: func(target *Target) { set(t, target, line) }, places: []debugger.Breakpoint{line}, refused: true, stops: true},
		"the person's comes later": {after: func(target *Target) { set(t, target, line) }, places: []debugger.Breakpoint{line}, gone: 1, stops: true},
		"the person steps": {before: func(target *Target) {
			set(t, target, debugger.Breakpoint{Location: "main.main"})
			resume(t, target, debugger.Continue)
		}, after: func(target *Target) { resume(t, target, debugger.Next) }, places: []debugger.Breakpoint{line}, gone: 1},
		"replaced": {after: func(target *Target) {
			if err := target.AwaitLines(t.Context(), []debugger.Breakpoint{line}, func(bool) {}); err != nil {
				t.Error(err)
			}
		}, places: []debugger.Breakpoint{line}},
	} {
		t.Run(name, func(t *testing.T) {
			target := launch(t, "ends", "count")
			if tt.before != nil {
				tt.before(target)
			}
			heard, gone := 0, 0
			if err := target.AwaitLines(t.Context(), tt.places, func(come bool) {
				if come {
					heard++
				} else {
					gone++
				}
			}); (err != nil) != tt.refused {
				t.Fatal(err)
			}
			if tt.after != nil {
				tt.after(target)
			}
			if stop := resume(t, target, debugger.Continue); stop.Ended() == tt.stops || heard != tt.heard || gone != tt.gone {
				t.Errorf("heard %d times, given up %d times, %s", heard, gone, stop.Reason)
			}
		})
	}
}
