package target

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/engine/loop/looptest"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/pty"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/sandbox"
)

func TestPausesOfTypedInputAreCutDown(t *testing.T) {
	typed := []session.Input{{After: time.Minute, Text: "a"}, {After: time.Minute + 100*time.Millisecond, Text: "b"}, {After: time.Hour, Text: "\x04"}}
	quick, saved := Hurried(typed)
	want := []session.Input{{After: MaxPause, Text: "a"}, {After: MaxPause + 100*time.Millisecond, Text: "b"}, {After: 2*MaxPause + 100*time.Millisecond, Text: "\x04"}}
	if !slices.Equal(quick, want) || saved != time.Hour-want[2].After {
		t.Errorf("%v, saved %v", quick, saved)
	}
}

// However late the engine comes to it, the terminal has its size before anything is typed.
// Only a change of the size takes a pause, for the program to draw.
func TestTheSizeComesBeforeTheInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const busy = 2 * MaxPause
		rn := &Runner{Loop: looptest.New(t, options.Session{})}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		master, slave, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer master.Close()
		defer slave.Close()
		keys := []session.Input{{Cols: pty.Cols, Rows: pty.Rows}, {Cols: 100, Rows: 30}, {Cols: 100, Rows: 30}, {Cols: 70, Rows: 20}}
		r := &Round{Ctx: ctx, Console: &Terminal{Master: master, typed: make(chan string, len(keys))}, Buffer: output.New(0, nil), Pending: keys, sizes: sizes{Opened: sandbox.Size{Cols: pty.Cols, Rows: pty.Rows}}}
		r.Buffer.Emulate(pty.Cols, pty.Rows, func(string) {})
		defer r.Buffer.End()
		_, _ = r.Buffer.Write([]byte("\x1b[?1049h"))
		rn.Job(func() {
			for range keys {
				for _, fn := range rn.Take() {
					time.Sleep(busy)
					fn()
				}
			}
		})
		began := time.Now()
		wants := []time.Duration{busy, 2*busy + MaxPause, 3*busy + MaxPause, 4*busy + 2*MaxPause}
		r.Console.Replay(ctx, keys, func() time.Duration { return rn.Fitted(r) }, func(k session.Input) {
			size, err := unix.IoctlGetWinsize(int(slave.Fd()), unix.TIOCGWINSZ)
			if err != nil || int(size.Col) != k.Cols || int(size.Row) != k.Rows || time.Since(began) != wants[0] {
				t.Errorf("typed at %+v, %v, after %v; it should be %+v, after %v", size, err, time.Since(began), k, wants[0])
			}
			r.Pending, wants = r.Pending[1:], wants[1:]
		})
		if len(wants) > 0 {
			t.Errorf("%d are not typed", len(wants))
		}
	})
}
