package ui

import (
	"testing"

	"github.com/pausetui/pausetui/engine/live"
)

// The past does not open over a line that is being typed.
func TestThePastWaitsForWhatIsTyped(t *testing.T) {
	s := play(t, sceneStopped(), 80, 24)
	s.press(":", "b", "x")
	s.Ctx.Live.Past = &live.Past{}
	if cmd := s.visit(s.Ctx.Live.Past); cmd != nil || s.visited != nil || s.command.Text() != "bx" {
		t.Errorf("the past opens: %v, and %q is typed", cmd != nil, s.command.Text())
	}
	s.command.Open()
	if cmd := s.visit(s.Ctx.Live.Past); cmd == nil || s.visited == nil {
		t.Error("the past does not open over an empty line")
	}
}
