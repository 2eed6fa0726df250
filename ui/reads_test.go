package ui

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/timeline"
)

// TestStaleAnswersAreDropped hands in an answer to a stop that is over.
func TestStaleAnswersAreDropped(t *testing.T) {
	f := sceneStopped()
	s := play(t, f, 120, 36)
	at := debugger.FrameRef{Goroutine: 1, Frame: 5}
	needs := s.Ctx.Store.NeedFrame(at)
	if len(needs) != 1 {
		t.Fatalf("%d needs", len(needs))
	}
	late := timeline.AnswerMsg{Tag: s.Ctx.Store.Tag(), Key: needs[0].Key, Result: needs[0].Read(t.Context(), f.inspect)}
	f.add(&session.Resumed{Motion: debugger.Next}, panicStop())
	s.catchUp()
	if s.Ctx.Store.Take(inspect.Answer(late)) {
		t.Error("an answer to the stop before was kept")
	}
}

// TestFramesAreReadAhead moves to a frame that came without its variables.
func TestFramesAreReadAhead(t *testing.T) {
	f := sceneStopped()
	f.inspect.stacks[1][5].Locals = []debugger.Variable{integer("answer", "42")}
	s := play(t, f, 120, 36)
	s.press("2", "j", "j")
	if s.Ctx.At.Frame != 5 {
		t.Fatalf("frame %d is selected", s.Ctx.At.Frame)
	}
	if text := s.screenText(); !strings.Contains(text, "answer  42") || !strings.Contains(text, "Source · main.go") {
		t.Errorf("the frame's variables and source are not shown:\n%s", text)
	}
}

// TestSlicesArePagedToTheirEnd opens a slice and asks for all of it.
func TestSlicesArePagedToTheirEnd(t *testing.T) {
	f := sceneStopped()
	f.inspect.children["big"] = 250
	stop := panicStop()
	stop.Stop.Frames[3].Locals = []debugger.Variable{{Name: "big", Expr: "big", Type: "[]int", Kind: 23, Value: "[]int len 250", Len: 250, Unloaded: 250}}
	f.add(stop)
	s := play(t, f, 120, 60)
	s.press("3", "G", "enter")
	if text := s.screenText(); !strings.Contains(text, "[0]") {
		t.Fatalf("no elements:\n%s", text)
	}
	s.press("G", "enter", "G", "enter")
	s.press("G")
	text := s.screenText()
	if !strings.Contains(text, "[249]  62001") || strings.Contains(text, "more (enter loads)") {
		t.Errorf("the end is not reached:\n%s", text)
	}
}

// TestGoroutinesAreSelected opens another goroutine: its own stack is shown,
// at the user's innermost frame.
func TestGoroutinesAreSelected(t *testing.T) {
	s := play(t, sceneStopped(), 120, 36)
	s.press("4", "j", "enter")
	want := debugger.FrameRef{Goroutine: 18, Frame: 1}
	if s.Ctx.At != want {
		t.Errorf("selected %v, want %v", s.Ctx.At, want)
	}
	if text := s.screenText(); !strings.Contains(text, "Stack · goroutine 18") || !strings.Contains(text, "Source · load.go") {
		t.Errorf("the other goroutine is not shown:\n%s", text)
	}
}

// TestUntrustedTextIsCleaned prints and names things with control sequences.
func TestUntrustedTextIsCleaned(t *testing.T) {
	evil := "\x1b]0;owned\x07\x1b[2J\x9b31m\u202egnp\r\x00"
	f := sceneStopped()
	f.out.Write([]byte(evil + "\n" + evil))
	stop := panicStop()
	stop.Stop.Panic.Message = evil
	stop.Stop.Frames[3].Function = "main." + evil
	stop.Stop.Frames[3].Locals = []debugger.Variable{text1("s"+evil, evil)}
	f.add(stop, &session.Notice{Level: "error", Text: evil})
	p := originFix()
	p.Candidate.Title, p.Candidate.Explanation = evil, evil
	f.add(p)
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}} {
		for _, keys := range [][]string{nil, {"2"}, {"3"}, {"5"}, {"6"}, {"7"}, {"6", "enter"}, {"a"}, {"x"}} {
			s := play(t, f, size[0], size[1])
			s.press(keys...)
			for _, l := range s.lines() {
				if strings.Contains(l, "\x1b]") || strings.Contains(l, "\x1b[2J") || strings.ContainsAny(l, "\x07\x00\r\u202e\u009b") {
					t.Fatalf("%v: a control sequence reached the screen: %q", keys, l)
				}
			}
		}
	}
}

// The runtime's list keeps goroutines that have ended: the head of the screen counts
// those that the pane lists.
func TestTheHeadCountsTheGoroutinesOfThePane(t *testing.T) {
	f := sceneStopped()
	for _, e := range f.events {
		if stop, ok := e.Body.(*session.Stopped); ok {
			stop.Stop.Goroutines = 20
		}
	}
	playEngine(f)
	s := play(t, f, 120, 36)
	s.press("4")
	screen := s.screenText()
	if !strings.Contains(screen, "· 13 goroutines ·") || !strings.Contains(screen, "4 Goroutines · 13 by stack") {
		t.Errorf("two numbers of goroutines:\n%s", screen)
	}
}
