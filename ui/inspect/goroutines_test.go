package inspect_test

import (
	"testing"

	"github.com/pausetui/pausetui/ui/inspect"
)

// A stop has as many goroutines now as when it is looked at again: those that were
// looked at, not those of the runtime's list, which keeps some that have ended.
func TestAStopHasOneNumberOfGoroutines(t *testing.T) {
	now := inspect.Goroutines{All: make([]inspect.Goroutine, 17)}
	past := inspect.Goroutines{All: make([]inspect.Goroutine, 3), Recorded: true, Counted: 17}
	cut := inspect.Goroutines{Recorded: true, Counted: 17, Partial: true}
	unread := inspect.Goroutines{Recorded: true}
	for name, c := range map[string]struct {
		g    inspect.Goroutines
		want int
	}{"now": {now, 17}, "past": {past, 17}, "in part": {cut, 20}, "unread": {unread, 20}} {
		if got := c.g.Living(20); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
