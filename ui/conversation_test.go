package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/conversation"
	"github.com/pausetui/pausetui/ui/layout"
)

func asker() patch.Source {
	return patch.Source{Provider: "ollama", Model: "qwen3-coder:30b", Prompt: "ask"}
}

// reply is an answer with all kinds of markdown, citations, and what must not
// reach the terminal or do anything.
const reply = "`x.terms` is **nil** because [NewIndex](https://example.com) leaves it out: [index.go:20] returns `&Index{docs: docs}` without it.\n\n" +
	"## How it got here\n\n- [frame 4] calls Add for every word, with [x] as it was made;\n- Add [index.go:43] writes to [x.terms], and a write to a nil map panics.\n\n" +
	"```go\nfunc NewIndex(docs []Doc) *Index {\n\treturn &Index{docs: docs, terms: map[string][]int{}}\n}\n```\n" +
	"\x1b[31mred\x1b[0m\x07 see a[i], [sic] and [restart], or [y.gone].\n"

// sceneConversation is a conversation, with a second answer under way.
func sceneConversation() *fakeEngine {
	f := sceneStopped()
	at := debugger.FrameRef{Goroutine: 1, Frame: 3}
	f.add(&session.Questioned{Question: "q1", Text: "why is x.terms nil?", At: at, Source: asker()},
		&session.Probed{Request: "q1", Tool: "eval", Arguments: map[string]string{"expr": "x.terms"}, Result: "x.terms = nil"},
		&session.Probed{Request: "q1", Tool: "source", Arguments: map[string]string{"of": "NewIndex"}, Result: "func NewIndex"},
		&session.Probed{Request: "q1", Tool: "eval", Arguments: map[string]string{"expr": `os.Remove("go.mod")`}, Err: "eval: functions cannot be called"},
		&session.Replied{Question: "q1", Source: asker(), Text: reply, Tokens: 212, Took: 4300 * time.Millisecond},
		&session.Questioned{Question: "q2", Text: "who else makes an Index?", At: at, Source: asker()},
		&session.Probed{Request: "q2", Tool: "find", Arguments: map[string]string{"identifier": "Index"}})
	f.live.Reply = &live.Reply{Question: "q2", Text: "Only main does, in [main.go:15]", Tokens: 9, Since: f.clock.Add(-2300 * time.Millisecond)}
	f.live.Version++
	return f
}

// chosen presses tab until the citation of that text is selected.
func (s *stage) chosen(want conversation.Citation) {
	s.t.Helper()
	for range 12 {
		s.press("tab")
		s.lines()
		if c, ok := s.Dialog.(*conversation.Dialog).Selected(); ok && c == want {
			s.press("enter")
			return
		}
	}
	s.t.Fatalf("no citation %+v can be selected", want)
}

func TestCitationsLeadToWhatTheyName(t *testing.T) {
	for name, test := range map[string]struct {
		to    conversation.Citation
		focus int
		frame int
		shows string
	}{
		"a frame":                     {conversation.Citation{Kind: conversation.Frame, Frame: 4}, layout.Source, 4, "▶"},
		"the line of a frame":         {conversation.Citation{Kind: conversation.Line, File: "index.go", Line: 43}, layout.Source, 3, "x.terms[term]"},
		"another line":                {conversation.Citation{Kind: conversation.Line, File: "index.go", Line: 20}, layout.Source, 3, "return &Index{docs: docs}"},
		"a value":                     {conversation.Citation{Kind: conversation.Value, Expr: "x.terms"}, layout.Locals, 3, "terms"},
		"a line of an answer to come": {conversation.Citation{Kind: conversation.Line, File: "main.go", Line: 15}, layout.Source, 5, "main.go"},
	} {
		t.Run(name, func(t *testing.T) {
			s := play(t, sceneConversation(), 120, 36)
			s.press("A")
			s.chosen(test.to)
			if s.Dialog != nil || s.Focus != test.focus || s.Ctx.At.Frame != test.frame || !strings.Contains(s.screenText(), test.shows) {
				t.Errorf("focus %d, frame %d, dialog %T\n%s", s.Focus, s.Ctx.At.Frame, s.Dialog, s.screenText())
			}
			if test.to.Kind == conversation.Line {
				if _, line, _ := s.Panes.Source.Line(); line != test.to.Line {
					t.Errorf("the cursor is on line %d", line)
				}
			}
			if i := s.fake.last(); i != nil {
				t.Errorf("it did %#v", i)
			}
			if test.to.Kind == conversation.Line && test.frame == 3 { // another frame ends it
				s.press("2", "down")
				if _, line, _ := s.Panes.Source.Line(); line == test.to.Line {
					t.Error("the line stays when another frame is selected")
				}
			}
		})
	}
}

