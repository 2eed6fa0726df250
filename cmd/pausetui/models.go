package main

import (
	"context"
	"fmt"
	"time"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/ollama"
	"github.com/pausetui/pausetui/llm/providers"
)

// lookAround bounds the look for a running Ollama at start.
const lookAround = 500 * time.Millisecond

// chooseModels fills in which models are asked: those named by --model and
// --profile, else the profile "default", else what Ollama has installed.
func (f *targetFlags) chooseModels(ctx context.Context, o *engine.Options) error {
	if f.offline {
		o.StatusLine = "offline: built-in fixer only"
		return nil
	}
	settings, err := config.Load(config.Root(o.Dir))
	if err != nil {
		return err
	}
	f.protect(o, settings)
	set := providers.NewSet()
	for _, name := range f.models {
		p, err := f.profile(set, name, config.Profile{Model: name})
		if err != nil {
			return err
		}
		o.Profiles = append(o.Profiles, p)
	}
	names := f.profiles
	if _, ok := settings.Profiles["default"]; ok && len(names) == 0 && len(f.models) == 0 {
		names = []string{"default"}
	}
	for _, name := range names {
		s, ok := settings.Profiles[name]
		if !ok {
			return usageError(debugger.WithHint(fmt.Errorf("there is no profile %q", name), "profiles stand in .pausetui/config.toml: [profiles."+name+"] model = \"ollama/NAME\""))
		}
		p, err := f.profile(set, name, s)
		if err != nil {
			return err
		}
		o.Profiles = append(o.Profiles, p)
	}
	o.AskAtOnce = len(o.Profiles) > 0
	return f.lookForOllama(ctx, set, o)
}

// profile makes a profile of its settings.
func (f *targetFlags) profile(set *providers.Set, name string, s config.Profile) (engine.Profile, error) {
	source, model, err := providers.Split(s.Model)
	if err != nil {
		return engine.Profile{}, usageError(err)
	}
	provider, err := set.Provider(source)
	if err != nil {
		return engine.Profile{}, usageError(err)
	}
	p := engine.Profile{Name: name, Provider: provider, Source: source, Model: model, Prompt: s.Prompt, Temperature: s.Temperature, Candidates: s.Candidates}
	if f.prompt != "" {
		p.Prompt = f.prompt
	}
	return p, nil
}

// lookForOllama sees whether Ollama answers; without a chosen model the first
// local one it has serves.
func (f *targetFlags) lookForOllama(ctx context.Context, set *providers.Set, o *engine.Options) error {
	provider, err := set.Provider(ollama.Name)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, lookAround)
	defer cancel()
	models, err := provider.Models(ctx)
	if err != nil {
		if server, ok := llm.Find[*ollama.Provider](provider); ok && len(o.Profiles) == 0 {
			o.StatusLine = fmt.Sprintf("no Ollama at %s: built-in fixer only", server.Host())
		}
		return nil
	}
	if len(o.Profiles) > 0 {
		return nil
	}
	for _, m := range models {
		if m.Remote {
			continue
		}
		p, err := f.profile(set, m.Name, config.Profile{Model: ollama.Name + "/" + m.Name})
		if err != nil {
			return err
		}
		o.Profiles = append(o.Profiles, p)
		o.StatusLine = "f asks " + m.Name
		return nil
	}
	o.StatusLine = "Ollama has no local model: built-in fixer only (ollama pull NAME)"
	return nil
}
