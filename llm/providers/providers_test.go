package providers_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/ollama/ollamatest"
	"github.com/pausetui/pausetui/llm/providers"
	"github.com/pausetui/pausetui/llm/retry"
)

func TestSplit(t *testing.T) {
	for id, want := range map[string][2]string{
		"ollama/qwen3-coder:30b": {"ollama", "qwen3-coder:30b"}, "openai/org/model": {"openai", "org/model"}, "replay/a/b.json": {"replay", "a/b.json"},
	} {
		if p, m, err := providers.Split(id); err != nil || p != want[0] || m != want[1] {
			t.Errorf("%s: %s, %s, %v", id, p, m, err)
		}
	}
	for _, id := range []string{"", "x", "/x", "x/"} {
		if _, _, err := providers.Split(id); err == nil || !strings.Contains(advice.Of(err), "ollama/") {
			t.Errorf("%q: %v", id, err)
		}
	}
}

func TestUserNamesAProvider(t *testing.T) {
	s := ollamatest.New(t, ollamatest.Model{Name: "m:7b", Script: ollamatest.Turns(ollamatest.Fail(503, "server busy"), ollamatest.Answer("ok"))})
	waits := 0
	set := providers.NewSet(providers.Settings{
		Name: "gpu", Kind: "ollama", BaseURL: s.URL,
		Prices: map[string]providers.Price{"m*": {Prompt: 2e6, Answer: 1e6}, "other": {Prompt: 1}},
		Retry:  retry.Options{First: time.Millisecond, OnRetry: func(retry.Wait) { waits++ }},
	})
	m, err := set.Open(t.Context(), "gpu/m:7b")
	if err != nil || m.Info().Provider != "gpu" {
		t.Fatalf("%+v, %v", m, err)
	}
	got, err := m.Complete(t.Context(), llm.Request{Messages: []llm.Message{{Role: "user", Text: "why?"}}}, nil)
	if err != nil || waits != 1 || got.Cost != float64(2*got.PromptTokens+got.Tokens) || got.Cost == 0 {
		t.Errorf("%+v, %v, waited %d times", got, err, waits)
	}
	p, err := set.Provider("gpu")
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := set.Provider("gpu"); again != p {
		t.Error("made twice")
	}
	if _, ok := llm.Find[llm.Puller](p); !ok {
		t.Error("the provider cannot pull any more")
	}
	if _, err := set.Open(t.Context(), "gpu/nothing"); !errors.Is(err, llm.ErrUnknownModel) {
		t.Errorf("%v", err)
	}
}

func TestMistakes(t *testing.T) {
	set := providers.NewSet(providers.Settings{Name: "work", Kind: "olama"})
	for name, hint := range map[string]string{"work": "there are", "nobody": "ollama"} {
		if _, err := set.Provider(name); err == nil || !strings.Contains(advice.Of(err), hint) {
			t.Errorf("%s: %v", name, err)
		}
	}
	t.Setenv("PAUSETUI_TEST_KEY", "")
	if _, err := providers.New(providers.Settings{Name: "x", Kind: "ollama", KeyEnv: "PAUSETUI_TEST_KEY"}); err == nil || !strings.Contains(err.Error(), "PAUSETUI_TEST_KEY") {
		t.Errorf("%v", err)
	}
}
