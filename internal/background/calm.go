package background

import (
	"context"
	"sync/atomic"
	"time"
)

// attention is how long after the user has done something the moment is not
// calm.
const attention = 1500 * time.Millisecond

// attended is when the user was at the keyboard last, in nanoseconds since start.
var attended atomic.Int64

var start = time.Now().Add(-attention)

// Attend tells that the user is at the keyboard, or looks at something new.
func Attend() { attended.Store(int64(time.Since(start))) }

// Calm waits until the user has not been at the keyboard for a moment, at most that
// long, and no longer than until ctx ends or hurry is closed.
func Calm(ctx context.Context, atMost time.Duration, hurry <-chan struct{}) {
	for last := time.Now().Add(atMost); ; {
		left := min(attention-time.Since(start)+time.Duration(attended.Load()), time.Until(last))
		if left <= 0 {
			return
		}
		select {
		case <-time.After(left):
		case <-ctx.Done():
			return
		case <-hurry:
			return
		}
	}
}
