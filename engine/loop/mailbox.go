package loop

import "sync"

// mailbox is an unbounded queue of calls: putting never blocks, so that no
// frontend and no job can hold up another.
type mailbox struct {
	mu    sync.Mutex
	queue []func()
	wake  chan struct{}
}

func newMailbox() *mailbox { return &mailbox{wake: make(chan struct{}, 1)} }

func (m *mailbox) put(fn func()) {
	m.mu.Lock()
	m.queue = append(m.queue, fn)
	m.mu.Unlock()
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// take waits for calls and returns all there are.
func (m *mailbox) take() []func() {
	for {
		m.mu.Lock()
		queue := m.queue
		m.queue = nil
		m.mu.Unlock()
		if len(queue) > 0 {
			return queue
		}
		<-m.wake
	}
}
