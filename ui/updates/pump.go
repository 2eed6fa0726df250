// Package updates waits for what the engine has to tell and hands it to a program, with
// what the target had printed by then. It must not know the screen.
package updates

import (
	"context"
	"errors"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/engine/live"
)

// Repaint is the least time between updates that bring nothing but output and
// streams: about 30 a second.
const Repaint = 33 * time.Millisecond

// Msg is what has happened since the last one, and what the target had printed by
// then.
type Msg struct {
	live.Update
	Printed *Printed
}

// Over comes after the session's last event; Err is nil when it ended well.
type Over struct{ Err error }

// Pump hands the engine's updates to the program until the session is over or
// ctx ends. Events go through at once; what is cosmetic is slowed down.
func Pump(ctx context.Context, e live.Client, send func(tea.Msg)) {
	var seq, version uint64
	var last time.Time
	var out *Printed
	for {
		u, err := e.Wait(ctx, seq, version)
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			if ctx.Err() == nil {
				send(Over{err})
			}
			return
		}
		if n := len(u.Events); n > 0 {
			seq = u.Events[n-1].Seq
		}
		version = u.Live.Version
		out = ReadPrinted(e.Output(), out)
		send(Msg{u, out})
		if wait := Repaint - time.Since(last); wait > 0 && !last.IsZero() {
			Pause(ctx, wait)
		}
		last = time.Now()
	}
}

// Pause waits for d, or until ctx ends.
func Pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
