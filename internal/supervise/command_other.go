//go:build !unix

package supervise

import (
	"context"
	"os/exec"
	"time"
)

func supervised(ctx context.Context, m manner, inner *exec.Cmd) *exec.Cmd {
	return grouped(ctx, m, inner)
}

func grouped(ctx context.Context, m manner, inner *exec.Cmd) *exec.Cmd {
	cmd := commandOf(ctx, inner.Path, inner.Args, inner.Err)
	cmd.WaitDelay = m.grace + 10*time.Second
	return cmd
}
