//go:build unix

package supervise

import (
	"os"
	"syscall"
)

// killGroup kills a process and its group; the process alone where the caller
// has started it without one.
func killGroup(p *os.Process) error {
	if pgid, err := syscall.Getpgid(p.Pid); err == nil && pgid == p.Pid {
		return syscall.Kill(-p.Pid, syscall.SIGKILL)
	}
	return p.Kill()
}
