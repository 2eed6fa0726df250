package ui

import (
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/session"
)

// The answer to a key does not take the keys that follow: they act, and close it. What a
// person types after a colon is a command.
func TestAnAnswerToAKeyTakesNoKeys(t *testing.T) {
	s := playLocals(t, 120, 40, integer("n", "41"))
	s.press("N")
	if !s.Commanding {
		t.Fatal("no answer is shown")
	}
	shows(t, s, "any other key closes this")
	s.press("y")
	if s.Commanding || s.command.Text() != "" {
		t.Errorf("the key was typed: %q", s.command.Text())
	}
	shows(t, s, "copied n, 2 bytes")
	s.press("N", ":", "n")
	if !s.Commanding || s.command.Text() != "n" {
		t.Errorf("after a colon: %t %q", s.Commanding, s.command.Text())
	}
	if s.press("esc", ":", "p"); s.command.Text() != "p" {
		t.Errorf("a command line that was opened for typing: %q", s.command.Text())
	}
}

// N goes back to the selected row of the last history, and nowhere else than it always does from
// others.
func TestARowOfAHistoryIsGoneBackTo(t *testing.T) {
	s := play(t, sceneStopped(), 120, 40)
	answer := func(input string, rows ...session.Line) {
		s.fake.add(&session.Evaluated{Input: input, Lines: rows})
		s.catchUp()
		s.screenText()
	}
	row := session.Line{Text: "1  main.go:9  nil", Place: &session.Place{File: "main.go", Line: 9}, Run: "back 1"}
	s.press("N")
	answer("why", session.Line{Text: "u is nil"}, row)
	s.press("up")
	shows(t, s, "N goes back to it")
	s.press("N")
	if got, ok := s.fake.last().(intent.Evaluate); !ok || got.Input != "back 1" {
		t.Errorf("%+v", s.fake.last())
	}
	answer("why p.name", session.Line{Text: "p.name is left out"}, row)
	s.press("up", "up", "up", "N")
	if got, ok := s.fake.last().(intent.Run); !ok || got.Motion != debugger.ReverseNext {
		t.Errorf("from an older history: %+v", s.fake.last())
	}
}
