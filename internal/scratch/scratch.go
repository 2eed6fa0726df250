// Package scratch names temporary directories so that what a killed process has
// left can be distinguished from what a living one uses, and removes the former. It knows
// nothing of what is in them.
package scratch

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Pattern is that of os.MkdirTemp for a directory of this process's. The name
// tells the process, when it began, and the space of its number and of its clock: another
// container's may share the directory.
func Pattern(kind string) string {
	return fmt.Sprintf("pausetui-%d.%s-%s-%s-", os.Getpid(), began(os.Getpid()), space(), kind)
}

var name = lazyregexp.New(`^pausetui-(\d+)(?:\.(\d+))?-(\d+(?:\.\d+)?)-[a-z]+-\d+$`)

// Sweep removes the temporary directories of processes that are gone: those of
// this user and this space of process numbers. Links are left alone.
func Sweep() {
	SweepIn(os.TempDir())
	if dir := os.Getenv("GOTMPDIR"); dir != "" {
		SweepIn(dir)
	}
}

// SweepIn does so in another directory.
func SweepIn(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		m := name.FindStringSubmatch(e.Name())
		if m == nil || m[3] != space() || !e.IsDir() {
			continue
		}
		pid, err := strconv.Atoi(m[1])
		path := filepath.Join(dir, e.Name())
		info, err2 := os.Lstat(path)
		if err != nil || err2 != nil || !info.IsDir() || !ours(info) || alive(pid, m[2]) {
			continue
		}
		_ = Remove(path) // what cannot be removed is for the next start
	}
}

// Remove removes a directory with all that is in it, like os.RemoveAll, though
// those who filled it may have taken the rights to do so away, or nested directories deeper
// than files can be open. Links are not followed.
func Remove(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	if root, err := os.OpenRoot(dir); err == nil {
		u := unlocking{top: root, todo: []string{"."}}
		for len(u.todo) > 0 {
			next := u.todo[0]
			u.todo = u.todo[1:]
			if below, err := root.OpenRoot(next); err == nil {
				u.unlock(below, next, 0)
			}
		}
		_ = root.Close()
	}
	return os.RemoveAll(dir) // says what could not be unlocked
}

// unlocking makes the directories below one accessible to their owner, and no deeper than
// deepest.
type unlocking struct {
	top   *os.Root
	todo  []string // what was moved up to the top
	moved int
}

const deepest = 50

// unlock does so below a directory at a path, which is so deep, and closes it.
func (u *unlocking) unlock(dir *os.Root, path string, depth int) {
	defer dir.Close()
	f, err := dir.Open(".")
	if err != nil {
		return
	}
	entries, _ := f.ReadDir(-1) // what there is
	_ = f.Close()
	for _, e := range entries {
		if !e.IsDir() || dir.Chmod(e.Name(), 0o700) != nil {
			continue
		}
		below := filepath.Join(path, e.Name())
		if depth == deepest {
			u.moveUp(below)
		} else if inner, err := dir.OpenRoot(e.Name()); err == nil {
			u.unlock(inner, below, depth+1)
		}
	}
}

// moveUp moves a directory to the top, to be unlocked there.
func (u *unlocking) moveUp(path string) {
	u.moved++
	name := fmt.Sprintf("moved-up-%d", u.moved)
	if u.top.Rename(path, name) == nil {
		u.todo = append(u.todo, name)
	}
}

// alive reports whether the process of a number that began at some time lives: one that
// began at another time is another.
func alive(pid int, at string) bool {
	if err := syscall.Kill(pid, 0); err == syscall.ESRCH {
		return false
	}
	now := began(pid)
	return at == "" || at == "0" || now == "0" || now == at
}

// began is when a process began, in ticks of the machine's own clock, which nobody sets; 0
// where the system does not say.
func began(pid int) string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "0"
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:])) // the name may hold blanks
	if len(fields) < 20 {
		return "0"
	}
	return fields[19]
}

func ours(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// space is the number of our space of process numbers; 0 where there is but one. Where
// another clock than the machine's counts from when it was started, that of the clock follows: the same
// process began at another time there.
func space() string {
	processes := namespace("pid")
	if clock := namespace("time"); clock != "0" && clock != firstClock {
		processes += "." + clock
	}
	return processes
}

// firstClock is the number of the time namespace that the kernel starts with
// (PROC_TIME_INIT_INO in its sources).
const firstClock = "4026531834"

var number = lazyregexp.New(`\[(\d+)\]$`)

func namespace(kind string) string {
	link, err := os.Readlink("/proc/self/ns/" + kind)
	if m := number.FindStringSubmatch(link); err == nil && m != nil {
		return m[1]
	}
	return "0"
}
