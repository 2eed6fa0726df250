package ui

import (
	"context"
	"errors"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/engine"
)

// repaint is the least time between updates that bring nothing but output and
// streams: about 30 a second.
const repaint = 33 * time.Millisecond

// updateMsg is what has happened since the last one, and what the target had printed by
// then.
type updateMsg struct {
	engine.Update
	printed *printed
}

// overMsg comes after the session's last event; err is nil when it ended well.
type overMsg struct{ err error }

// pump hands the engine's updates to the program until the session is over or
// ctx ends. Events go through at once; what is cosmetic is slowed down.
func pump(ctx context.Context, e engine.Client, send func(tea.Msg)) {
	var seq, version uint64
	var last time.Time
	var out *printed
	for {
		u, err := e.Wait(ctx, seq, version)
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			if ctx.Err() == nil {
				send(overMsg{err})
			}
			return
		}
		if n := len(u.Events); n > 0 {
			seq = u.Events[n-1].Seq
		}
		version = u.Live.Version
		out = readPrinted(e.Output(), out)
		send(updateMsg{u, out})
		if wait := repaint - time.Since(last); wait > 0 && !last.IsZero() {
			pause(ctx, wait)
		}
		last = time.Now()
	}
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
