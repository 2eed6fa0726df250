// Package roster lists the models that a session can ask: the profiles of the
// configuration, and what the providers have. It does not know how a model is asked.
package roster

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli/flags"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/catalog"
	"github.com/pausetui/pausetui/llm/choose"
	"github.com/pausetui/pausetui/llm/ollama"
	"github.com/pausetui/pausetui/llm/providers"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/session"
)

// lookWait bounds the look at the providers at the start of a session.
const lookWait = 3 * time.Second

// Roster is the models that a session can ask: the profiles of the
// configuration, and whatever the providers have.
type Roster struct {
	*choose.Matcher
	flags    *flags.Models
	settings config.Config
	set      *providers.Set
	suits    func(class string, m llm.Info) []string // names of prompts, the best first
	broken   []error                                 // providers that are configured and cannot be used
}

// New makes the roster of the module around dir; it sends no provider
// anything.
func New(f *flags.Models, settings config.Config, dir, logDir string) (*Roster, error) {
	root := config.Root(dir)
	r := &Roster{flags: f, settings: settings, set: Providers(settings), suits: suitable(root)}
	var sources []catalog.Source
	for name, s := range settings.Providers {
		p, err := r.set.Provider(name)
		if err != nil {
			r.broken = append(r.broken, err)
			continue
		}
		sources = append(sources, catalog.Source{Name: name, Where: address(p, s), Provider: p})
	}
	slices.SortFunc(sources, func(a, b catalog.Source) int { return strings.Compare(a.Name, b.Name) })
	logs, err := session.FindDir(root, logDir)
	if err != nil {
		return nil, err
	}
	r.Matcher = choose.New(choose.Options{
		Sources: sources, Prompts: r.suits, Memory: catalog.Memory(), Remote: f.AllowRemote,
		Prefer: settings.Models.Prefer, Avoid: settings.Models.Avoid, Only: !settings.Models.Auto,
		Catalog: catalog.Path(), Records: choose.RecordsPath(), Bench: choose.BenchPath(), Logs: logs,
	})
	return r, nil
}

// record is what was measured of a model on a class of stop, with the prompt it
// was asked with; nil when nothing was.
func (r *Roster) record(class, model, prompt string) *session.Record {
	t := r.Results().Of(model, prompt, class)
	if t.Asked == 0 {
		return nil
	}
	return &session.Record{Asked: t.Asked, Right: t.Points()}
}

// Providers are the providers of the configuration.
func Providers(settings config.Config) *providers.Set {
	var list []providers.Settings
	for name, s := range settings.Providers {
		one := providers.Settings{Name: name, Kind: s.Kind, BaseURL: s.BaseURL, KeyEnv: s.KeyEnv, Prices: map[string]providers.Price{}}
		if s.Kind == config.KindReplay {
			one.BaseURL = s.File
		}
		for model, p := range s.Prices {
			one.Prices[model] = providers.Price{Prompt: p.In, Answer: p.Out}
		}
		list = append(list, one)
	}
	return providers.NewSet(list...)
}

// address is where a provider is.
func address(p llm.Provider, s config.Provider) string {
	if server, ok := llm.Find[*ollama.Provider](p); ok {
		return server.Host()
	}
	return s.BaseURL
}

// suitable names the prompt profiles for fixes that suit a class and a model.
// Mistakes in the files are reported when a prompt is rendered.
func suitable(root string) func(class string, m llm.Info) []string {
	library, err := prompts.LoadFor(root)
	return func(class string, m llm.Info) []string {
		if err != nil {
			return []string{prompts.Default}
		}
		fit, _ := library.Suitable(prompts.Fix, class, m, prompts.Context{})
		var names []string
		for _, p := range fit {
			names = append(names, p.Name)
		}
		return names
	}
}

// chooses reports whether a model is chosen if the person names none.
func (r *Roster) chooses() bool { return r.settings.Models.Auto || len(r.settings.Models.Prefer) > 0 }

// lookup makes a profile of what F offers: a profile's name, auto, a model's id.
func (r *Roster) lookup(name string) (options.Profile, error) {
	if _, ok := r.settings.Profiles[name]; !ok && strings.Contains(name, "/") {
		return r.model(name, config.Profile{Model: name})
	}
	return r.profile(name)
}

