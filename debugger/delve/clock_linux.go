package delve

import "golang.org/x/sys/unix"

// monotonic is the clock that Go programs on this machine count waits by.
func monotonic() int64 {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) != nil {
		return 0
	}
	return now.Nano()
}
