package engine

import (
	"testing"

	"github.com/pausetui/pausetui/source/evidence"
)

// A row leads back only to the event that it shows: a new run may have others, or fewer.
func TestSameEvent(t *testing.T) {
	shown := []evidence.HistoryRow{{Kind: "sent", File: "a.go", Line: 3, Goroutine: 7}, {Kind: "locked", File: "a.go", Line: 9}, {Kind: "made", File: "a.go", Line: 1}}
	now := []evidence.HistoryRow{{Kind: "sent", File: "a.go", Line: 3, Goroutine: 8}, {Kind: "made", File: "a.go", Line: 1}}
	for row, want := range map[int]bool{1: true, 2: false, 3: false, 4: false} {
		if got := sameEvent(shown, now, row); got != want {
			t.Errorf("row %d: %v", row, got)
		}
	}
}
