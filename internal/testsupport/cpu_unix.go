//go:build unix

package testsupport

import (
	"syscall"
	"time"
)

// CPU is the processor time that this process has taken. A limit on it does not depend on what
// else the machine does.
func CPU() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // of this process it always succeeds
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
