package debugger

import "context"

// Wait says what a goroutine waits for beyond channels.
type Wait struct {
	Goroutine GoroutineID `json:"goroutine"`
	// Semaphore is the address of the runtime's semaphore: a field of the lock
	// or the group that it waits for.
	Semaphore uint64 `json:"semaphore"`
}

// WaitLister is an Inspector that knows who waits for the runtime's semaphores,
// with which package sync makes its locks and groups. The runtime keeps no
// record of who holds them.
type WaitLister interface {
	Waits(ctx context.Context) ([]Wait, error)
}
