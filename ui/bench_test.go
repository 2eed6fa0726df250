package ui

import (
	"fmt"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// BenchmarkFrame is one key and one frame at 200×60 with a million lines of
// output and 100,000 goroutines.
func BenchmarkFrame(b *testing.B) {
	f := sceneProved()
	for i := range 1_000_000 {
		fmt.Fprintf(f.out, "line %d of what the target printed\n", i)
	}
	for i := range 100_000 {
		f.inspect.goroutines = append(f.inspect.goroutines, debugger.Goroutine{ID: debugger.GoroutineID(100 + i), State: "waiting", WaitReason: "sleep",
			User: debugger.Frame{Function: "main.worker", File: "/w/worker.go", Line: 30 + i%40}})
	}
	s := play(b, f, 200, 60)
	keys := []string{"1", "j", "2", "k", "3", "j", "4", "j", "5", "k", "6", "j"}
	b.ResetTimer()
	for i := range b.N {
		s.Update(keyPress(keys[i%len(keys)]))
		s.View()
	}
}
