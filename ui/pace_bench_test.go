//go:build unix

package ui

import (
	"context"
	"os"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/pausetui/pausetui/ui/frames"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/options"
)

// BenchmarkPace is a key, typed at intervals that fit no frame, until the frame
// that answers it is written; and what a screen at rest takes of a processor.
func BenchmarkPace(b *testing.B) {
	for _, fps := range []int{60, 120} {
		b.Run(strconv.Itoa(fps), func(b *testing.B) { benchmarkPace(b, fps) })
	}
}

func benchmarkPace(b *testing.B, fps int) {
	in, keys, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	f := sceneProved()
	keymap, err := keymap.New(nil)
	if err != nil {
		b.Fatal(err)
	}
	times := make(frameTimes, 100)
	dark := true
	opts := options.Screen{Input: in, Output: times, Dark: &dark, Clock: f.now, FPS: fps}
	out := frames.NewWriter(times, nil, nil)
	m := newModel(context.Background(), f, opts, keymap)
	m.Paint, m.ticking = out, true
	program := tea.NewProgram(m, append(options.Program(opts, out), tea.WithWindowSize(120, 36))...)
	m.Pace = frames.NewPace(program, fps)
	out.Painted = m.Pace.Painted
	done := make(chan error, 1)
	go func() {
		_, err := program.Run()
		done <- err
	}()
	program.Send(f.update())
	time.Sleep(time.Second)
	var answers []time.Duration
	for i := 0; b.Loop(); i++ {
		time.Sleep(53*time.Millisecond + time.Duration(i%17)*time.Millisecond)
		for len(times) > 0 {
			<-times
		}
		began := time.Now()
		_, _ = keys.WriteString(strconv.Itoa(3 + i%2)) // another pane gets the focus
		select {
		case at := <-times:
			answers = append(answers, at.Sub(began))
		case <-time.After(time.Second):
			b.Fatal("a key is not answered")
		}
	}
	time.Sleep(time.Second) // until it is at rest
	began, used := time.Now(), processorTime()
	time.Sleep(3 * time.Second)
	idle := float64(processorTime()-used) / float64(time.Since(began))
	program.Quit()
	if err := <-done; err != nil {
		b.Fatal(err)
	}
	keys.Close()
	slices.Sort(answers)
	b.ReportMetric(float64(answers[len(answers)/2].Microseconds())/1000, "ms/answer")
	b.ReportMetric(100*idle, "%idle")
}

// frameTimes is an output that tells when frames are written.
type frameTimes chan time.Time

func (f frameTimes) Write(p []byte) (int, error) {
	select {
	case f <- time.Now():
	default:
	}
	return len(p), nil
}

// processorTime is how long this process has computed.
func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
