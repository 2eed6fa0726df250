package courtesy

import (
	"context"
	"sync"
	"time"
)

// attention is how long those in the background keep quiet after a Hush.
const attention = 1500 * time.Millisecond

// hushed says until when nothing in the background may be in somebody's way.
var hushed struct {
	sync.Mutex
	until time.Time
	begun chan struct{} // closed when quiet begins; nil when nobody waits for that
}

// Hush has the sessions that Yield looks after give way altogether for a moment:
// somebody is at the keyboard. It returns at once.
func Hush() {
	hushed.Lock()
	defer hushed.Unlock()
	now := time.Now()
	if !hushed.until.After(now) && hushed.begun != nil {
		close(hushed.begun)
		hushed.begun = nil
	}
	hushed.until = now.Add(attention)
}

// Calm waits until nobody is at the keyboard, for atMost, or until ctx ends or
// hurry is closed.
func Calm(ctx context.Context, atMost time.Duration, hurry <-chan struct{}) {
	for last := time.Now().Add(atMost); ; {
		left, _ := quiet()
		if left = min(left, time.Until(last)); left <= 0 {
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

// quiet returns for how long to keep quiet, if more than 0, and what is closed
// when that begins anew.
func quiet() (time.Duration, <-chan struct{}) {
	hushed.Lock()
	defer hushed.Unlock()
	if hushed.begun == nil {
		hushed.begun = make(chan struct{})
	}
	return time.Until(hushed.until), hushed.begun
}