// A question to a model elsewhere waits for consent, which is asked for over
// the conversation and gives it back.
func TestConsentIsAskedForOverTheConversation(t *testing.T) {
	wanted := live.Wanted{Host: "ollama.com", Model: "ollama/big:cloud"}
	for key, given := range map[string]bool{"y": true, "n": false} {
		f := sceneConversation()
		s := play(t, f, 80, 24)
		s.press("A", "w")
		f.setLive(func(l *live.State) { l.Consent = &wanted })
		s.catchUp()
		if _, ok := s.Dialog.(*conversation.Dialog); !ok {
			t.Fatal("the question came into the middle of a line")
		}
		s.press("backspace")
		if !strings.Contains(s.screenText(), "Send this to ollama.com?") {
			t.Fatalf("nothing is asked:\n%s", s.screenText())
		}
		f.clock = f.clock.Add(common.Deaf)
		s.send(keyPress(key))
		if want := (intent.Consent{Host: "ollama.com", Model: "ollama/big:cloud", Given: given}); f.last() != want {
			t.Errorf("%s leads to %+v", key, f.last())
		}
		f.setLive(func(l *live.State) { l.Consent = nil })
		f.add(&session.Consented{Host: "ollama.com", Model: "ollama/big:cloud", Given: given})
		s.catchUp()
		if _, ok := s.Dialog.(*conversation.Dialog); !ok {
			t.Errorf("after %s the conversation is %T", key, s.Dialog)
		}
	}
}

// The cursor is on the value, also where the locals had no room before.
func TestAValueIsSelectedInTheLocals(t *testing.T) {
	s := play(t, sceneConversation(), 80, 24)
	s.press("A")
	s.chosen(conversation.Citation{Kind: conversation.Value, Expr: "x.terms"})
	selected, _, _ := strings.Cut(s.Ctx.Theme.Selected.Render("|"), "|")
	for _, l := range s.lines() {
		if strings.Contains(l, selected) && strings.Contains(l, "terms") {
			return
		}
	}
	t.Errorf("x.terms is not selected:\n%s", s.screenText())
}

// No word of an answer runs a command, and control sequences do not reach the
// terminal.
func TestAnswersOnlyShow(t *testing.T) {
	s := play(t, sceneConversation(), 120, 36)
	s.press("A")
	s.lines()
	for range 20 {
		s.press("tab")
		s.lines()
		if c, ok := s.Dialog.(*conversation.Dialog).Selected(); ok && (c.Expr == "restart" || c.Expr == "sic" || c.Expr == "i" || c.Expr == "y.gone") {
			t.Errorf("%q is taken for a value", c.Expr)
		}
	}
	for _, l := range s.lines() {
		if strings.ContainsAny(l, "\x07") || strings.Contains(l, "\x1b[31mred") {
			t.Errorf("control sequences are drawn: %q", l)
		}
	}
}

func TestAskingFromTheConversationAndTheCommandLine(t *testing.T) {
	f := sceneStopped()
	s := play(t, f, 100, 30)
	at := debugger.FrameRef{Goroutine: 1, Frame: 3}
	s.press("A", "w", "h", "y", "?", "enter")
	if got := f.last(); got != (intent.AskQuestion{At: at, Text: "why?"}) {
		t.Fatalf("asked %#v", got)
	}
	f.add(&session.Questioned{Question: "q1", Text: "why?", At: at, Source: asker()})
	f.setLive(func(l *live.State) { l.Reply = &live.Reply{Question: "q1", Since: f.clock} })
	s.catchUp()
	s.press("a", "n", "d", "enter") // waits for the answer under way
	if got := f.last(); got != (intent.AskQuestion{At: at, Text: "why?"}) {
		t.Errorf("asked %#v while an answer was under way", got)
	}
	s.press("ctrl+c")
	if got := f.last(); got != (intent.CancelQuestion{}) || s.Dialog == nil {
		t.Errorf("ctrl+c did %#v", got)
	}
	s.press("esc")
	if s.Dialog != nil {
		t.Error("esc does not close it")
	}
	for _, line := range []string{"ask who", "explain"} {
		s.press(":")
		for _, r := range line {
			k := string(r)
			if k == " " {
				k = "space"
			}
			s.press(k)
		}
		s.press("enter")
		if got := f.last(); got != (intent.Evaluate{At: at, Input: line, Seen: s.Ctx.State.Seq}) {
			t.Errorf("%q did %#v", line, got)
		}
		if _, ok := s.Dialog.(*conversation.Dialog); !ok || s.Commanding {
			t.Errorf("%q opens %T", line, s.Dialog)
		}
		s.press("esc")
	}
}
