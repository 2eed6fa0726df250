package ui

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/session"
)

// However long a line is and however narrow the screen: what failed is to be seen.
func TestTheEndOfALongLineIsSeen(t *testing.T) {
	for _, w := range []int{70, 80, 100, 120, 160} {
		if s := play(t, sceneDeep(), w, 36); !strings.Contains(s.screenText(), "list.last.next)") {
			t.Errorf("%d cells:\n%s", w, s.screenText())
		}
	}
}

// A diagnosis that comes after the stop is shown when it comes.
func TestTheDiagnosisComesLate(t *testing.T) {
	f := sceneRunning()
	f.inspect.stacks[1] = panicStack()
	f.add(panicStop())
	s := play(t, f, 120, 36)
	if text := s.screenText(); strings.Contains(text, "x.terms is nil") || strings.Contains(text, "◂ cause") {
		t.Fatalf("it is there before it was found:\n%s", text)
	}
	f.add(diagnosed())
	s.catchUp()
	s.press("3")
	if text := s.screenText(); !strings.Contains(text, "x.terms is nil: NewIndex") || !strings.Contains(text, "◂ cause") {
		t.Errorf("it is not shown:\n%s", text)
	}
}

// A shadowed variable is in parentheses, as dlv writes it.
func TestAShadowedVariable(t *testing.T) {
	hidden := integer("n", "1")
	hidden.Shadowed = true
	s := playLocals(t, 120, 36, hidden, integer("n", "2"))
	shows(t, s, "(n)")
}

// A value that stops the target is marked, and a second watch of it is not set.
func TestAWatchedValueIsMarked(t *testing.T) {
	s := playLocals(t, 120, 36, integer("n", "1"))
	s.fake.add(&session.BreakpointSet{Breakpoint: debugger.Breakpoint{ID: 3, Watch: "n", WatchKind: debugger.WatchWrite, At: s.Ctx.At}})
	s.catchUp()
	shows(t, s, "◉ stops when written")
	s.press("W")
	shows(t, s, "n is watched already")
	for _, i := range s.fake.intents {
		if _, set := i.(intent.SetBreakpoint); set {
			t.Error("it is watched twice")
		}
	}
}

// From another goroutine one key, which is named, leads back to the stop.
func TestBackFromAnotherGoroutine(t *testing.T) {
	s := play(t, sceneStopped(), 120, 36)
	at := s.Ctx.At
	s.press("4", "j", "enter")
	if s.Ctx.At.Goroutine == at.Goroutine {
		t.Fatalf("it is still at %+v:\n%s", s.Ctx.At, s.screenText())
	}
	shows(t, s, "0 to the stop")
	s.press("0")
	if s.Ctx.At != at {
		t.Errorf("it is at %+v, want %+v", s.Ctx.At, at)
	}
}

// A file on standard input is what the target reads: nothing can be typed.
func TestAFileIsTheInput(t *testing.T) {
	f := sceneRunning()
	f.events[0].Body.(*session.Started).Stdin = "words.txt"
	s := play(t, f, 120, 36)
	s.press("i")
	shows(t, s, "the program reads its input from words.txt")
	if s.Typing {
		t.Error("keys go to the program")
	}
}
