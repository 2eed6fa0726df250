package replay_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/replay"
)

// scripted answers one thing after the other.
type scripted struct {
	answers []llm.Answer
	err     error
}

func (s *scripted) Info() llm.Info {
	return llm.Info{Provider: "ollama", Name: "m:7b", Family: "qwen", Context: 4096, Remote: true}
}
func (s *scripted) Models(context.Context) ([]llm.Info, error)      { return nil, nil }
func (s *scripted) Open(context.Context, string) (llm.Model, error) { return s, nil }
func (s *scripted) Complete(_ context.Context, _ llm.Request, onText func(string)) (llm.Answer, error) {
	if len(s.answers) == 0 {
		return llm.Answer{}, s.err
	}
	a := s.answers[0]
	s.answers = s.answers[1:]
	onText(a.Text)
	return a, nil
}

func ask(text string, seed int) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: "user", Text: text}}, Seed: seed}
}

func open(t *testing.T, o replay.Options, path string) llm.Model {
	t.Helper()
	m, err := replay.New(o).Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func want(t *testing.T, m llm.Model, q llm.Request, text string) {
	t.Helper()
	var shown strings.Builder
	got, err := m.Complete(t.Context(), q, func(s string) { shown.WriteString(s) })
	if err != nil || got.Text != text || shown.String() != text {
		t.Errorf("%q: %+v, shown %q, %v; want %q", q.Messages[0].Text, got, shown.String(), err, text)
	}
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRecordAndReplay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "answers.jsonl")
	call := llm.Call{ID: "1", Name: "eval", Arguments: map[string]any{"expr": "idx"}}
	source := &scripted{err: llm.ErrCut, answers: []llm.Answer{
		{Text: "first answer", Tokens: 2, PromptTokens: 9, Took: time.Second, FirstToken: time.Millisecond}, {Text: "of seed two"}, {Text: "calls", Calls: []llm.Call{call}},
	}}
	m, err := replay.Record(source, replay.File(path)).Open(t.Context(), "m:7b")
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []llm.Request{ask("a", 1), ask("a", 2), ask("b", 1), ask("c", 1)} {
		if _, err := m.Complete(t.Context(), q, func(string) {}); err != nil && !errors.Is(err, llm.ErrCut) {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}

	again := open(t, replay.Options{Strict: true}, path)
	if i := again.Info(); i.Provider != "replay" || i.Name != path || i.Family != "qwen" || i.Context != 4096 || i.Remote {
		t.Errorf("%+v", i)
	}
	if got, err := again.Complete(t.Context(), ask("b", 1), nil); err != nil || !reflect.DeepEqual(got.Calls, []llm.Call{call}) {
		t.Errorf("%+v, %v", got, err)
	}
	want(t, again, ask("a", 2), "of seed two") // whatever the order
	want(t, again, ask("a", 1), "first answer")
	want(t, again, ask("a", 1), "first answer") // the same question again
	if _, err := again.Complete(t.Context(), ask("c", 1), nil); !errors.Is(err, llm.ErrCut) {
		t.Errorf("the recorded error: %v", err)
	}
	if _, err := again.Complete(t.Context(), ask("never asked", 1), nil); !errors.Is(err, replay.ErrExhausted) {
		t.Errorf("strict: %v", err)
	}
}

func TestOrder(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "2.md", "second")
	write(t, dir, "1.md", "first")
	write(t, dir, "notes.txt", "not an answer")
	p := replay.New(replay.Options{})
	for _, text := range []string{"first", "second"} {
		m, err := p.Open(t.Context(), dir) // goes on where it was
		if err != nil {
			t.Fatal(err)
		}
		want(t, m, ask("x", 1), text)
	}
	m, _ := p.Open(t.Context(), dir)
	if _, err := m.Complete(t.Context(), ask("x", 1), nil); !errors.Is(err, replay.ErrExhausted) {
		t.Errorf("%v", err)
	}
}

// A session's journal is a recording of what the models answered in it.
func TestJournal(t *testing.T) {
	path := write(t, t.TempDir(), "s.jsonl", `{"v":1,"kind":"header","actor":"engine","body":{"dir":"/x"}}
{"v":1,"kind":"prompted","actor":"engine","body":{"request":"a2","prompt":"=== user ===\nsecond\n"}}
{"v":1,"kind":"prompted","actor":"engine","body":{"request":"a1","prompt":"=== user ===\nfirst\n"}}
{"v":1,"kind":"answered","actor":"engine","body":{"request":"b1","took":5}}
{"v":1,"kind":"answered","actor":"model:ollama/m:7b","body":{"request":"a1","text":"one","tokens":1}}
{"v":1,"kind":"answered","actor":"model:ollama/m:7b","body":{"request":"a2","text":"two"}}
{"v":1,"kind":"answ`)
	m := open(t, replay.Options{}, path)
	want(t, m, ask("second", 1), "two")
	want(t, m, ask("first", 1), "one")
}

func TestPaceAndCancel(t *testing.T) {
	path := write(t, t.TempDir(), "a.jsonl", `{"kind":"answer","text":"a b","first_token":1000000,"took":3600000000000}`)
	m := open(t, replay.Options{Pace: 1}, path)
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := m.Complete(ctx, ask("x", 1), func(string) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	m = open(t, replay.Options{Pace: 1e9}, path)
	want(t, m, ask("x", 1), "a b")
}

func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "empty.jsonl", "")
	write(t, dir, "odd.json", `{"kind":"answer","text":"x"} {"kind":3}`)
	p := replay.New(replay.Options{Dir: dir})
	if _, err := p.Open(t.Context(), "none.jsonl"); !errors.Is(err, llm.ErrUnknownModel) || advice.Of(err) == "" {
		t.Errorf("%v", err)
	}
	if _, err := p.Open(t.Context(), "empty.jsonl"); err == nil || !strings.Contains(err.Error(), "holds no answer") {
		t.Errorf("%v", err)
	}
	if _, err := p.Open(t.Context(), "odd.json"); err == nil || !strings.Contains(err.Error(), "odd.json: answer 2") {
		t.Errorf("%v", err)
	}
	list, err := p.Models(t.Context())
	if err != nil || len(list) != 2 || list[0].Name != "empty.jsonl" || list[0].Provider != "replay" {
		t.Errorf("%+v, %v", list, err)
	}
	only := replay.New(replay.Options{Dir: write(t, dir, "only.md", "the answer")})
	if list, err := only.Models(t.Context()); err != nil || len(list) != 1 || list[0].Name != "only.md" {
		t.Errorf("%+v, %v", list, err)
	}
	m, err := only.Open(t.Context(), "only.md")
	if err != nil {
		t.Fatal(err)
	}
	want(t, m, ask("x", 1), "the answer")
	if list, err := replay.New(replay.Options{Dir: filepath.Join(dir, "no")}).Models(t.Context()); !errors.Is(err, llm.ErrUnavailable) {
		t.Errorf("%+v, %v", list, err)
	}
}
