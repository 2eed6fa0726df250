package index_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/pausetui/pausetui/bench/perf/manysessions"
	"github.com/pausetui/pausetui/session/index"
)

// manyLogs makes a directory of sessions of 100 KB each. PAUSETUI_SESSIONS says
// how many; 500 without.
func manyLogs(b *testing.B) (dir string, bytes int64) {
	b.Helper()
	n := 500
	if text := os.Getenv("PAUSETUI_SESSIONS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	dir = b.TempDir()
	bytes, err := manysessions.Make(dir, kept, 0, n, 100<<10)
	if err != nil {
		b.Fatal(err)
	}
	return dir, bytes
}

// timed runs a benchmark and also reports the processor time of each run, which
// other programs on the machine do not lengthen much.
func timed(b *testing.B, do func()) {
	before := processorTime(b)
	for b.Loop() {
		do()
	}
	b.ReportMetric(float64((processorTime(b)-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
}

func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peak is the largest memory of this process so far, in bytes.
func peak(b *testing.B) int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u.Maxrss << 10
}

func BenchmarkFirstRefresh(b *testing.B) {
	dir, bytes := manyLogs(b)
	b.SetBytes(bytes)
	n := 0
	timed(b, func() {
		n++
		x, err := index.Open(b.Context(), filepath.Join(b.TempDir(), fmt.Sprint(n, ".db")), dir)
		if err != nil {
			b.Fatal(err)
		}
		refreshed(b, x)
		_ = x.Close()
	})
	b.ReportMetric(float64(peak(b)>>20), "MB-peak")
}

func BenchmarkWarm(b *testing.B) {
	dir, _ := manyLogs(b)
	path := filepath.Join(b.TempDir(), "sessions.db")
	x := openAt(b, path, dir)
	refreshed(b, x)
	q, err := index.ParseQuery("nil map class:nil*", time.Now())
	if err != nil {
		b.Fatal(err)
	}
	b.Run("open and list", func(b *testing.B) {
		timed(b, func() {
			x, err := index.Open(b.Context(), path, dir)
			if err != nil {
				b.Fatal(err)
			}
			if _, _, err := x.Search(b.Context(), index.Query{}, 500, 0); err != nil {
				b.Fatal(err)
			}
			_ = x.Close()
		})
	})
	b.Run("search", func(b *testing.B) {
		timed(b, func() {
			if _, _, err := x.Search(b.Context(), q, 500, 0); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("stats", func(b *testing.B) {
		timed(b, func() {
			if _, err := x.Stats(b.Context(), index.Query{}); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("refresh", func(b *testing.B) {
		timed(b, func() {
			refreshed(b, x)
		})
	})
}
