//go:build unix && !linux

package supervise

import (
	"context"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

func supervised(ctx context.Context, m manner, inner *exec.Cmd) *exec.Cmd {
	return grouped(ctx, m, inner)
}

// grouped starts the command in a process group that is killed as a whole.
func grouped(ctx context.Context, m manner, inner *exec.Cmd) *exec.Cmd {
	path, argv := inner.Path, inner.Args
	if m.nice > 0 {
		if nice, err := exec.LookPath("nice"); err == nil {
			argv = append([]string{"nice", "-n", strconv.Itoa(m.nice), path}, argv[1:]...)
			path = nice
		}
	}
	cmd := commandOf(ctx, path, argv, inner.Err)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return endGroup(cmd.Process, m.grace) }
	cmd.WaitDelay = m.grace + 10*time.Second
	return cmd
}
