package common

import "sync"

// Reads counts the commands that take a while, so that Run can wait for
// them: Bubble Tea leaves its commands running when it quits.
type Reads struct {
	mu     sync.Mutex
	wait   sync.WaitGroup
	closed bool
}

// begin reports whether one may start; end must follow.
func (r *Reads) begin() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	r.wait.Add(1)
	return true
}

func (r *Reads) end() { r.wait.Done() }

// Close lets no further one start and waits for those under way.
func (r *Reads) Close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.wait.Wait()
}
