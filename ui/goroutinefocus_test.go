package ui

import (
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/layout"
)

// With the goroutines in focus, the next stop has a list of its own, which is not read yet.
func TestTheNextStopWithTheGoroutinesInFocus(t *testing.T) {
	s := play(t, sceneStopped(), 80, 24)
	s.press("4")
	if id := s.Panes.Goroutines.Under(); id != 0 || s.selection.LookedAt() != s.Ctx.At.Goroutine {
		t.Errorf("the cursor is on goroutine %d before it is moved", id)
	}
	s.press("down")
	if s.Focus != layout.Goroutines || s.Panes.Goroutines.Under() == 0 {
		t.Fatalf("the cursor is on goroutine %d of pane %d", s.Panes.Goroutines.Under(), s.Focus)
	}
	s.fake.inspect.goroutines = nil
	s.fake.add(&session.Resumed{Motion: debugger.Continue}, panicStop())
	u := s.fake.update()
	u.Events = u.Events[s.Ctx.State.Seq:]
	s.absorb(u)
	s.facts() // asked for before the panes have taken the stop in, for a hint
	s.press("n", "4", "down")
}

// The keys of what a fix changes are those of the review.
func TestTheKeysOfAPageLeaveWithTheReview(t *testing.T) {
	s := play(t, sceneCompared(), 80, 24)
	s.press("6", "enter", "V")
	if !s.facts().Page {
		t.Fatal("the page is not shown")
	}
	s.LeaveReview()
	if s.facts().Page {
		t.Error("the page's keys are shown without it")
	}
}
