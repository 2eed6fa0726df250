package ui

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/prompts/redact"
	"github.com/pausetui/pausetui/ui/dialog"
)

// previewed is a question as the engine prepares it.
func previewed() *live.Preview {
	library, err := prompts.Load()
	if err != nil {
		panic(err)
	}
	p, err := library.Get("whole-function")
	if err != nil {
		panic(err)
	}
	stop := "```text data\nassignment to entry in nil map\n```\nIt stopped at index.go:27 in (*Index).Add."
	return &live.Preview{Profile: "qwen", Draft: &intent.Draft{
		Profile: p, Model: llm.Info{Provider: "ollama", Name: "qwen3-coder:30b"}, Budget: 12000, Redacted: 1,
		Hidden: []prompts.Hidden{{Section: prompts.SectionValues, Finding: redact.Finding{Kind: "GitHub token", Line: 3, Mark: "[redacted 0a1b2c]"}}},
		Sections: []prompts.Section{
			{Key: prompts.SectionStop, Title: "What happened", Text: stop, Tokens: 120, Budget: 960},
			{Key: prompts.SectionLine, Title: "The faulting line", Text: "x.docs[word] = append(x.docs[word], doc)", Tokens: 95, Budget: 960},
			{Key: prompts.SectionFunction, Title: "The function it is in", Text: "```go\nfunc (x *Index) Add(word string, doc int) {\n}\n```", Tokens: 310, Budget: 3600},
			{Key: prompts.SectionValues, Title: "Values", Text: "x.docs = nil", Tokens: 1890, Budget: 1920, Left: 14},
		},
	}}
}

func TestAPromptIsEditedAndSent(t *testing.T) {
	old := previewed()
	d := dialog.NewPreview("", "it came back", old)
	d.Take(old)
	if out := d.Key(keyPress("enter")); out.Do != nil {
		t.Errorf("an earlier question was sent: %+v", out)
	}
	d.Take(previewed())
	key := func(k string) dialog.Outcome { return d.Key(keyPress(k)) }
	if out := key("e"); !strings.Contains(out.Do.(dialog.EditPrompt).Text, "=== system ===") {
		t.Errorf("the editor is given %q", out.Do)
	}
	d.Edited("=== user ===\nWhy?\n")
	out := key("enter")
	ask, ok := out.Do.(intent.Ask)
	if !ok || !out.Close || ask.Profile != "qwen" || ask.Reason != "it came back" {
		t.Fatalf("enter leads to %+v", out)
	}
	messages, err := ask.Draft.Messages()
	if err != nil || len(messages) != 1 || messages[0].Text != "Why?" {
		t.Errorf("sent is %q, %v", messages, err)
	}
	key("w")
	for _, k := range "ok" {
		key(string(k))
	}
	key("enter")
	if ask = key("enter").Do.(intent.Ask); ask.Draft.Expected != "ok" || len(ask.Draft.Edited) > 0 {
		t.Errorf("the draft expects %q, edited %q", ask.Draft.Expected, ask.Draft.Edited)
	}
}
