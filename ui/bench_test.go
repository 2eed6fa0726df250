package ui

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// BenchmarkFrame is one key and one frame at 200×60 with a million lines of
// output and 100,000 goroutines.
func BenchmarkFrame(b *testing.B) {
	f := sceneProved()
	for i := range 1_000_000 {
		fmt.Fprintf(f.out, "line %d of what the program printed\n", i)
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

// BenchmarkStreaming is a page of 100,000 goroutines coming in, and the frame
// that shows it, at 200×60.
func BenchmarkStreaming(b *testing.B) {
	f := sceneProved()
	for i := range 100_000 {
		f.inspect.goroutines = append(f.inspect.goroutines, debugger.Goroutine{ID: debugger.GoroutineID(100 + i), Signature: uint64(i%200) + 1,
			State: "waiting", WaitReason: "sleep", User: debugger.Frame{Function: "main.worker", File: "/w/worker.go", Line: 30 + i%200}})
	}
	pages, frames := 0, []time.Duration{}
	for b.Loop() {
		s := play(b, sceneProved(), 200, 60)
		s.Ctx.Store.Stopped(7, debugger.Stop{Goroutines: 100_000})
		for g := s.Ctx.Store.Goroutines(); len(g.All) < len(f.inspect.goroutines); pages++ {
			page := f.inspect.goroutines[len(g.All) : len(g.All)+500]
			began := time.Now()
			g.Add(page, len(g.All)+500 < len(f.inspect.goroutines))
			s.Update(keyPress("4"))
			s.View()
			frames = append(frames, time.Since(began))
		}
	}
	slices.Sort(frames)
	b.ReportMetric(float64(frames[len(frames)/2].Microseconds())/1000, "ms/frame")
	b.ReportMetric(float64(frames[len(frames)*99/100].Microseconds())/1000, "p99-ms/frame")
}

// BenchmarkManyFixes is a key and a frame with 1,000 candidates at 140×40.
func BenchmarkManyFixes(b *testing.B) {
	f := sceneFixes()
	fail := func(id string) []session.Body {
		return []session.Body{candidate(id, "make the map", "It is nil.", qwen(), "\n}", "\n} // "+id),
			&session.Proved{Candidate: id, Verdict: verdict.Verdict{Checks: checks(verdict.Check{Name: verdict.Build, Status: verdict.Fail, Detail: "undefined: " + id})}}}
	}
	for i := range 1000 {
		f.add(fail(fmt.Sprintf("c%d", 100+i))...)
	}
	s := play(b, f, 140, 40)
	b.ResetTimer()
	for i := range b.N {
		s.Update(keyPress([]string{"6", "j", "k"}[i%3]))
		s.View()
	}
}
