package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/common"
)

// TestWhatComesByItselfGoes: a long hint does not hide the keys for good.
func TestWhatComesByItselfGoes(t *testing.T) {
	f := sceneStopped()
	s := play(t, f, 80, 24)
	for level, goes := range map[string]bool{"info": true, "warn": false} {
		f.add(&session.Notice{Level: level, Text: "it stopped while it answered GET /orders/7; the proofs make that request again",
			Hint: "--repro 'curl -s http://127.0.0.1:8080/orders/7' makes it again on each start"})
		s.catchUp()
		if !strings.Contains(s.screenText(), "it stopped while") || s.busy() != goes {
			t.Errorf("%s: %s", level, s.screenText())
		}
		f.clock = f.clock.Add(common.Passing + time.Second)
		s.send(tickMsg{})
		if shown := strings.Contains(s.screenText(), "it stopped while"); shown == goes || strings.Contains(s.screenText(), "ask for fixes") != goes || s.busy() {
			t.Errorf("%s: later on: %s", level, s.screenText())
		}
	}
}

// What was said of a stop, and answers over its source, make room when the program moves.
func TestWhatWasSaidOfAStopGoesWithIt(t *testing.T) {
	f := sceneStepped()
	s := play(t, f, 80, 24)
	f.add(&session.Notice{Level: "warn", Text: "breakpoint 1: there is no i on line 27"})
	s.catchUp()
	s.press(":")
	f.add(&session.Evaluated{Input: "bt", Lines: []session.Line{{Text: "answer one"}, {Text: "answer two"}}})
	s.catchUp()
	if text := s.screenText(); !strings.Contains(text, "answer two") {
		t.Fatal(text)
	}
	f.add(&session.Resumed{Motion: debugger.Next})
	s.catchUp()
	if text := s.screenText(); strings.Contains(text, "answer two") || strings.Contains(text, "there is no i") {
		t.Error(text)
	}
	s.press("esc")
	f.add(&session.Notice{Level: "warn", Text: "the server is out of reach"})
	s.catchUp()
	if text := s.screenText(); !strings.Contains(text, "out of reach") {
		t.Error(text)
	}
}
