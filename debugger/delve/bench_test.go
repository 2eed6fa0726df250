//go:build linux

package delve

import (
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/goroutines"
)

// BenchmarkStop measures from Launch to the stop at a panic with its frames
// and variables, and the parts of it.
func BenchmarkStop(b *testing.B) {
	config := Config{Binary: fixture(b, "panics"), Args: []string{"nil map"}, UserDirs: []string{testdata(b)}}
	var launched, stopped, closed time.Duration
	for b.Loop() {
		start := time.Now()
		target, err := Launch(b.Context(), config)
		if err != nil {
			b.Fatal(err)
		}
		launched += time.Since(start)
		stop, err := target.Resume(b.Context(), debugger.Continue)
		if err != nil {
			b.Fatal(err)
		}
		stopped += time.Since(start)
		if frame, ok := stop.SelectedFrame(); !ok || len(frame.Args) == 0 {
			b.Fatalf("no variables: %+v", frame)
		}
		begin := time.Now()
		if err := target.Close(); err != nil {
			b.Fatal(err)
		}
		closed += time.Since(begin)
	}
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 / float64(b.N) }
	b.ReportMetric(ms(launched), "ms-to-launch")
	b.ReportMetric(ms(stopped), "ms-to-stop")
	b.ReportMetric(ms(closed), "ms-to-close")
}

// BenchmarkLaunch measures what the modes cost a start.
func BenchmarkLaunch(b *testing.B) {
	for _, name := range []string{"panics", "serves"} {
		for _, mode := range []debugger.PanicMode{debugger.PanicsUnrecovered, debugger.PanicsAuto} {
			b.Run(name+"/"+string(mode), func(b *testing.B) {
				config := Config{Binary: fixture(b, name), Args: []string{"handler"}, UserDirs: []string{testdata(b)}, Panics: mode}
				for b.Loop() {
					target, err := Launch(b.Context(), config)
					if err != nil {
						b.Fatal(err)
					}
					if err := target.Close(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkGoroutines measures, with a hundred thousand of them, the first page
// at a stop and the reading of all, and what Delve's own listing takes.
func BenchmarkGoroutines(b *testing.B) {
	target := launch(b, "crowd", "crowd", "100000")
	resume(b, target, debugger.Continue)
	read := func(b *testing.B, plain bool, all bool) {
		for b.Loop() {
			target.Known.Listing = nil
			goroutines.CurrentListing(b.Context(), target.Lister).Plain = plain
			for n := 0; ; {
				page, more, err := target.Goroutines(b.Context(), debugger.Page{Start: n, Count: 500})
				if err != nil {
					b.Fatal(err)
				}
				if n += len(page); !more || !all {
					break
				}
			}
		}
	}
	b.Run("first", func(b *testing.B) { read(b, false, false) })
	b.Run("all", func(b *testing.B) { read(b, false, true) })
	b.Run("delve/first", func(b *testing.B) { read(b, true, false) })
	b.Run("delve/all", func(b *testing.B) { read(b, true, true) })
	b.Run("waits", func(b *testing.B) {
		target.Known.Listing = nil
		for b.Loop() {
			if _, err := target.Waits(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
