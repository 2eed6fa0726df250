package sandbox

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/internal/supervise"
)

// meter measures, in the init, for how long the program has run.
type meter struct {
	mu     sync.Mutex
	last   time.Time
	cpu    time.Duration         // of all processes so far, as far as that is known
	waited map[int]time.Duration // by thread: for a processor, so far
	spent  Spent
	// lent is for how long it seemed to wait, which has not shown so far; most bounds that.
	lent, most time.Duration
}

func newMeter(limit time.Duration) *meter {
	return &meter{last: time.Now(), waited: map[int]time.Duration{}, most: limit}
}

// tick counts what has passed since the last one. The processes are those of the
// sandbox; those that have ended are among what their parents have waited for.
func (m *meter) tick(processes []supervise.Process) Spent {
	m.mu.Lock()
	defer m.mu.Unlock()
	now, waited := time.Now(), map[int]time.Duration{}
	cpu, delay, ready := reaped(), time.Duration(0), false
	for _, p := range processes {
		cpu += p.CPU
		for id, t := range supervise.Threads(p.ID) {
			waited[id] = t.Waited
			delay += max(t.Waited-m.waited[id], 0)
			ready = ready || t.Ready
		}
	}
	passed := now.Sub(m.last)
	delay = m.seeming(passed, delay, ready)
	m.spent.add(passed, max(cpu-m.cpu, 0), delay)
	m.last, m.cpu, m.waited = now, cpu, waited
	return m.spent
}

// seeming is for how long the program waited in a while that has passed, of which delay is
// known. How long one that is ready has waited is known only once it has had a processor. That
// may be never: one may look as if it waited for a disk, and those that end take along what
// they have computed.
func (m *meter) seeming(passed, delay time.Duration, ready bool) time.Duration {
	m.lent = max(m.lent-delay, 0)
	guess := passed - delay
	if !ready || guess <= 0 || m.lent+guess > m.most {
		return delay
	}
	m.lent += guess
	return passed
}

// reaped is for how long those have computed whom the init has reaped.
func reaped() time.Duration {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_CHILDREN, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// timer is what the init does about the limit of time.
type timer struct {
	limit time.Duration
	late  chan struct{} // closed when the program is to be asked what it does; nil: it is not asked
	asked time.Duration // when it was asked; 0 before
}

func newTimer(o order) *timer {
	t := &timer{limit: o.Limits.Wall}
	if o.Ask {
		t.late = make(chan struct{})
	}
	return t
}

// over reports whether the program is to be ended now.
func (t *timer) over(ran time.Duration) bool {
	switch {
	case ran < t.limit:
		return false
	case t.late == nil:
		return true
	case t.asked == 0:
		t.asked = ran
		close(t.late)
		return false
	}
	return ran-t.asked > answerTime
}

// The outside.

// spentTime is what the init has said last of the time that the program has run.
type spentTime struct {
	mu    sync.Mutex
	spent Spent
	known bool
}

func (t *spentTime) set(s Spent) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.spent, t.known = s, true
}

func (t *spentTime) get() (s Spent, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.spent, t.known
}

// wait waits until enough is true; false: ctx has ended before. It does not wait for
// longer than atMost by the clock.
func (t *spentTime) wait(ctx context.Context, atMost time.Duration, enough func(Spent) bool) bool {
	const pause = 10 * time.Millisecond
	timer, ticker := time.NewTimer(atMost), time.NewTicker(pause)
	defer timer.Stop()
	defer ticker.Stop()
	for {
		if s, _ := t.get(); enough(s) {
			return true
		}
		select {
		case <-ticker.C:
		case <-timer.C:
			return true
		case <-ctx.Done():
			return false
		}
	}
}
