package process

import "golang.org/x/sys/unix"

// Monotonic is the clock that Go programs on this machine count waits by.
func Monotonic() int64 {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) != nil {
		return 0
	}
	return now.Nano()
}