// choose fills in what a profile leaves open. A prompt is only named where it
// has done better than the one that suits best: else the engine finds it, which
// knows what was gathered.
func (r *Roster) choose(ctx context.Context, class string, p options.Profile) (options.Profile, string, error) {
	id := ""
	if p.Model != "" {
		id = p.Source + "/" + p.Model
	}
	if id != "" && p.Prompt != "" {
		return p, "", nil
	}
	c, err := r.Choose(ctx, class, id, p.Prompt)
	switch {
	case err != nil && id != "" && ctx.Err() == nil:
		return p, "", nil
	case err != nil:
		return p, "", err
	}
	if id == "" {
		provider, err := r.set.Provider(c.Model.Provider)
		if err != nil {
			return p, "", err
		}
		p.Provider, p.Source, p.Model = provider, c.Model.Provider, c.Model.Name
	}
	if suit := r.suits(class, c.Model.Info); p.Prompt == "" && (len(suit) == 0 || suit[0] != c.Prompt) {
		p.Prompt = c.Prompt
	}
	return p, c.Reason, nil
}

// look finds out which models there are, and says what a person should know.
func (r *Roster) look(ctx context.Context) options.Found {
	bounded, cancel := context.WithTimeout(ctx, lookWait)
	defer cancel()
	r.Look(bounded)
	return options.Found{Status: r.status(), Words: r.words(), Then: r.ProbeLoaded}
}

// status is the line of a session that chooses by itself; empty for one whose
// models were named.
func (r *Roster) status() string {
	if len(r.flags.ModelNames)+len(r.flags.Profiles) > 0 || !r.chooses() {
		return ""
	}
	if _, ok := r.settings.Profiles[defaultProfile]; ok {
		return ""
	}
	able := r.Able()
	switch {
	case len(able) == 1:
		return "f asks " + able[0].Name
	case len(able) > 1:
		return fmt.Sprintf("f asks the best of %d models", len(able))
	}
	cat := r.Catalog()
	if silent := cat.Silent(); len(cat.Models()) == 0 && len(silent) > 0 {
		return r.silent(silent[0])
	}
	if slices.ContainsFunc(cat.Models(), func(e catalog.Entry) bool { return e.Remote && catalog.CanAnswer(e.Info) }) {
		return "no local model: built-in fixer only (--allow-remote allows others)"
	}
	if s, ok := catalog.Suggest(catalog.Memory()); ok {
		return "no local model: built-in fixer only (suggestion: pausetui models pull " + s.Model + ")"
	}
	return "no local model: built-in fixer only"
}

func (r *Roster) silent(l catalog.Listing) string {
	if p, err := r.set.Provider(l.Provider); err == nil {
		if server, ok := llm.Find[*ollama.Provider](p); ok {
			return fmt.Sprintf("no Ollama at %s: built-in fixer only", server.Host())
		}
	}
	return l.Provider + " does not answer: built-in fixer only"
}

// words are what has gone wrong: profiles whose model is gone, providers that
// cannot be used, files that cannot be read.
func (r *Roster) words() []session.Notice {
	var list []session.Notice
	cat := r.Catalog()
	for _, name := range sortedNames(r.settings.Profiles) {
		id := r.settings.Profiles[name].Model
		provider, _, err := providers.Split(id)
		if _, there := cat.Find(id); err != nil || there || !cat.Answered(provider) {
			continue
		}
		hint := "pausetui models list shows them"
		if near := cat.Nearest(id); near != "" {
			hint = "nearest: " + near
		}
		list = append(list, session.Notice{Level: "warn", Text: fmt.Sprintf("profile %s names %s, which is gone", name, id), Hint: hint})
	}
	for _, err := range r.AllTrouble() {
		list = append(list, session.Notice{Level: "warn", Text: err.Error(), Hint: advice.Of(err)})
	}
	return list
}

func sortedNames[V any](m map[string]V) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Examine asks all providers what they have, within a time.
func (r *Roster) Examine(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, examineWait)
	defer cancel()
	r.Look(ctx)
}

// examineWait bounds the look at all providers.
const examineWait = 15 * time.Second

// AllTrouble is what is wrong: providers that cannot be used, files that cannot be read.
func (r *Roster) AllTrouble() []error { return slices.Concat(r.broken, r.Trouble()) }

// Provider returns the provider of a name.
func (r *Roster) Provider(name string) (llm.Provider, error) { return r.set.Provider(name) }
