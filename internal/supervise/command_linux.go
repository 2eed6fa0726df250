package supervise

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/pausetui/pausetui/internal/reexec"
)

// giveUp bounds the killing: a process that SIGKILL does not end (in an
// uninterruptible system call, or another user's) is left behind after it.
const giveUp = 10 * time.Second

// supervised returns a command below a supervisor, whose arguments are our
// process id, the grace in milliseconds, the nice levels, the command's last
// signal, the process it is attached to, the command's path and its own argv.
func supervised(ctx context.Context, m manner, inner *exec.Cmd) *exec.Cmd {
	args := append([]string{strconv.Itoa(os.Getpid()), strconv.FormatInt(m.grace.Milliseconds(), 10), strconv.Itoa(m.nice),
		strconv.Itoa(int(m.lastSignal())), strconv.Itoa(m.pid), inner.Path}, inner.Args...)
	path, err := reexec.Self()
	cmd := commandOf(ctx, path, reexec.Argv(supervisorName, args...), cmp.Or(inner.Err, err))
	if m.nice > 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // what yields is a session, see package background
	}
	if cmd.Err == nil {
		cmd.Err = startable(inner.Path)
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGHUP) }
	cmd.WaitDelay = m.grace + giveUp + 5*time.Second
	return cmd
}

// startable finds out early what can be known before the working directory is:
// whether an absolute path can be executed.
func startable(path string) error {
	if !filepath.IsAbs(path) {
		return nil
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return &os.PathError{Op: "exec", Path: path, Err: syscall.EISDIR}
	case info.Mode()&0o111 == 0:
		return &os.PathError{Op: "exec", Path: path, Err: syscall.EACCES}
	}
	return nil
}

// grouped is what is left without a supervisor.
func grouped(ctx context.Context, m manner, inner *exec.Cmd) *exec.Cmd {
	cmd := commandOf(ctx, inner.Path, inner.Args, inner.Err)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: m.lastSignal()}
	cmd.Cancel = func() error { return endGroup(cmd.Process, m.grace) }
	cmd.WaitDelay = m.grace + giveUp
	return cmd
}

// lastSignal is what a command gets when no process is left to wait for it.
func (m manner) lastSignal() syscall.Signal {
	switch {
	case m.orphan != 0:
		return m.orphan
	case m.grace > 0:
		return syscall.SIGTERM
	}
	return syscall.SIGKILL
}
