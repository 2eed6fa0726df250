package session

import (
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/build"
)

// logOf is the log of some events, without its head.
func logOf(bodies ...Body) string {
	events := []Event{{Seq: 1, At: time.Unix(0, 0), Body: &Started{ID: "x"}}}
	for i, b := range bodies {
		events = append(events, Event{Seq: uint64(i) + 2, At: time.Unix(0, 0), Actor: "engine", Body: b})
	}
	return string(Markdown(events))
}

func TestTheLogSaysWhatAPersonReads(t *testing.T) {
	frames := []debugger.Frame{{Function: "main.inner", File: "a.go", Line: 3}, {Function: "main.outer", File: "a.go", Line: 9}, {Function: "main.main", File: "a.go", Line: 20}}
	text := logOf(
		&BuildFailed{Message: "the build failed", Diagnostics: []build.Diagnostic{{Message: "missing go.sum entry"}, {File: "a.go", Line: 3, Message: "undefined: x"}}},
		&Answered{Candidates: 1}, &Answered{Candidates: 2},
		&Decided{Candidate: "c3", Decision: Rejected},
		&Stopped{Stop: debugger.Stop{Reason: debugger.ReasonBreakpoint, Breakpoint: &debugger.Breakpoint{ID: 1, Stack: 2}, Frames: frames}},
		&TracepointHit{Hit: debugger.TraceHit{File: "a.go", Line: 3, Function: "main.inner", Stack: frames[1:2]}})
	for _, want := range []string{"- missing go.sum entry\n", "- `a.go:3` undefined: x\n", "answered with 1 fix in", "answered with 2 fixes in", "**rejected fix 3**", "(breakpoint 1)", "inner ", "outer "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "a.go:20") || strings.Count(text, "outer ") != 2 {
		t.Errorf("the frames that were asked for are others:\n%s", text)
	}
}

func TestArgumentsAreQuoted(t *testing.T) {
	if got := (&Started{Args: []string{"one two", "--x=y", ""}}).Arguments(); got != "'one two' --x=y ''" {
		t.Error(got)
	}
}
