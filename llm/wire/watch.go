package wire

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/pausetui/pausetui/llm"
)

// Watch cancels a request that is silent for too long, with llm.ErrStalled as
// the cause.
type Watch struct {
	timer *time.Timer
	wait  atomic.Int64 // a time.Duration, for the message
}

// NewWatch bounds the wait for the first token and for the whole answer. The
// context ends with the cause; stop releases it.
func NewWatch(ctx context.Context, first, total time.Duration) (watched context.Context, w *Watch, stop func()) {
	bounded, release := context.WithTimeoutCause(ctx, total, fmt.Errorf("%w: not complete after %s", llm.ErrStalled, total))
	watched, cancel := context.WithCancelCause(bounded)
	w = &Watch{}
	w.wait.Store(int64(first))
	w.timer = time.AfterFunc(first, func() {
		cancel(fmt.Errorf("%w: nothing for %s", llm.ErrStalled, time.Duration(w.wait.Load())))
	})
	return watched, w, func() {
		w.timer.Stop()
		cancel(nil)
		release()
	}
}

// Fed restarts the wait, for so long.
func (w *Watch) Fed(stall time.Duration) {
	w.wait.Store(int64(stall))
	w.timer.Reset(stall)
}

// OrDefault is v, or otherwise when v is not positive.
func OrDefault[T ~int | ~int64](v, otherwise T) T {
	if v > 0 {
		return v
	}
	return otherwise
}
