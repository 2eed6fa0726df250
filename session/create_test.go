package session_test

import (
	"os"
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

// A session that could not begin leaves no log that others would find.
func TestALogWithoutEventsLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	log, err := session.CreateLog(dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
}

// A clock that is set back shows no time below 0.
func TestAClockThatIsSetBack(t *testing.T) {
	at := time.Date(2026, 11, 20, 17, 2, 3, 0, time.UTC)
	s := session.Fold(session.NewState(), []session.Event{{Seq: 1, At: at, Body: &session.Started{}}, {Seq: 2, At: at.Add(-time.Hour), Body: &session.Ended{}}})
	if got := session.Summarize(s).Seconds; got != 0 {
		t.Errorf("it lasted %v s", got)
	}
}
