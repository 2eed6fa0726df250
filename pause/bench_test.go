//go:build unix

package pause

import (
	"context"
	"crypto/sha256"
	"strings"
	"syscall"
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

// BenchmarkTenThousandBlocks is a run of 10,000 blocks that each work for about a
// millisecond and return 1 kB: what storing the results adds to the work, in
// processor time. Run is measured without the work, whose own time varies by more
// than that.
func BenchmarkTenThousandBlocks(b *testing.B) {
	const blocks = 10_000
	text := strings.Repeat("x", 1000)
	rounds := roundsOf(time.Millisecond)
	var worked time.Duration
	f := func(context.Context) (string, error) {
		began := processorTime(b)
		work(rounds)
		worked += processorTime(b) - began
		return text, nil
	}
	defer func() { under = nil; tracking.Store(false) }()
	around := func(to *run) time.Duration {
		under = to
		tracking.Store(to != nil)
		began, before := processorTime(b), worked
		for i := range blocks {
			if got, err := Run(context.Background(), "bench", "Measure", f, Inputs(i)); got != text || err != nil {
				b.Fatal(err)
			}
		}
		return processorTime(b) - began - (worked - before)
	}
	var plain, stored time.Duration
	for b.Loop() {
		r := newRun(b.TempDir())
		r.load.Do(func() {})
		r.code = map[string]code{codePointer(f): {Hash: "a"}}
		plain += around(nil)
		stored += around(r)
		if n := len(r.store.(*Directory).index); n != blocks {
			b.Fatalf("%d results are stored", n)
		}
	}
	runs := float64(b.N)
	b.ReportMetric(100*float64(stored-plain)/(float64(worked)/2), "%-added")
	b.ReportMetric(float64(worked.Microseconds())/(2*blocks*runs), "µs-work/block")
	b.ReportMetric(float64((stored-plain).Nanoseconds())/(blocks*runs), "ns-added/block")
}

// processorTime is what this process has used, its system calls included.
func processorTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// work is what a block does for a while.
func work(rounds int) {
	var sum [sha256.Size]byte
	for range rounds {
		sum = sha256.Sum256(sum[:])
	}
}

// roundsOf is how many rounds of work take so long.
func roundsOf(d time.Duration) int {
	fastest := time.Hour
	const some = 1000
	for range 100 {
		began := time.Now()
		work(some)
		fastest = min(fastest, time.Since(began))
	}
	return int(some * d / fastest)
}
