package pause

import (
	"context"
	"strings"
	"testing"
	"time"
)

func BenchmarkRun(b *testing.B) {
	ctx := context.Background()
	f := func(context.Context) (int, error) { return 1, nil }
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			_, _ = Run(ctx, "bench", "Measure", f)
		}
	})
	b.Run("options", func(b *testing.B) {
		for b.Loop() {
			_, _ = Run(ctx, "bench", "Measure", f, AsError(), Retry(3, time.Second))
		}
	})
}

// BenchmarkStored is a run under pausetui: a result of 1 kB.
func BenchmarkStored(b *testing.B) {
	under = newRun(b.TempDir())
	under.load.Do(func() {})
	tracking.Store(true)
	defer func() { under = nil; tracking.Store(false) }()
	text := strings.Repeat("x", 1000)
	f := func(context.Context) (string, error) { return text, nil }
	under.code = map[string]code{codePointer(f): {Hash: "a"}}
	for i := 0; b.Loop(); i++ {
		_, _ = Run(context.Background(), "bench", "Measure", f, Inputs(i))
	}
}
