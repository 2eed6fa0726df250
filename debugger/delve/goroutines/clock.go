package goroutines

import (
	"context"

	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/memory"
	"github.com/pausetui/pausetui/debugger/delve/process"
)

// clockMarks are moments of the target's own clock (runtime.nanotime) that the
// runtime has noted, the last of them shortly before it stopped.
var clockMarks = []string{
	"runtime.sched.lastpoll.value",
	"runtime.sched.procresizetime",
	"runtime.memstats.last_gc_nanotime",
	"runtime.allp[0].sysmontick.schedwhen",
	"runtime.allp[0].sysmontick.syscallwhen",
	"runtime.work.tstart",
}

// clock is the target's time when it stopped, in nanoseconds of the clock that
// the runtime notes waits by; 0 where it is not known. Where the target shares
// this machine's clock, that was read at the stop. Otherwise the latest mark
// counts, which a program at rest may have left long ago.
func (gr *Lister) clock(ctx context.Context) (int64, error) {
	if SharesClock(gr) && gr.stoppedAt != 0 {
		return gr.stoppedAt, nil
	}
	marks, err := memory.ReadAll(ctx, gr.memory, gr.Known.Layout.clocks, func(int) int { return 8 })
	if err != nil {
		return 0, err
	}
	latest := int64(0)
	for _, m := range marks {
		latest = max(latest, int64(memory.Word(m, 0)))
	}
	return latest, nil
}

// SharesClock reports whether the target counts time as this process does.
func SharesClock(gr *Lister) bool {
	return (gr.srv.Mode == control.Launched || gr.srv.Mode == control.Attached) && process.Monotonic() != 0
}
