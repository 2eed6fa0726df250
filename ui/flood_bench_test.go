package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/ui/updates"
)

// BenchmarkKeyInAFlood is a key and its frame at 120×36 while the target prints as fast
// as it can: lines, and a screen that it draws.
func BenchmarkKeyInAFlood(b *testing.B) {
	piece := []byte(strings.Repeat("a row of the flood with some words in it, and a number 123456\n", 500))
	for _, c := range []struct{ name, first string }{{"lines", ""}, {"screen", "\x1b[?1049h\x1b[2J"}} {
		b.Run(c.name, func(b *testing.B) {
			f := sceneRunning()
			f.out.Emulate(120, 30, func(string) {})
			fmt.Fprint(f.out, c.first)
			s := play(b, f, 120, 36)
			ended := make(chan struct{})
			var writer sync.WaitGroup
			writer.Go(func() {
				for {
					select {
					case <-ended:
						return
					default:
						_, _ = f.out.Write(piece)
						f.setLive(func(l *live.State) { l.OutputV++ })
					}
				}
			})
			ctx, cancel := context.WithCancel(b.Context())
			count := make(chan tea.Msg)
			writer.Go(func() {
				updates.Pump(ctx, f, func(msg tea.Msg) {
					select {
					case count <- msg:
					case <-ctx.Done():
					}
				})
			})
			s.Update(<-count)
			var took []time.Duration
			keys := []string{"?", "esc"}
			for i := 0; b.Loop(); i++ {
				select {
				case msg := <-count:
					s.Update(msg)
					s.View()
				default:
				}
				began := time.Now()
				s.Update(keyPress(keys[i%len(keys)]))
				s.View()
				took = append(took, time.Since(began))
			}
			cancel()
			close(ended)
			writer.Wait()
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms/key")
		})
	}
}
