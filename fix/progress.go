package fix

import (
	"fmt"
	"strconv"

	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/session"
)

func itoa(n int) string { return strconv.Itoa(n) }

// progress says in one line what is under way, when it has changed.
func (d *driver) progress(u live.Update) {
	if d.options.Progress == nil {
		return
	}
	line := d.progressLine(u)
	if line != "" && line != d.said {
		d.said = line
		d.options.Progress(line)
	}
}

func (d *driver) progressLine(u live.Update) string {
	switch d.state.Phase {
	case session.PhaseBuilding:
		if b := u.Live.Build; b != nil && b.Total > 0 {
			return fmt.Sprintf("building: %s %d of %d packages", b.Phase, b.Done, b.Total)
		}
		return "building"
	case session.PhaseStarting:
		return "starting under the debugger"
	case session.PhaseRunning:
		return "running"
	}
	record := firstCase(d.state)
	if record == nil {
		return ""
	}
	proved := 0
	for _, c := range record.Candidates {
		if c.Verdict != nil {
			proved++
		}
	}
	return fmt.Sprintf("stopped: %s · %d of %d fixes proved", record.Stop.Panic.Class.Words(), proved, len(record.Candidates))
}
