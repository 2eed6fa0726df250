package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/pair/pairtest"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// A part of a secret looks like nothing. What the person has had printed, what a
// model of theirs has looked up and what a tracepoint has printed is not for agents.
func TestAgentsDoNotReadWhatOthersLookedAt(t *testing.T) {
	part := debugger.Variable{Name: "token[:4]", Type: "string", Value: "a7Qx"}
	events := []session.Event{
		{Body: &session.Evaluated{Input: "print token[:4]", Result: part, Lines: []session.Line{{Text: "a7Qx"}}, Values: []debugger.Variable{part}, Text: "a7Qx", Err: "a7Qx"}},
		{Body: &session.Probed{Tool: "eval", Result: "a7Qx", Err: "a7Qx"}},
		{Body: &session.Questioned{Question: "q1", Text: "What is it?"}},
		{Body: &session.Replied{Question: "q1", Text: "It begins with a7Qx."}},
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

// Of a check an agent gets what comes from the source. All else is what the check itself says may
// leave: a run prints what it likes, and a compiler tells the values of constants.
func TestAgentsDoNotReadWhatRunsAndCompilersSay(t *testing.T) {
	given := map[string]string{}
	for _, name := range []string{verdict.Scope, verdict.Parse, verdict.Build, verdict.Vet, verdict.Rerun, verdict.Regression, verdict.Tests, verdict.Masking, "a new one"} {
		for _, status := range []verdict.Status{verdict.Pass, verdict.Fail, verdict.Warn, verdict.Skip, verdict.Inconclusive} {
			k := (&server{}).checkForAgent(verdict.Check{Name: name, Status: status, Detail: "a7Qx", Output: "b8Ry", Elsewhere: "5 tests"})
			if strings.Contains(k.Output, "b8Ry") {
				t.Errorf("an agent reads the output of %s, %s", name, status)
			}
			if strings.Contains(k.Detail, "a7Qx") {
				given[name] += string(status) + " "
			} else if !strings.Contains(k.Detail, "5 tests") {
				t.Errorf("of %s, %s an agent gets %q", name, status, k.Detail)
			}
		}
	}
	want := map[string]string{verdict.Scope: "pass skip ", verdict.Parse: "pass skip ", verdict.Build: "pass skip ", verdict.Vet: "pass skip ",
		verdict.Rerun: "skip ", verdict.Masking: "pass warn skip "}
	if !maps.Equal(given, want) {
		t.Errorf("given whole: %q", given)
	}
}

// How a fix fails is a small part of what it has read, so that not many may fail.
func TestFailuresOfAnAgentAreBounded(t *testing.T) {
	var f failures
	for range mostFailures {
		for _, failed := range []bool{false, true} {
			settle, err := f.begin()
			if err != nil {
				t.Fatal(err)
			}
			settle(failed)
		}
	}
	for range 2 {
		if _, err := f.begin(); err == nil {
			t.Error("another one is proved")
		}
	}
}

// What a patch answers when its functions are called again is its own choice, and may be
// what it has read: an agent hears how many answers change.
func TestAgentsDoNotReadWhatAPatchAnswers(t *testing.T) {
	for _, b := range []verdict.Behavior{
		{Status: verdict.Warn, Detail: "changes 1 answer: f(0) returns 1, now a7Qx", Tried: 1, Changed: 1, Rows: []verdict.BehaviorRow{{Input: "f(0)", Before: "returns 1", After: "a7Qx"}}},
		{Status: verdict.Pass, Detail: "same on 1 input", Tried: 1, Same: 1, Apart: []verdict.Apart{{From: "c2", Input: "f(0)", There: "a7Qx", Here: "a7Qx"}}},
		{Status: verdict.Skip, Detail: "not compared: f a7Qx"},
	} {
		events := []session.Event{{Body: &session.Compared{Candidate: "c1", Behavior: b}}}
		if text := string(session.Markdown(events)); !strings.Contains(text, "a7Qx") {
			t.Fatalf("the log does not have it: %s", text)
		}
		if out := changeOf(b); strings.Contains(fmt.Sprint(*out), "a7Qx") || !strings.Contains(out.Detail, b.Short()) {
			t.Errorf("an agent gets %+v", *out)
		}
		for _, sends := range []bool{false, true} {
			s := server{opts: Options{SendOutput: sends}}
			if text := string(session.Markdown(s.eventsForAgent(events))); strings.Contains(text, "a7Qx") || !strings.Contains(text, b.Short()) {
				t.Errorf("an agent reads %s", text)
			}
		}
	}
}

// A fix that is remembered may be of another repository, whose code no agent is to read before a
// person has taken it into this one.
func TestAgentsDoNotReadRememberedFixes(t *testing.T) {
	c := patch.Candidate{ID: "c1", Source: patch.Source{Provider: "memory", Model: "memory/3f2a"}, Title: "use a7Qx", Explanation: "a7Qx", Warnings: []string{"a7Qx"},
		Edits: []patch.Edit{{File: "x.go", Before: "package x\n", After: "package x // a7Qx\n"}}}
	checks := []verdict.Check{{Name: verdict.Build, Status: verdict.Fail, Detail: "undefined: a7Qx", Elsewhere: "undefined: a7Qx", Output: "a7Qx"}, {Name: "masking", Status: verdict.Warn, Detail: "it leaves out a7Qx"}}
	v := verdict.Verdict{Checks: checks, How: "returns a7Qx", Evidence: []verdict.Evidence{{Detail: "a7Qx"}}, Printed: "a7Qx"}
	events := []session.Event{{Body: &session.Proposed{Candidate: c}}, {Body: &session.Checked{Candidate: "c1", Check: checks[0]}}, {Body: &session.Checked{Candidate: "c1", Check: checks[1]}}, {Body: &session.Proved{Candidate: "c1", Verdict: v}}}
	for _, body := range (&server{opts: Options{SendOutput: true}}).eventsForAgent(events) {
		text, err := json.Marshal(body.Body)
		if err != nil || strings.Contains(string(text), "a7Qx") {
			t.Errorf("an agent reads %s, %v", text, err)
		}
	}
	s := &server{seat: pair.New(pairtest.New(), pair.Options{}).Host(), opts: Options{SendOutput: true}}
	out := s.describe(session.NewState(), session.CandidateRecord{Candidate: c, Checks: checks, Verdict: &v})
	if text := fmt.Sprintf("%+v", out) + s.diffForAgent(session.CandidateRecord{Candidate: c}); strings.Contains(text, "a7Qx") {
		t.Errorf("an agent gets %s", text)
	}
	if out := s.describe(session.NewState(), session.CandidateRecord{Candidate: c, Decision: session.Approved}); !strings.Contains(out.Diff, "a7Qx") {
		t.Errorf("what is applied is withheld: %+v", out)
	}
}
