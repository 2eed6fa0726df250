package process

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/internal/advice"
)

// ExecutableOf is where the program of a process can be read, even when its
// file was replaced since.
func ExecutableOf(pid int) string { return fmt.Sprintf("/proc/%d/exe", pid) }

// Debuggable tells what prevents attaching to a process, as far as it can
// be known before.
func Debuggable(pid int) error {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if errors.Is(err, fs.ErrNotExist) || pid <= 0 {
		return advice.Add(errors.New("there is no such process"), "pgrep -a NAME finds the process id of a program")
	}
	if err != nil {
		return err
	}
	field := func(name string) string { return StatusField(status, name) }
	tracer, _ := strconv.Atoi(field("TracerPid"))
	group, _ := strconv.Atoi(field("Tgid"))
	switch {
	case pid == os.Getpid():
		return errors.New("that is pausetui itself")
	case group != 0 && group != pid:
		return advice.Add(fmt.Errorf("that is a thread of process %d", group), "attach to the process")
	case strings.HasPrefix(field("State"), "Z"):
		return errors.New("it has ended already; its parent has not noticed")
	case tracer != 0:
		return advice.Add(fmt.Errorf("process %d debugs it already", tracer), "a process has one debugger at a time: end the other first")
	}
	return goProgram(pid)
}

// TrapComes returns a thread of the process that would get a SIGTRAP next, its own or that
// of the process, or 0: Delve halts with one.
func TrapComes(pid int) (tid int) {
	tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, task := range tasks {
		tid, _ = strconv.Atoi(task.Name())
		if pendingTrap(pid, tid, "SigPnd", "ShdPnd") {
			return tid
		}
	}
	return 0
}

// OwnTrapComes reports whether a thread would get a SIGTRAP of its own next.
func OwnTrapComes(pid, tid int) bool { return pendingTrap(pid, tid, "SigPnd") }

// pendingTrap reports whether SIGTRAP is in one of the sets of signals, and not blocked.
func pendingTrap(pid, tid int, sets ...string) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/status", pid, tid))
	if err != nil {
		return false
	}
	has := func(set string) bool {
		bits, _ := strconv.ParseUint(StatusField(status, set), 16, 64)
		return bits&(1<<(syscall.SIGTRAP-1)) != 0
	}
	return slices.ContainsFunc(sets, has) && !has("SigBlk")
}

// Runs reports whether a process runs a program.
func Runs(pid int, program string) bool {
	path, err := os.Readlink(ExecutableOf(pid))
	want, err2 := filepath.EvalSymlinks(program)
	return err == nil && err2 == nil && path == want
}

// AdoptOrphans makes what the target's children leave our descendants.
// Delve waits for any child, and takes no notice of those it does not know.
func AdoptOrphans() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// StatusField is a field of /proc/PID/status.
func StatusField(status []byte, name string) string {
	for line := range bytes.Lines(status) {
		if rest, ok := strings.CutPrefix(string(line), name+":"); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}
