package mcp

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
)

// A part of a secret looks like nothing. What the person has had printed, what a
// model of theirs has looked up and what a tracepoint has printed is not for agents.
func TestAgentsDoNotReadWhatOthersLookedAt(t *testing.T) {
	part := debugger.Variable{Name: "token[:4]", Type: "string", Value: "a7Qx"}
	events := []session.Event{
		{Body: &session.Evaluated{Input: "print token[:4]", Result: part, Lines: []session.Line{{Text: "a7Qx"}}, Values: []debugger.Variable{part}, Text: "a7Qx", Err: "a7Qx"}},
		{Body: &session.Probed{Tool: "eval", Result: "a7Qx", Err: "a7Qx"}},
		{Body: &session.TracepointHit{Hit: debugger.TraceHit{Values: []debugger.Variable{part}, Stack: []debugger.Frame{{Args: []debugger.Variable{part}}}}}},
	}
	if text := string(session.Markdown(events)); !strings.Contains(text, "a7Qx") {
		t.Fatalf("the log does not have it: %s", text)
	}
	text := string(session.Markdown((&server{}).eventsForAgent(events)))
	if strings.Contains(text, "a7Qx") || !strings.Contains(text, "print token[:4]") {
		t.Errorf("an agent reads %s", text)
	}
}
