package ui

import "testing"

// The answer to a key does not take the keys that follow: they act, and close it. What a
// person types after a colon is a command.
func TestAnAnswerToAKeyTakesNoKeys(t *testing.T) {
	s := playLocals(t, 120, 40, integer("n", "41"))
	s.press("Q")
	if !s.commanding {
		t.Fatal("no answer is shown")
	}
	shows(t, s, "any other key closes this")
	s.press("y")
	if s.commanding || s.command.Text() != "" {
		t.Errorf("the key was typed: %q", s.command.Text())
	}
	shows(t, s, "copied n, 2 bytes")
	s.press("Q", ":", "n")
	if !s.commanding || s.command.Text() != "n" {
		t.Errorf("after a colon: %t %q", s.commanding, s.command.Text())
	}
	if s.press("esc", ":", "p"); s.command.Text() != "p" {
		t.Errorf("a command line that was opened for typing: %q", s.command.Text())
	}
}
