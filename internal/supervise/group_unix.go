//go:build unix

package supervise

import (
	"os"
	"syscall"
	"time"
)

// endGroup kills a process and its group; one with a grace is asked to end, and
// killed by its WaitDelay.
func endGroup(p *os.Process, grace time.Duration) error {
	if grace > 0 {
		return p.Signal(syscall.SIGTERM)
	}
	return killGroup(p)
}

// killGroup kills a process and its group; the process alone where the caller
// has started it without one.
func killGroup(p *os.Process) error {
	if pgid, err := syscall.Getpgid(p.Pid); err == nil && pgid == p.Pid {
		return syscall.Kill(-p.Pid, syscall.SIGKILL)
	}
	return p.Kill()
}
