//go:build !nopace

package frames

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Another version of Bubble Tea may keep its ticker elsewhere: then the answers
// to keys come later, and an idle screen costs something, but nobody would see.
func TestPaceFindsTheTicker(t *testing.T) {
	p := NewPace(tea.NewProgram(nil), 30)
	if p == nil {
		t.Fatal("Bubble Tea has no ticker any more: see to pace")
	}
	if p.ticker() != nil || p.frame != time.Second/30 {
		t.Errorf("ticker %v, a frame each %v", p.ticker(), p.frame)
	}
	p.Drawn() // nothing runs yet
}
