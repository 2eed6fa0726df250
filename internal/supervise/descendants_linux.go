package supervise

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// killDescendants kills every descendant again and again until none is left:
// those that fork meanwhile are found by the next round.
func killDescendants(none <-chan struct{}) {
	deadline := time.Now().Add(giveUp)
	pause := time.Millisecond
	for time.Now().Before(deadline) {
		// The deepest first: a debugger's target must not run on for the
		// moment between its debugger's end and its own.
		for _, pid := range slices.Backward(descendants(os.Getpid())) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		select {
		case <-none:
			return
		case <-time.After(pause):
			pause = min(2*pause, 50*time.Millisecond)
		}
	}
}

// KillDescendants kills all processes below this one, those that fork meanwhile
// too, and returns when none of them lives, after a second at the latest.
func KillDescendants() {
	for deadline := time.Now().Add(time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		living := false
		for _, pid := range slices.Backward(descendants(os.Getpid())) {
			living = stateOf(pid, pid) != 0 || living
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		if !living {
			return
		}
	}
}

// KillSession kills what is left of a session, and the processes below those:
// a command and its descendants, if the leader was its supervisor.
func KillSession(leader int) {
	for range 3 {
		found := false
		for _, pid := range processes() {
			if sid, err := unix.Getsid(pid); err != nil || sid != leader {
				continue
			}
			for _, below := range append(descendants(pid), pid) {
				found = syscall.Kill(below, syscall.SIGKILL) == nil || found
			}
		}
		if !found {
			return
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// descendants lists the processes below root. Orphans among them are children
// of root, because root is a subreaper.
func descendants(root int) []int {
	children := map[int][]int{}
	for _, pid := range processes() {
		if parent, ok := parentOf(pid); ok {
			children[parent] = append(children[parent], pid)
		}
	}
	var found []int
	for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
		below := children[queue[0]]
		found = append(found, below...)
		queue = append(queue, below...)
	}
	return found
}

func processes() []int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	var pids []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// statFields are the fields of a stat file in /proc after the command's name,
// which is in parentheses and may hold anything; none when the process is gone.
func statFields(path string) [][]byte {
	stat, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
}

// parentOf is the second field after the name.
func parentOf(pid int) (int, bool) {
	fields := statFields("/proc/" + strconv.Itoa(pid) + "/stat")
	if len(fields) < 2 {
		return 0, false
	}
	parent, err := strconv.Atoi(string(fields[1]))
	return parent, err == nil
}

// Descendants lists the processes below a process, parents before children.
func Descendants(pid int) []int { return descendants(pid) }
