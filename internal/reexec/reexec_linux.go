package reexec

import (
	"cmp"
	"math"
	"syscall"

	"golang.org/x/sys/unix"
)

func self() (string, error) { return cmp.Or(plain, "/proc/self/exe"), nil }

// CloseOnExec keeps the open files from that number on from what is executed.
func CloseOnExec(first int) {
	if unix.CloseRange(uint(first), math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) == nil {
		return
	}
	for fd := first; fd < 1024; fd++ { // before Linux 5.11
		syscall.CloseOnExec(fd)
	}
}
