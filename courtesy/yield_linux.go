package courtesy

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// lowest is the level of who takes only what nobody else wants.
const lowest = 19

// Yield has the sessions that a process and its descendants lead give way to
// others, until ctx ends: by nice levels, and by all levels after a Hush. It looks
// for sessions again each time something comes from more.
//
// Linux shares the processors out among sessions first (autogroups, see
// sched(7)), and to that the levels of single processes say nothing. Where there
// are no autogroups, nothing happens.
func Yield(ctx context.Context, pid, nice int, more <-chan struct{}) {
	levels := map[int]int{} // by leader
	for {
		left, begun := quiet()
		want := nice
		var over <-chan time.Time
		if left > 0 {
			want = lowest
			over = time.After(left)
		}
		levels = leaders(pid, levels)
		for leader, level := range levels {
			if level != want && setSession(ctx, leader, want) {
				levels[leader] = want
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-more:
		case <-begun:
		case <-over:
		}
	}
}

// leaders returns the leaders of sessions among a process and its descendants,
// with the levels that those had which were there before. The others have ended,
// and their numbers may be somebody else's by now.
func leaders(pid int, before map[int]int) map[int]int {
	found := map[int]int{}
	if session, err := unix.Getsid(pid); err == nil && session == pid {
		found[pid] = before[pid]
	}
	for _, child := range children(pid) {
		maps.Copy(found, leaders(child, before))
	}
	return found
}

// children lists the children of all threads of a process. One that is born or
// dies meanwhile may be left out, and others with it; see proc_pid_children(5).
func children(pid int) []int {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	var pids []int
	for _, list := range lists {
		text, _ := os.ReadFile(list)
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
func setSession(ctx context.Context, leader, nice int) bool {
	const pause = 110 * time.Millisecond
	for {
		err := os.WriteFile(autogroup(leader), []byte(strconv.Itoa(nice)), 0)
		if !errors.Is(err, unix.EAGAIN) {
			return true // or will never be
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(pause):
		}
	}
}
