package look

import (
	"sync"
	"time"
)

// listing is the reading of goroutines, page by page, by all who look at them.
type listing struct {
	mu      sync.Mutex
	reading int       // pages at this moment
	last    time.Time // when one had been read last
}

// BetweenPages is the longest time until the next page of one listing is asked for.
const BetweenPages = 50 * time.Millisecond

// Page notes that a page is being read, until done is called.
func (l *listing) Page() (done func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reading++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.reading--
		l.last = time.Now()
	}
}

// GoesOn reports whether pages are being read, or will soon be.
func (l *listing) GoesOn() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.reading > 0 || time.Since(l.last) < BetweenPages
}
