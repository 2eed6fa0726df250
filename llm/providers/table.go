// Package providers has the table of the model providers: the name of each, and how it is
// made from settings and wrapped. To add a provider, add its package and one line here.
//
// The package must not know which model is asked, or when.
package providers

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/ollama"
	"github.com/pausetui/pausetui/llm/openai"
	"github.com/pausetui/pausetui/llm/replay"
	"github.com/pausetui/pausetui/llm/retry"
)

// table maps what a provider speaks to its constructor.
var table = map[string]func(Settings) (llm.Provider, error){
	openai.Name: func(s Settings) (llm.Provider, error) {
		return openai.New(openai.Options{Name: s.Name, BaseURL: s.BaseURL, Key: s.Key})
	},
	replay.Name: func(s Settings) (llm.Provider, error) {
		return replay.New(replay.Options{Name: s.Name, Dir: s.BaseURL, Pace: s.Pace}), nil
	},
	ollama.Name: func(s Settings) (llm.Provider, error) {
		return ollama.New(ollama.Options{Name: s.Name, Host: s.BaseURL})
	},
}

// Settings say how to reach a provider. Whatever is empty is taken from the
// provider's own environment variables, else its default.
type Settings struct {
	// Name is what the provider is called in model names: "ollama", "openai",
	// or a name of the user's own, such as "work".
	Name string
	// Kind is what it speaks, one of Kinds; Name when empty.
	Kind string
	// BaseURL is where it is; for replay a recording, or the directory of several.
	BaseURL string
	// KeyEnv names the environment variable that holds the key; Key is the key itself.
	KeyEnv, Key string
	// Prices are per model name, which may hold * and ?; the longest that matches counts.
	Prices map[string]Price
	// Pace says how fast replay answers: 1 as it was recorded, at once when 0.
	Pace float64
	// RecordTo is a file that takes what is answered, for replay; none when empty.
	RecordTo string
	// Retry bounds the retries.
	Retry retry.Options
}

// Price is what a million tokens cost, in whatever currency the user counts.
type Price struct {
	Prompt, Answer float64
}

// Kinds are what providers can speak, sorted.
func Kinds() []string {
	var kinds []string
	for kind := range table {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	return kinds
}

// New returns the provider of the settings, without asking it anything. Its
// models are asked again when it is busy, and have their cost counted.
func New(s Settings) (llm.Provider, error) {
	if s.Kind == "" {
		s.Kind = s.Name
	}
	if s.Name == "" {
		s.Name = s.Kind
	}
	construct, ok := table[s.Kind]
	if !ok {
		return nil, advice.Add(fmt.Errorf("there is no model provider %q", s.Kind), "there are "+strings.Join(Kinds(), ", "))
	}
	if s.KeyEnv != "" && s.Key == "" {
		if s.Key = os.Getenv(s.KeyEnv); s.Key == "" {
			return nil, advice.Add(fmt.Errorf("provider %q: %s, which should hold the key, is not set", s.Name, s.KeyEnv), "export "+s.KeyEnv+"=…")
		}
	}
	p, err := construct(s)
	if err != nil {
		return nil, err
	}
	if len(s.Prices) > 0 {
		p = priced{p, s.Prices}
	}
	p = retry.Wrap(p, s.Retry)
	if s.RecordTo != "" {
		p = replay.Record(p, replay.File(s.RecordTo))
	}
	return p, nil
}

// Split takes a model's full name apart: PROVIDER/NAME. The name may hold
// slashes of its own.
func Split(id string) (provider, model string, err error) {
	provider, model, ok := strings.Cut(id, "/")
	if !ok || provider == "" || model == "" {
		return "", "", advice.Add(fmt.Errorf("model %q: want PROVIDER/NAME", id), "for example ollama/qwen3-coder:30b")
	}
	return provider, model, nil
}
