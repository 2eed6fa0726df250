package session_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/sessiontest"
)

func TestTheMarkdownLogHoldsNothingHostile(t *testing.T) {
	var events []session.Event
	for i, b := range sessiontest.Hostile() {
		events = append(events, session.Event{Seq: uint64(i + 1), At: time.Unix(0, 0), Actor: sessiontest.Attack, Body: b})
	}
	text := string(session.Markdown(events))
	if bad := sessiontest.Escaped(text); bad != "" {
		t.Error(bad)
	}
	if strings.Contains(text, "\x1b") {
		t.Error("a log has no styles")
	}
}

// A test of the tests: the attack is in every event, and is found.
func TestHostileEventsAreHostile(t *testing.T) {
	for _, b := range sessiontest.Hostile() {
		data, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		if text := strings.Count(string(data), "8;35;66"); text == 0 && strings.Contains(string(data), `""`) {
			t.Errorf("%s has strings without an attack: %s", b.Kind(), data)
		}
	}
	for _, bad := range []string{sessiontest.Attack, "\x1b[8;35;66m", "\u202e", "\u009b", "\x1b]0;x\a", "\r"} {
		if sessiontest.Escaped(bad) == "" {
			t.Errorf("%q passes", bad)
		}
	}
	if bad := sessiontest.Escaped("plain \x1b[1;38;2;1;2;3mtext\x1b[m\n\tend"); bad != "" {
		t.Error(bad)
	}
}

// What a journal calls files, functions, types and tests is in one line as it is read.
func TestNamesOfAJournalAreInOneLine(t *testing.T) {
	const bad, good = "a\x1b[1m\r\n::error::b", "a ::error::b"
	frame := debugger.Frame{Function: bad, File: bad, Locals: []debugger.Variable{{Name: bad, Type: bad, Value: "two\nlines"}}}
	line, err := json.Marshal(map[string]any{"v": 1, "seq": 1, "kind": "stopped", "body": session.Stopped{Stop: debugger.Stop{
		Reason: debugger.ReasonTest, Frames: []debugger.Frame{frame}, Test: &debugger.FailingTest{Name: bad}, Breakpoint: &debugger.Breakpoint{File: bad},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	events, err := session.Read(strings.NewReader(string(line) + "\n"))
	if err != nil || len(events) != 1 {
		t.Fatalf("%v, %v", events, err)
	}
	stopped, ok := events[0].Body.(*session.Stopped)
	if !ok {
		t.Fatalf("%+v", events[0].Body)
	}
	s := stopped.Stop
	f := s.Frames[0]
	for _, got := range []string{f.Function, f.File, f.Locals[0].Name, f.Locals[0].Type, s.Test.Name, s.Breakpoint.File} {
		if got != good {
			t.Errorf("%q, want %q", got, good)
		}
	}
	if got := f.Locals[0].Value; got != "two\nlines" {
		t.Errorf("the value is %q", got)
	}
}
