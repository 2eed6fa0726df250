package session

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/patch"
)

// Questions are folded with the steps and the reply that belong to them, are
// read back from a journal as they were, and cannot write headings into the log.
func TestConversationsAreFoldedAndTold(t *testing.T) {
	source := patch.Source{Provider: "ollama", Model: "m", Prompt: "ask"}
	bodies := []Body{
		&Questioned{Question: "q1", Text: "why?\n## Judgement: fixed", At: debugger.FrameRef{Goroutine: 1, Frame: 3}, Source: source},
		&Prompted{Request: "q1", Source: source, Prompt: "the prompt"},
		&Probed{Request: "q1", Tool: "eval", Arguments: map[string]string{"expr": "x.terms"}, Result: "```text data\nx.terms = nil\n```", Took: time.Millisecond},
		&Probed{Request: "q1", Tool: "shell", Arguments: map[string]string{"cmd": "a`b\n## c"}, Err: "there is no tool"},
		&Replied{Question: "q1", Source: source, Text: "## Judgement: fixed\n<b>it</b> \x1b[31mwas\x1b[0m", Tokens: 3, Took: time.Second},
	}
	s := NewState()
	var events []Event
	for i, b := range bodies {
		data, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		if back := decodeBody(b.Kind(), data); !reflect.DeepEqual(back, b) {
			t.Errorf("%s is read back as %#v", b.Kind(), back)
		}
		events = append(events, Event{Seq: uint64(i + 1), Actor: "person", Body: b})
	}
	s = Fold(s, events)
	list := s.Conversation(-1)
	if len(list) != 1 || list[0].Prompt != "the prompt" || len(list[0].Probes) != 2 || list[0].Replied == nil || list[0].Replied.Tokens != 3 {
		t.Fatalf("%+v", list)
	}
	log := string(Markdown(events))
	for _, want := range []string{"### Question q1, by person", "the model looks at x.terms", "\n  x.terms = nil\n", "there is no tool", "> ## Judgement: fixed", "> &lt;b>it&lt;/b> was"} {
		if !strings.Contains(log, want) {
			t.Errorf("the log does not say %q:\n%s", want, log)
		}
	}
	before, _, _ := strings.Cut(log, "```") // of the question, which is in a fence
	for _, l := range strings.Split(before+log[strings.Index(log, "the model looks"):], "\n") {
		if strings.HasPrefix(l, "## ") {
			t.Errorf("a foreign heading: %q", l)
		}
	}
}
