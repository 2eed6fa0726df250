package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/execution"
)

// typeOn types keys 300 ms apart, as a person does who has not looked up yet.
func (s *stage) typeOn(keys ...string) {
	for _, k := range keys {
		s.fake.clock = s.fake.clock.Add(300 * time.Millisecond)
		s.press(k)
	}
}

// decided is what a person has had done, but for what is typed and looked at.
func (s *stage) decided() (list []intent.Intent) {
	for _, i := range s.fake.intents {
		switch i.(type) {
		case intent.Type, intent.Resize, intent.Compare:
		default:
			list = append(list, i)
		}
	}
	return list
}

// stopWithFix stops the program at a panic for which there is a fix.
func stopWithFix(s *stage) {
	s.fake.add(sceneProved().bodies(func(b session.Body) bool {
		switch b.(type) {
		case *session.Stopped, *session.Diagnosed, *session.Asked, *session.Proposed, *session.Answered, *session.Proved:
			return true
		}
		return false
	})...)
	s.catchUp()
}

func (f *fakeEngine) bodies(keep func(session.Body) bool) (list []session.Body) {
	for _, e := range f.events {
		if keep(e.Body) {
			list = append(list, e.Body)
		}
	}
	return list
}

// Who types into the program when it stops has not read a fix, and approves none.
func TestWhatIsTypedWhenTheProgramStopsIsNoCommand(t *testing.T) {
	s := play(t, sceneRunning(), 120, 36)
	s.press("i", "x")
	stopWithFix(s)
	s.typeOn("a", " ", "d", "a", "y", "enter", "r", "e", "n", "c", "Q", "backspace")
	if got := s.decided(); len(got) > 0 || s.Dialog != nil || s.Reviewing {
		t.Fatalf("it led to %#v, dialog %v, review %v", got, s.Dialog, s.Reviewing)
	}
	if text := s.screenText(); !strings.Contains(text, "10 characters kept for it") || !strings.Contains(text, "esc or a pause: commands") {
		t.Errorf("the screen does not say so:\n%s", text)
	}
	s.typeOn("esc", "2")
	if s.Focus != 2 || s.TypesAhead() {
		t.Error("after esc, keys are no commands")
	}
	s.fake.add(&session.Resumed{Motion: debugger.Continue})
	s.catchUp()
	s.press("i")
	if got := s.fake.last(); got != (intent.Type{Text: "a day\nrenc"}) {
		t.Errorf("the program is given %#v", got)
	}
	s.press("z")
	if got := s.fake.last(); got != (intent.Type{Text: "z"}) {
		t.Errorf("and then %#v", got)
	}
}

// A pause without keys ends it, too; a paste and a click are not taken for commands.
func TestAPauseMakesKeysCommandsAgain(t *testing.T) {
	s := play(t, sceneRunning(), 120, 36)
	s.press("i")
	stopWithFix(s)
	s.send(tea.PasteMsg{Content: "one\ntwo"})
	s.send(tea.MouseClickMsg{X: 3, Y: 3, Button: tea.MouseLeft})
	if s.Ahead.Text != "one\ntwo" || len(s.decided()) > 0 {
		t.Errorf("%q is kept, %#v done", s.Ahead.Text, s.decided())
	}
	s.fake.clock = s.fake.clock.Add(execution.AheadPause)
	s.send(tickMsg{})
	if text := s.screenText(); !strings.Contains(text, "7 characters kept for the program: i types them into it") {
		t.Errorf("it does not say what is kept:\n%s", text)
	}
	s.press("2")
	if s.Focus != 2 {
		t.Error("keys are no commands")
	}
}

// So it is with a program that has the whole terminal: esc was for it.
func TestKeysForAScreenAreNoCommands(t *testing.T) {
	s := play(t, sceneDrawing(), 80, 24)
	s.press("i", "j")
	stopWithFix(s)
	s.typeOn("esc", "a", "y", "enter", "r", "ctrl+c", "q")
	if got := s.decided(); len(got) > 0 || s.Dialog != nil || s.Reviewing {
		t.Fatalf("it led to %#v, dialog %v, review %v", got, s.Dialog, s.Reviewing)
	}
	s.typeOn("ctrl+]", "2")
	if s.Focus != 2 {
		t.Error("the key that leaves the screen does not leave")
	}
	s.fake.add(&session.BuildStarted{}, &session.Launched{})
	s.catchUp()
	if s.Ahead.Text != "" {
		t.Errorf("%q is kept for another screen", s.Ahead.Text)
	}
}

// Another participant may end the program: also then keys are not commands at once.
func TestKeysForAProgramThatAnotherRestarted(t *testing.T) {
	s := play(t, sceneRunning(), 120, 36)
	s.press("i")
	s.fake.add(&session.BuildStarted{})
	s.catchUp()
	s.typeOn("q", "y", "r")
	if got := s.decided(); len(got) > 0 || s.Dialog != nil || s.Ahead.Text != "qyr" {
		t.Errorf("it led to %#v, dialog %v, %q kept", got, s.Dialog, s.Ahead.Text)
	}
}
