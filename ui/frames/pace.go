// Package frames writes the frames of a screen to its terminal: the answer to a key at
// once, nothing while nothing changes, and all of it again after another program has had
// the terminal. It must not know what is drawn.
package frames

import (
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

const (
	soon      = time.Millisecond / 2   // until the answer to a key is drawn
	answering = 50 * time.Millisecond  // what is drawn this long after a key, or a stop, is waited for
	quiet     = 500 * time.Millisecond // without a new view, nothing is left to be drawn
	rest      = time.Second            // between looks for something to draw while there is nothing
)

// Pace has the answer to a key drawn at once, and nothing done while nothing
// changes. Bubble Tea draws when its ticker fires, whether there is anything new
// or not: a key waits for half a frame, and a screen at rest keeps a processor
// awake. No option changes that: WithFPS trades the one for the other, and an
// output writer can only delay what is drawn. So Pace sets the ticker itself, see
// programTicker. A nil Pace does nothing, and everything is as Bubble Tea does it.
//
// Measured on two busy processors (go test -run ^$ -bench Pace ./ui, also with
// -tags nopace): a key is answered after 4 ms and a screen at rest takes 0.02 %
// of a processor; without Pace 12 ms and 0.9 %, and with WithFPS(120), Bubble
// Tea's most, 6 ms and 1.3 %.
type Pace struct {
	ticker func() *time.Ticker // nil before the program runs
	frame  time.Duration       // between the frames of what changes by itself

	mu     sync.Mutex
	period time.Duration // of the ticker
	viewed time.Time     // when there was a view last
	asked  time.Time     // when something was waited for last: the first frame, to begin with
	early  time.Time     // when a frame was drawn soon last
	first  time.Time     // when that was the first after a key
	since  int           // frames written since then
	idle   *time.Timer
}

// NewPace returns the pace of a program that draws fps frames a second, 0 for as
// many as Bubble Tea does; nil if its ticker cannot be set.
func NewPace(p *tea.Program, fps int) *Pace {
	if fps < 1 {
		fps = 60
	}
	ticker := programTicker(p)
	if ticker == nil {
		return nil
	}
	return &Pace{ticker: ticker, frame: time.Second / time.Duration(fps), asked: time.Now()}
}

// Answer tells, before there is a view of it, that what comes is waited for.
func (p *Pace) Answer() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = time.Now()
}

// Drawn tells that there is a view to draw. Only Bubble Tea's event loop may
// call it: that also sets the ticker.
func (p *Pace) Drawn() {
	if p == nil {
		return
	}
	t := p.ticker()
	if t == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.viewed = time.Now()
	// What follows an answer does not keep the next key's waiting.
	key := p.asked.After(p.early)
	switch {
	case key && p.viewed.Sub(p.first) >= p.frame, p.viewed.Sub(p.asked) < answering && p.viewed.Sub(p.early) >= p.frame:
		if key {
			p.first = p.viewed
		}
		p.early, p.since = p.viewed, 0
		p.set(t, soon)
		time.AfterFunc(p.frame, func() { p.settle(t) })
	case p.period != soon:
		p.set(t, p.frame)
	}
	if p.idle == nil {
		p.idle = time.AfterFunc(quiet, func() { p.slow(t) })
	}
}

// Painted tells that a frame was written. The first may have been under way
// already, without the answer; what comes after the second waits for its turn, so
// that keys that come fast make few more frames. Until then, or for a frame's
// time, the ticker is left alone: a reset takes back a tick not yet seen.
func (p *Pace) Painted() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.since++; p.since == 2 && p.period == soon {
		p.set(p.ticker(), p.frame)
	}
}

// settle ends the time of the early frame.
func (p *Pace) settle(t *time.Ticker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch since := time.Since(p.early); {
	case p.period != soon || since < p.frame: // a later early frame has its own
	case p.since == 0 && since < answering: // the terminal is slow to take what is written
		time.AfterFunc(p.frame, func() { p.settle(t) })
	default:
		p.set(t, p.frame)
	}
}

// slow has the ticker rest when there was no view for a while.
func (p *Pace) slow(t *time.Ticker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if left := quiet - time.Since(p.viewed); left > 0 {
		p.idle.Reset(left)
		return
	}
	p.idle = nil
	p.set(t, rest)
}

// set changes the ticker's period. It leaves a period alone that is already
// right: a reset begins it again, and many of them would never let it end.
func (p *Pace) set(t *time.Ticker, period time.Duration) {
	if p.period != period {
		p.period = period
		t.Reset(period)
	}
}
