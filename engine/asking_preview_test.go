package engine

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/engine/ask"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/session"
)

// previewed waits for a prompt that was asked to be shown.
func (p *player) previewed() *live.Preview {
	p.t.Helper()
	var v *live.Preview
	testsupport.Eventually(p.t, "the prompt is there", func() bool {
		u, _ := p.engine.Wait(p.t.Context(), math.MaxUint64, 0)
		v = u.Live.Preview
		return v != nil && (v.Draft != nil || v.Err != "")
	})
	return v
}

// What a person has looked at and changed is what is sent, to the letter; what
// they dropped and expected holds for the tries after it.
func TestThePreviewedPromptIsSent(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	opts, model := askingOptions(module(t, shelves), 1, shelfOf("return eight"), shelfOf("return 9"))
	opts.Fixes.AskAtOnce = false
	p := play(t, opts)
	p.until("it has stopped", func(s session.State) bool { return s.CaseIndex() >= 0 })
	p.engine.Do(intent.PreviewPrompt{})
	v := p.previewed()
	if v.Err != "" || v.Profile != "test" || v.Draft.Profile.Name != "whole-function" || v.Draft.Tokens() < 300 || v.Draft.Budget < 1000 {
		t.Fatalf("%+v", v)
	}
	if len(model.prompts()) != 0 {
		t.Fatal("a preview was sent")
	}
	d := v.Draft.Without("callers", "types").Expecting("an item without a shelf belongs on shelf 9")
	for _, s := range d.Sections {
		if s.Key == "callers" {
			t.Errorf("dropped, and still there: %+v", s)
		}
	}
	messages, err := d.Messages()
	if err != nil {
		t.Fatal(err)
	}
	p.engine.Do(intent.Ask{Draft: &d})
	p.until("the try and the one for its failure are proved", settled(2))
	asked := model.prompts()
	if asked[0] != ask.PromptText(messages) {
		t.Errorf("sent:\n%s\nshown:\n%s", asked[0], ask.PromptText(messages))
	}
	for i, prompt := range asked {
		if !strings.Contains(prompt, "The developer says: an item without a shelf belongs on shelf 9") || strings.Contains(prompt, "## Who called it") {
			t.Errorf("request %d:\n%s", i+1, prompt)
		}
	}
	if !strings.Contains(asked[1], "undefined: eight") {
		t.Errorf("the second does not say what failed:\n%s", asked[1])
	}
}

// Edited messages are sent once, as they are.
func TestAnEditedPromptIsSent(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	opts, model := askingOptions(module(t, shelves), -1, shelfOf("return 9"))
	opts.Fixes.AskAtOnce = false
	p := play(t, opts)
	p.until("it has stopped", func(s session.State) bool { return s.CaseIndex() >= 0 })
	p.engine.Do(intent.PreviewPrompt{Profile: "test"})
	d := p.previewed().Draft.With([]llm.Message{{Role: "user", Text: "my own words"}})
	p.engine.Do(intent.Ask{Profile: "test", Draft: &d})
	s := p.until("it is proved", settled(1))
	if asked := model.prompts(); len(asked) != 1 || asked[0] != "=== user ===\nmy own words\n" {
		t.Errorf("sent %q", asked)
	}
	if prompt := s.Requests[len(s.Requests)-1].Asked.Prompt; !strings.Contains(prompt, "my own words") {
		t.Errorf("the log has %q", prompt)
	}
}

// A prompt that does not fit the model is replaced by one that does, with a
// word; so is one with a mistake in its file.
func TestAPromptThatDoesNotFitIsReplaced(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	opts, _ := askingOptions(module(t, shelves), -1, shelfOf("return 9"))
	opts.Fixes.Profiles[0].Prompt = "investigate"
	broken := filepath.Join(opts.Target.Dir, ".pausetui", "prompts")
	if err := errors.Join(os.MkdirAll(broken, 0o755), os.WriteFile(filepath.Join(broken, "mine.md"), []byte("---\ntask: fixx\n---\n# User\nu\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	p := play(t, opts)
	s := p.until("it is proved", settled(1))
	used := ""
	for _, e := range p.events {
		if sent, ok := e.Body.(*session.Prompted); ok {
			used += sent.Source.Prompt
		}
	}
	if used != "whole-function" {
		t.Errorf("asked with %q", used)
	}
	said := ""
	for _, n := range s.Notices {
		said += n.Text + "\n"
	}
	if !strings.Contains(said, "investigate: tools missing") || !strings.Contains(said, "whole-function is used instead") ||
		!strings.Contains(said, `mine.md:2: task: no such value "fixx"; did you mean "fix"?`) {
		t.Errorf("said:\n%s", said)
	}
}
