package roster

import (
	"fmt"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/flags"
	"github.com/pausetui/pausetui/llm/choose"
	"github.com/pausetui/pausetui/llm/providers"
	"github.com/pausetui/pausetui/prompts"
)

// defaultProfile is asked if a person names none.
const defaultProfile = "default"

// Choose fills in which models are asked: those named by --model and
// --profile, else the profile "default", else the one that suits the stop best.
// It sends no provider anything: that happens while the target runs.
func Choose(f *flags.Models, o *options.Session, settings config.Config) (*Roster, error) {
	if err := checkPrompt(config.Root(o.Target.Dir), f.Prompt); err != nil {
		return nil, err
	}
	o.Fixes.Models.Caution = choose.Caution // what the corpus showed counts offline, too
	if f.Offline {
		o.Fixes.StatusLine = "offline: built-in fixer only"
		return nil, nil //nolint:nilnil // there is no roster offline, as setup says
	}
	r, err := New(f, settings, o.Target.Dir, o.Log.Dir)
	if err != nil {
		return nil, err
	}
	for _, name := range f.ModelNames {
		p, err := r.model(name, config.Profile{Model: name})
		if err != nil {
			return nil, err
		}
		o.Fixes.Profiles = append(o.Fixes.Profiles, p)
	}
	names := f.Profiles
	if _, ok := r.settings.Profiles[defaultProfile]; ok && len(names) == 0 && len(f.ModelNames) == 0 {
		names = []string{defaultProfile}
	}
	for _, name := range names {
		p, err := r.profile(name)
		if err != nil {
			return nil, err
		}
		o.Fixes.Profiles = append(o.Fixes.Profiles, p)
	}
	o.Fixes.AskAtOnce = len(o.Fixes.Profiles) > 0
	if len(o.Fixes.Profiles) == 0 && r.chooses() {
		o.Fixes.Profiles = []options.Profile{r.auto(choose.Auto, config.Profile{})}
	}
	o.Fixes.Models.Look, o.Fixes.Models.Choose, o.Fixes.Models.Lookup, o.Fixes.Models.Record = r.look, r.choose, r.lookup, r.record
	return r, nil
}

// checkPrompt looks at --prompt before anything is built. If the person's own files
// have mistakes, the prompt may be in one of them; that is reported when it is used.
func checkPrompt(root, name string) error {
	if name == "" || name == choose.Auto {
		return nil
	}
	library, mistakes := prompts.Scan(prompts.Dirs(root)...)
	p, err := library.Get(name)
	switch {
	case err != nil && len(mistakes) == 0:
		return cli.UsageError(fmt.Errorf("--prompt: %w", err))
	case err == nil && p.Task != prompts.Fix:
		return cli.UsageError(fmt.Errorf("--prompt: %q is of the task %s; want one for fixes", name, p.Task))
	}
	return nil
}

// model makes a profile of a model, with settings.
func (r *Roster) model(name string, s config.Profile) (options.Profile, error) {
	if s.Model == "" || s.Model == choose.Auto {
		return r.auto(name, s), nil
	}
	source, model, err := providers.Split(s.Model)
	if err != nil {
		return options.Profile{}, cli.UsageError(err)
	}
	provider, err := r.set.Provider(source)
	if err != nil {
		return options.Profile{}, cli.UsageError(err)
	}
	p := r.auto(name, s)
	p.Provider, p.Source, p.Model = provider, source, model
	return p, nil
}

// auto is a profile whose model is still open.
func (r *Roster) auto(name string, s config.Profile) options.Profile {
	p := options.Profile{Name: name, Prompt: s.Prompt, Temperature: s.Temperature, Candidates: s.Candidates,
		MaxTokens: s.MaxTokens, Price: options.Price{Prompt: s.In, Answer: s.Out}}
	if r.flags.Prompt != "" {
		p.Prompt = r.flags.Prompt
	}
	if p.Prompt == choose.Auto {
		p.Prompt = ""
	}
	return p
}

// profile makes the profile of that name in the configuration, or auto.
func (r *Roster) profile(name string) (options.Profile, error) {
	s, ok := r.settings.Profiles[name]
	switch {
	case ok:
		return r.model(name, s)
	case name == choose.Auto:
		return r.auto(name, config.Profile{}), nil
	}
	hint := "profiles are in .pausetui/config.toml: [profiles." + name + "] model = \"ollama/NAME\""
	if near := config.Nearest(name, sortedNames(r.settings.Profiles)); near != "" {
		hint = "did you mean " + near + "?"
	}
	return options.Profile{}, cli.UsageError(advice.Add(fmt.Errorf("there is no profile %q", name), hint))
}
