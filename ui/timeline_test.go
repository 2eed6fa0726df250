package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
)

// scenePast is a second stop after a fix was applied; the source of the first
// was kept.
func scenePast() *fakeEngine {
	f := sceneProved()
	index := filepath.Join(root(), "index.go")
	then, err := os.ReadFile(index)
	if err != nil {
		panic(err)
	}
	f.kept = map[string]string{"k1": strings.Replace(string(then), "// Add records", "// Add, as it was before the fix, records", 1)}
	f.add(&session.SourcesKept{Stop: 1, Files: []session.SourceKept{{File: index, Name: "k1"}}},
		&session.Seen{Stop: 1, Known: 40_002, Groups: []session.GoroutineGroup{
			{First: goroutines()[0], Count: 1},
			{First: goroutines()[1], Others: []debugger.GoroutineID{21, 22}, Count: 40_000, Waited: time.Minute},
			{First: goroutines()[11], Count: 1}},
			Stacks: []session.SeenStack{{Goroutine: 20, Frames: []debugger.Frame{{Function: "runtime.gopark", Runtime: true},
				{Index: 1, Function: "main.worker", File: filepath.Join(root(), "load.go"), Line: 8, User: true}}}}},
		&session.Decided{Candidate: "c1", Decision: session.Approved}, &session.Applied{Candidate: "c1", Files: []session.FileChange{{File: "index.go"}}},
		&session.Launched{Round: 2}, &session.Resumed{Motion: debugger.Continue},
		&session.Stopped{Ran: time.Second, Stop: debugger.Stop{Reason: debugger.ReasonBreakpoint, Goroutine: 1, Frames: panicStack()[4:], Goroutines: 13, Breakpoint: &debugger.Breakpoint{ID: 1}}})
	f.clock = f.clock.Add(2 * time.Minute)
	return f
}

// Earlier stops are shown as they were, and nothing can be done to them.
func TestThePastIsShownAsItWas(t *testing.T) {
	f := scenePast()
	s := play(t, f, 160, 45)
	shows := func(when string, want ...string) {
		t.Helper()
		for _, w := range want {
			if text := s.screenText(); !strings.Contains(text, w) {
				t.Errorf("%s: %q is not shown:\n%s", when, w, text)
			}
		}
	}
	present := s.screenText()
	s.press("<")
	shows("the past", "viewing stop 1 of 2", "2 minutes ago", "assignment to entry in nil map", "as it was before the fix", "the program is stopped: breakpoint 1", "x.terms = nil map", "×40,000")
	for key, reason := range map[string]string{"c": "this is an earlier stop", "b": "this is an earlier stop", "f": "this is an earlier stop", ":": "this is an earlier stop", "<": "there is no earlier stop"} {
		before := len(f.intents)
		s.press(key)
		if len(f.intents) != before {
			t.Errorf("%s did %v", key, f.last())
		}
		shows("after "+key, reason)
	}
	s.press("4", "enter", "j", "enter") // one of the forty thousand
	shows("another goroutine", "▸ worker")
	s.press("1", "4", "G", "enter")
	shows("one whose stack was not kept", "18 was not recorded")
	s.press(">")
	if got := s.screenText(); !strings.Contains(got, "breakpoint 1") || strings.Contains(got, "viewing") || strings.Contains(got, "before the fix") {
		t.Errorf("the present is not shown again:\n%s", got)
	}
	s.press("<", "esc")
	if got := s.screenText(); got != present {
		t.Errorf("esc does not return to what was shown:\n%s\nwant\n%s", got, present)
	}
}

// After the end, < leads to the panic that the card is about, not to a step after it.
func TestTheEndLeadsToItsPanic(t *testing.T) {
	f := sceneStopped()
	step := panicStop()
	step.Stop.Reason, step.Stop.Panic, step.Stop.Frames, step.Stop.Selected = debugger.ReasonStep, nil, panicStack()[4:], 0
	f.add(&session.Resumed{Motion: debugger.StepOut}, step, &session.Resumed{Motion: debugger.Continue},
		&session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonExited, Exit: &debugger.Exit{Code: 2}}})
	for _, width := range []int{80, 120} {
		s := play(t, f, width, 36)
		if text := s.screenText(); !strings.Contains(text, "The panic ended the program, with exit code 2.") || !strings.Contains(text, "< shows the stop at index.go:43.") {
			t.Errorf("the card of the end:\n%s", text)
		}
		s.press("<")
		if text := s.screenText(); !strings.Contains(text, "stop 1 of 2") {
			t.Errorf("< does not lead to the panic:\n%s", text)
		}
		s.press(">")
		if text := s.screenText(); !strings.Contains(text, "stop 2 of 2") {
			t.Errorf("> does not lead to the step:\n%s", text)
		}
	}
}

// A program that was halted while locks were waited for and went on did not die of a panic.
func TestNoPanicEndsAHaltedProgram(t *testing.T) {
	f := sceneStopped()
	halt := panicStop()
	halt.Stop.Reason, halt.Stop.Panic = debugger.ReasonHalt, &debugger.Panic{Class: debugger.Deadlock}
	f.add(&session.Resumed{Motion: debugger.Continue}, halt, &session.Resumed{Motion: debugger.Continue},
		&session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonExited, Exit: &debugger.Exit{}}})
	if text := play(t, f, 120, 36).screenText(); !strings.Contains(text, "The program ended with exit code 0.") {
		t.Errorf("the card of the end:\n%s", text)
	}
}

// What happens meanwhile belongs to the present.
func TestThePastIsNotDisturbed(t *testing.T) {
	f := scenePast()
	s := play(t, f, 120, 36)
	s.press("<")
	f.add(&session.Resumed{Motion: debugger.Continue})
	s.catchUp()
	if text := s.screenText(); !strings.Contains(text, "stop 1 of 2") || !strings.Contains(text, "the program is running") {
		t.Errorf("running on, the past is not shown any more:\n%s", text)
	}
	f.add(panicStop())
	s.catchUp()
	if text := s.screenText(); !strings.Contains(text, "stop 1 of 3") || !strings.Contains(text, "meanwhile the target: nil-map-write") {
		t.Errorf("stopped again:\n%s", text)
	}
	s.press(">")
	if text := s.screenText(); !strings.Contains(text, "stop 2 of 3") || !strings.Contains(text, "breakpoint 1") {
		t.Errorf("the second stop is past by now:\n%s", text)
	}
	s.press(">")
	if text := s.screenText(); strings.Contains(text, "viewing") || !strings.Contains(text, "PANIC") {
		t.Errorf("the present is not shown:\n%s", text)
	}
}

// The stops can be chosen from a list.
func TestStopsAreListed(t *testing.T) {
	s := play(t, scenePast(), 120, 36)
	s.press("ctrl+p", "l", "i", "s", "t", " ", "t", "h", "e", " ", "s", "t", "o", "p", "s", "enter")
	if text := s.screenText(); !strings.Contains(text, "1  nil-map-write · (*Index).Add index.go:43") || !strings.Contains(text, "now") {
		t.Fatalf("the stops are not listed:\n%s", text)
	}
	s.press("n", "i", "l", "enter")
	if text := s.screenText(); !strings.Contains(text, "stop 1 of 2") {
		t.Errorf("the chosen stop is not shown:\n%s", text)
	}
}
