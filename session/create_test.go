package session_test

import (
	"sync"
	"testing"
	"time"

	"github.com/pausetui/pausetui/session"
)

// TestSessionsOfOneSecondAreAllKept: sessions that begin and end in the same second
// take no name from each other.
func TestSessionsOfOneSecondAreAllKept(t *testing.T) {
	dir, at := t.TempDir(), time.Date(2026, 11, 20, 17, 2, 3, 0, time.UTC)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 10 {
				log, err := session.CreateLog(dir, func() time.Time { return at })
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := log.Append("", &session.Ended{Outcome: "quit"}); err != nil {
					t.Error(err)
				}
				if err := log.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	entries, err := session.List(dir)
	if err != nil || len(entries) != 40 {
		t.Errorf("%d sessions (%v), want 40", len(entries), err)
	}
}
