package engine

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/config/userstate"
	"github.com/pausetui/pausetui/engine/ask"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/session"
)

// What a candidate has printed is left out of what goes to another machine by
// itself, and is in the prompt that a person looks at before it is sent.
func TestWhatWasPrintedIsSentFromThePreviewOnly(t *testing.T) {
	t.Parallel()
	const printed = "drowssap eht"
	model := &elsewhere{scripted{answers: []string{shelfOf("if name != \"\" {\n\t\tpanic(\"" + printed[:8] + "\" + \"" + printed[8:] + "\")\n\t}\n\treturn 1")}}}
	p := play(t, options.Session{Target: options.Target{Dir: module(t, shelves)}, Fixes: options.Fixes{AskAtOnce: true, MaxRounds: 1,
		Profiles: []options.Profile{{Name: "big", Provider: model, Source: "work", Model: "big"}}}, Privacy: options.Privacy{AllowRemote: true, Consents: userstate.Open(t.TempDir()).Consents()}})
	s := p.until("it was sent what failed", func(s session.State) bool { return len(model.prompts()) == 2 && len(s.Pendings()) == 0 })
	if sent := strings.Join(model.prompts(), ""); strings.Contains(sent, printed) || !strings.Contains(sent, "it still happens: a stop of the class custom in main.") {
		t.Errorf("sent:\n%s", sent)
	}
	said := ""
	for _, n := range s.Notices {
		said += n.Text + " (" + n.Hint + ")\n"
	}
	if !strings.Contains(said, "not sent to big") || !strings.Contains(said, "P shows the prompt") {
		t.Errorf("notices: %s", said)
	}
	p.engine.Do(intent.PreviewPrompt{})
	draft := p.previewed().Draft
	messages, err := draft.Messages()
	if text := ask.PromptText(messages); err != nil || !strings.Contains(text, printed) {
		t.Errorf("%v; shown:\n%s", err, text)
	}
	p.engine.Do(intent.Ask{Draft: draft})
	p.until("it is sent", func(session.State) bool { return len(model.prompts()) >= 3 })
	if sent := model.prompts()[2]; !strings.Contains(sent, printed) {
		t.Errorf("what was shown was not sent:\n%s", sent)
	}
}
