//go:build nopace

package frames

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// programTicker finds no ticker: Bubble Tea draws at its own rate.
func programTicker(*tea.Program) func() *time.Ticker { return nil }
