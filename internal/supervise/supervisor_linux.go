package supervise

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/internal/background"
	"github.com/pausetui/pausetui/internal/reexec"
)

// notStarted is the exit code of a command that could not be started.
const notStarted = 127

const supervisorName = "supervisor"

// A supervisor's own work is a fraction of what initializing all packages takes.
func init() { reexec.RegisterEarly(supervisorName, supervisorMain) }

// supervisorMain runs the command and ends the process as it has ended.
func supervisorMain(args []string) int {
	if len(args) < 7 {
		return notStarted
	}
	var n [5]int
	for i := range n {
		var err error
		if n[i], err = strconv.Atoi(args[i]); err != nil {
			return notStarted
		}
	}
	m := manner{grace: time.Duration(n[1]) * time.Millisecond, nice: n[2], orphan: syscall.Signal(n[3]), pid: n[4]}
	s := supervisor{parent: n[0], manner: m, path: args[5], argv: args[6:]}
	// The parent-death signal of the command is bound to this thread, and so is
	// the priority that it inherits.
	runtime.LockOSThread()
	status, err := s.run()
	if err != nil {
		fmt.Fprintf(os.Stderr, "supervise: start %q: %v\n", s.path, err)
		return notStarted
	}
	return endLike(status)
}

// supervisor runs one command for the process that is its parent.
type supervisor struct {
	parent int
	manner
	path string
	argv []string
}

// run runs the command until it ends, is to end, or the parent is gone, and
// leaves no descendant behind.
func (s supervisor) run() (syscall.WaitStatus, error) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return 0, fmt.Errorf("adopt descendants: %w", err)
	}
	signals := make(chan os.Signal, 64)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGQUIT,
		syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGHUP)
	orphaned, err := watchParent(s.parent)
	if err != nil {
		return 0, err
	}
	if s.nice > 0 {
		background.Lower(s.nice)
		go background.Yield(context.Background(), os.Getpid(), s.nice)
	}
	// A screen ignores these for itself: see package terminal.
	restoreDefault(syscall.SIGTTIN)
	restoreDefault(syscall.SIGTTOU)
	inherited := inheritedFiles()
	pid, err := syscall.ForkExec(s.path, s.argv, &syscall.ProcAttr{
		Env:   os.Environ(),
		Files: []uintptr{0, 1, 2},
		Sys:   &syscall.SysProcAttr{Pdeathsig: s.lastSignal()},
	})
	if err != nil {
		return 0, err
	}
	letGo(inherited)

	ended := make(chan syscall.WaitStatus, 1)
	none := make(chan struct{})
	go reap(pid, newRescuer(s.pid), ended, none)
	status := s.wait(pid, signals, orphaned, ended)
	killDescendants(none)
	select {
	case status = <-ended: // the command was among the killed
	default:
	}
	return status, nil
}

// wait passes signals on to the command until it has ended, or is to end and
// had its grace.
func (s supervisor) wait(pid int, signals <-chan os.Signal, orphaned <-chan struct{}, ended <-chan syscall.WaitStatus) syscall.WaitStatus {
	for passing := true; passing; {
		select {
		case sig := <-signals:
			if passing = sig != syscall.SIGHUP; passing {
				_ = syscall.Kill(pid, sig.(syscall.Signal))
			}
		case <-orphaned:
			passing = false
		case status := <-ended:
			return status
		}
	}
	if s.grace > 0 {
		_ = syscall.Kill(pid, syscall.SIGTERM)
		select {
		case status := <-ended:
			return status
		case <-time.After(s.grace):
		}
	}
	return syscall.WaitStatus(syscall.SIGKILL)
}

// watchParent returns a channel that is closed when the process that started
// us is gone. No file descriptor is inherited for it: none can leak.
func watchParent(parent int) (<-chan struct{}, error) {
	gone := make(chan struct{})
	if os.Getppid() == 0 {
		// The first process of its own pid namespace cannot name its parent.
		return gone, unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGHUP), 0, 0, 0)
	}
	fd, err := unix.PidfdOpen(parent, 0)
	if os.Getppid() != parent { // it died before, and its number may be another's
		return nil, fmt.Errorf("process %d that asked for it is gone", parent)
	}
	go func() {
		defer close(gone)
		for os.Getppid() == parent {
			if err != nil { // a kernel before 5.3, or a filter
				time.Sleep(100 * time.Millisecond)
				continue
			}
			_, _ = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, -1)
		}
	}()
	return gone, nil
}

// attachPause is how often it is looked whether a debugger is attached by now.
const attachPause = 5 * time.Millisecond

// reap collects every child, ours and adopted ones. It reports the command's
// status, and closes none when there is no child left. Of a debugger it watches
// the thread that traces another's process.
func reap(command int, r *rescuer, ended chan<- syscall.WaitStatus, none chan<- struct{}) {
	if r.pid != 0 {
		runtime.LockOSThread() // what a thread traces only it can wait for and let go
	}
	for {
		options := syscall.WALL
		if r.pid != 0 && r.tracer == 0 {
			if r.seize(command); r.tracer == 0 {
				options |= syscall.WNOHANG
				time.Sleep(attachPause)
			}
		}
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, options, nil)
		if err == nil && pid > 0 && (pid == r.tracer || pid == command) && (status.Exited() || status.Signaled()) {
			r.gone()
		}
		switch {
		case err == syscall.EINTR || err == nil && pid == 0:
		case err == nil && status.Stopped():
			r.stopped(unix.WaitStatus(status))
		case err != nil:
			close(none)
			return
		case pid == command && (status.Exited() || status.Signaled()):
			if childless() { // known before the status is, nothing is looked for
				close(none)
				ended <- status
				return
			}
			ended <- status
		}
	}
}

// childless reports whether this process has neither children nor tracees.
func childless() bool {
	err := unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WALL|unix.WNOHANG|unix.WNOWAIT, nil)
	return err == unix.ECHILD
}

// inheritedFiles lists the descriptors from 3 on that the command inherits.
func inheritedFiles() []int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return nil
	}
	var fds []int
	for _, e := range entries {
		fd, err := strconv.Atoi(e.Name())
		if err != nil || fd < 3 {
			continue
		}
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err == nil && flags&unix.FD_CLOEXEC == 0 {
			fds = append(fds, fd)
		}
	}
	return fds
}

// letGo closes our copies of what the command inherited, so that the other
// ends see it close.
func letGo(fds []int) {
	for _, fd := range fds {
		_ = unix.Close(fd)
	}
	null, err := unix.Open("/dev/null", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	for fd := range 3 {
		_ = unix.Dup3(null, fd, 0)
	}
	_ = unix.Close(null)
}

// endLike ends this process by the signal that has ended the command, or returns
// its exit code.
func endLike(status syscall.WaitStatus) int {
	if !status.Signaled() {
		return status.ExitStatus()
	}
	sig := status.Signal()
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	restoreDefault(sig)
	_ = unix.Tgkill(os.Getpid(), unix.Gettid(), sig)
	time.Sleep(100 * time.Millisecond)
	return 128 + int(sig)
}

// restoreDefault puts back the kernel's default, also where the runtime answers a
// signal itself. A zeroed sigaction is the default on every architecture.
func restoreDefault(sig syscall.Signal) {
	var action [8]uint64
	_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(sig),
		uintptr(unsafe.Pointer(&action)), 0, 8, 0, 0)
}
