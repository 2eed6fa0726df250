//go:build !unix

package supervise

import (
	"context"
	"os/exec"
	"time"
)

func supervised(ctx context.Context, m manner, name string, args ...string) *exec.Cmd {
	return grouped(ctx, m, name, args...)
}

func grouped(ctx context.Context, m manner, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = m.grace + 10*time.Second
	return cmd
}
