package session

import (
	"fmt"
	"path/filepath"

	"github.com/pausetui/pausetui/debugger"
)

// TraceLine is what a tracepoint tells, in one line.
func TraceLine(hit debugger.TraceHit) string {
	words := fmt.Sprintf("%s:%d %s", filepath.Base(hit.File), hit.Line, ShortFunction(hit.Function))
	if hit.Returns {
		words += " returns"
	}
	words += fmt.Sprintf(" · goroutine %d", hit.Goroutine)
	if hit.Started != nil {
		words += " of " + ShortFunction(hit.Started.Function)
	}
	if len(hit.Values) > 0 {
		words += " · " + valuesLine(hit.Values)
	}
	return oneLine(words)
}

// MissedNote says that more hits came than were written down; empty for none.
func MissedNote(missed uint64) string {
	if missed == 0 {
		return ""
	}
	return fmt.Sprintf(" (and %d before it)", missed)
}
