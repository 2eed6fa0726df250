package ui

import "sync"

// reads counts the commands that take a while, so that Run can wait for
// them: Bubble Tea leaves its commands running when it quits.
type reads struct {
	mu     sync.Mutex
	wait   sync.WaitGroup
	closed bool
}

// begin reports whether one may start; end must follow.
func (r *reads) begin() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	r.wait.Add(1)
	return true
}

func (r *reads) end() { r.wait.Done() }

// close lets no further one start and waits for those under way.
func (r *reads) close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.wait.Wait()
}
