package serve

import (
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/internal/supervise"
)

// lettingChildrenStart runs launch with threads that do not take the processor
// from the child they have just started. Delve looks at once whether the child is
// held, and again only 200 ms later: mostly it looked too early.
func lettingChildrenStart(launch func() error) error {
	self := os.Getpid()
	for range 2 { // a thread may have started another before it was reached
		reschedule(self, unix.SCHED_NORMAL, unix.SCHED_BATCH)
	}
	err := launch()
	for _, pid := range append(supervise.Descendants(self), self) {
		reschedule(pid, unix.SCHED_BATCH, unix.SCHED_NORMAL)
	}
	return err
}

// reschedule changes the policy of a process's threads that have the one of from.
// Where that is not allowed, things are merely slower.
func reschedule(pid int, from, to uint32) {
	tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, task := range tasks {
		tid, err := strconv.Atoi(task.Name())
		if err != nil {
			continue
		}
		if now, err := unix.SchedGetAttr(tid, 0); err == nil && now.Policy == from {
			now.Policy = to
			_ = unix.SchedSetAttr(tid, now, 0)
		}
	}
}
