package supervise

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// marker is the name (argv[0]) that makes this binary a supervisor. It is not an
// environment variable, because callers replace cmd.Env.
const marker = "pausetui-supervisor"

// self is this binary, even after its file was replaced or removed.
const self = "/proc/self/exe"

// giveUp bounds the killing: a process that SIGKILL does not end (in an
// uninterruptible system call, or another user's) is left behind after it.
const giveUp = 10 * time.Second

// supervised returns name below a supervisor: argv is the marker, our process
// id, the grace in milliseconds, the nice levels, the command's last signal, the
// process it is attached to, the command's path and its own argv.
func supervised(ctx context.Context, m manner, name string, args ...string) *exec.Cmd {
	inner := exec.Command(name, args...)
	argv := append([]string{strconv.Itoa(os.Getpid()), strconv.FormatInt(m.grace.Milliseconds(), 10), strconv.Itoa(m.nice),
		strconv.Itoa(int(m.lastSignal())), strconv.Itoa(m.pid), inner.Path}, inner.Args...)
	cmd := exec.CommandContext(ctx, self, argv...)
	cmd.Args[0] = marker
	if m.nice > 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // what gives way is a session, see courtesy
	}
	cmd.Err = inner.Err
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
func grouped(ctx context.Context, m manner, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: m.lastSignal()}
	cmd.Cancel = func() error { return endGroup(cmd.Process, m.grace) }
	cmd.WaitDelay = m.grace + giveUp
	return cmd
}

// lastSignal is what a command gets when nobody is left to wait for it.
func (m manner) lastSignal() syscall.Signal {
	switch {
	case m.orphan != 0:
		return m.orphan
	case m.grace > 0:
		return syscall.SIGTERM
	}
	return syscall.SIGKILL
}
