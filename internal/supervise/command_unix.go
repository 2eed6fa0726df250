//go:build unix && !linux

package supervise

import (
	"context"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

func supervised(ctx context.Context, m manner, name string, args ...string) *exec.Cmd {
	return grouped(ctx, m, name, args...)
}

// grouped starts the command in a process group that is killed as a whole.
func grouped(ctx context.Context, m manner, name string, args ...string) *exec.Cmd {
	if m.nice > 0 {
		if _, err := exec.LookPath("nice"); err == nil {
			name, args = "nice", append([]string{"-n", strconv.Itoa(m.nice), name}, args...)
		}
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return endGroup(cmd.Process, m.grace) }
	cmd.WaitDelay = m.grace + 10*time.Second
	return cmd
}
