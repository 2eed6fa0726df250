//go:build go1.21

package record

import "syscall"

// pause waits for a moment, in a system call: the goroutine stays where it is.
func pause() {
	wait := syscall.Timespec{Nsec: 200_000}
	_ = syscall.Nanosleep(&wait, nil)
}
