package background

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Yield has the sessions that a process and its descendants lead yield to
// others by nice levels, 1 to 19. Those that begin later do not.
//
// Linux shares the processors out among sessions first (autogroups, see
// sched(7)), and to that the levels of single processes say nothing. Where there
// are no autogroups nothing happens, and nothing comes of it where control groups
// share the processors out.
func Yield(ctx context.Context, pid, nice int) {
	if session, err := unix.Getsid(pid); err == nil && session == pid {
		setSession(ctx, pid, nice)
	}
	for _, child := range children(pid) {
		Yield(ctx, child, nice)
	}
}

// Lower gives this thread, and what it starts, a nice level, unless it has a
// higher one.
func Lower(nice int) {
	const highest = 20 // the system call counts down from it
	if level, err := unix.Getpriority(unix.PRIO_PROCESS, 0); err == nil && highest-level < nice {
		_ = unix.Setpriority(unix.PRIO_PROCESS, 0, nice)
	}
}

// children lists the children of all threads of a process. One that is born or
// dies meanwhile may be left out, and others with it; see proc_pid_children(5).
func children(pid int) []int {
	tasks := fmt.Sprintf("/proc/%d/task", pid)
	threads, _ := os.ReadDir(tasks)
	var pids []int
	for _, thread := range threads {
		text, _ := os.ReadFile(filepath.Join(tasks, thread.Name(), "children"))
		for _, word := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(word); err == nil {
				pids = append(pids, child)
			}
		}
	}
	return pids
}

// autogroup is the file that holds the level of a session.
func autogroup(leader int) string { return fmt.Sprintf("/proc/%d/autogroup", leader) }

// setSession sets the level of a session, unless ctx ends before. The kernel
// takes ten such settings a second from all unprivileged processes together.
func setSession(ctx context.Context, leader, nice int) {
	const attempts, pause = 30, 110 * time.Millisecond
	f, err := os.OpenFile(autogroup(leader), os.O_WRONLY, 0) // of this process, whichever has its number later
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }()
	if text, _ := os.ReadFile(autogroup(leader)); strings.HasSuffix(strings.TrimSpace(string(text)), fmt.Sprintf(" nice %d", nice)) {
		return
	}
	for range attempts {
		if _, err := f.WriteString(strconv.Itoa(nice)); !errors.Is(err, unix.EAGAIN) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}
