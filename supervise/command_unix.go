//go:build unix && !linux

package supervise

import (
	"context"
	"os/exec"
	"syscall"
	"time"
)

func supervised(ctx context.Context, m manner, name string, args ...string) *exec.Cmd {
	return grouped(ctx, m.grace, name, args...)
}

// grouped starts the command in a process group that is killed as a whole.
func grouped(ctx context.Context, grace time.Duration, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return endGroup(cmd.Process, grace) }
	cmd.WaitDelay = grace + 10*time.Second
	return cmd
}
