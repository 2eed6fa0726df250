package supervise

import (
	"os"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// killDescendants kills every descendant again and again until none is left:
// those that fork meanwhile are found by the next round.
func killDescendants(none <-chan struct{}) {
	deadline := time.Now().Add(giveUp)
	pause := time.Millisecond
	select {
	case <-none:
		return
	default:
	}
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
		for _, p := range Processes() {
			if sid, err := unix.Getsid(p.ID); err != nil || sid != leader {
				continue
			}
			for _, below := range append(descendants(p.ID), p.ID) {
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
	for _, p := range Processes() {
		children[p.Parent] = append(children[p.Parent], p.ID)
	}
	var found []int
	for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
		below := children[queue[0]]
		found = append(found, below...)
		queue = append(queue, below...)
	}
	return found
}

// Descendants lists the processes below a process, parents before children.
func Descendants(pid int) []int { return descendants(pid) }
