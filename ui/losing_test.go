package ui

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/session"
)

// What cannot run, as a core dump, has no end to ask about: the engine says why.
func TestNothingIsAskedOfWhatCannotRun(t *testing.T) {
	s := play(t, sceneStopped(), 120, 36)
	s.Ctx.State.Can.Run = false
	s.execution.Move(intent.Run{Motion: debugger.Next})
	if s.Dialog != nil || len(s.fake.intents) == 0 {
		t.Errorf("dialog %+v, %d intents", s.Dialog, len(s.fake.intents))
	}
}

// While an earlier moment is being recorded, a step is not about the present.
func TestNothingIsAskedWhileAnEarlierMomentIsRecorded(t *testing.T) {
	for _, line := range []string{"rev next", "back 3"} {
		s := play(t, sceneStopped(), 120, 36)
		s.Ctx.Live.Command = &live.Command{Line: line}
		s.press("o")
		if s.Dialog != nil {
			t.Errorf("%s: it asks %+v", line, s.Dialog)
		}
	}
}

// Leaving by a line asks as the key does.
func TestTheLineThatLeavesAsks(t *testing.T) {
	s := play(t, sceneStopped(), 120, 36)
	s.press(":")
	for _, r := range "exit" {
		s.press(string(r))
	}
	s.press("enter")
	if s.Dialog == nil {
		t.Error("it does not ask")
	}
	if text := s.screenText(); strings.Contains(text, "completes") || strings.Contains(text, "\n : ") || !strings.Contains(text, "y quits") {
		t.Errorf("the command line seems to take keys:\n%s", text)
	}
	s.press("esc")
	shows(t, s, "completes")
	for _, do := range s.fake.intents {
		if _, quits := do.(intent.Quit); quits {
			t.Error("it quits")
		}
	}
}

// A line that carries another one out asks as that one does.
func TestALineWithinALineAsks(t *testing.T) {
	for line, asks := range map[string]bool{
		"goroutine 1 next": true, "frame 1 n": true, "up step": true, "source steps.txt": true, "frame 1 locals": false, "goroutine 1": false,
	} {
		s := play(t, sceneStopped(), 120, 36)
		s.press(":")
		s.command.Set(line)
		s.press("enter")
		if (s.Dialog != nil) != asks || (s.fake.last() == nil) != asks {
			t.Errorf("%q: dialog %v, intent %v", line, s.Dialog, s.fake.last())
		}
	}
}

// The question comes once for each stop.
func TestAQuestionComesOnce(t *testing.T) {
	s := play(t, sceneStopped(), 120, 36)
	s.press("n", "y", "s")
	if s.Dialog != nil || s.fake.last() != intent.Intent(intent.Run{Motion: debugger.StepIn}) {
		t.Errorf("the second step: dialog %v, intent %#v", s.Dialog, s.fake.last())
	}
	s.fake.add(&session.Resumed{Motion: debugger.Next}, panicStop())
	s.catchUp()
	s.press("n")
	if s.Dialog == nil {
		t.Error("the next stop does not ask")
	}
}

// Nothing runs while a fix is open.
func TestNothingRunsInTheReview(t *testing.T) {
	for _, k := range []string{"n", "s", "o", "R", "S", "c", "r"} {
		s := play(t, sceneProved(), 120, 36)
		s.press("6", "enter", k)
		if s.Dialog != nil || s.fake.last() != nil || !s.Reviewing {
			t.Errorf("%s: dialog %v, intent %#v, review %v", k, s.Dialog, s.fake.last(), s.Reviewing)
		}
	}
}
