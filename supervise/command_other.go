//go:build !unix

package supervise

import (
	"context"
	"os/exec"
	"time"
)

func supervised(ctx context.Context, m manner, name string, args ...string) *exec.Cmd {
	return grouped(ctx, m.grace, name, args...)
}

func grouped(ctx context.Context, grace time.Duration, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = grace + 10*time.Second
	return cmd
}
