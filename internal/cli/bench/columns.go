package bench

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/bench/runner"
	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/roster"
	globs "github.com/pausetui/pausetui/internal/glob"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/catalog"
	"github.com/pausetui/pausetui/llm/ollama"
	"github.com/pausetui/pausetui/llm/providers"
	"github.com/pausetui/pausetui/llm/retry"
	"github.com/pausetui/pausetui/prompts"
)

// columnFlags are the flags that choose models and prompts.
type columnFlags struct {
	models, prompts, hosts   []string
	allowRemote, unsandboxed bool
}

func (o *columnFlags) register(s *pflag.FlagSet) {
	s.StringSliceVar(&o.models, "models", []string{matrix.Builtin}, "measure these models: builtin, `PROVIDER/GLOB`, scripted/strong, scripted/sloppy, scripted/hostile")
	s.StringSliceVar(&o.prompts, "prompts", []string{matrix.Auto}, "use the prompts that match `GLOB`, or auto for what pausetui would choose")
	s.StringSliceVar(&o.hosts, "hosts", nil, "spread the cells over the Ollama servers at `HOST:PORT,…` that have the model")
	s.BoolVar(&o.allowRemote, "allow-remote", false, "allow models that run on other machines")
	s.BoolVar(&o.unsandboxed, "allow-unsandboxed", false, "run fixes even if there is no sandbox")
}

// columns makes the columns of the plan, and finds the models.
func (o *columnFlags) columns(ctx context.Context, dir string, settings config.Config) ([]matrix.Column, map[string]runner.Model, error) {
	found, err := o.find(ctx, settings)
	if err != nil {
		return nil, nil, err
	}
	profiles, err := o.profiles(dir)
	if err != nil {
		return nil, nil, err
	}
	var columns []matrix.Column
	models := map[string]runner.Model{}
	for _, m := range found {
		if m.info.Name == "" {
			columns = append(columns, matrix.Column{Model: matrix.Builtin})
			continue
		}
		if m.info.Remote && !o.allowRemote {
			return nil, nil, advice.Add(fmt.Errorf("%s runs on another machine", m.info.ID()), "--allow-remote allows it: the code of the cases leaves this machine")
		}
		id := m.info.ID()
		if len(m.lanes) > 0 {
			models[id] = runner.Model{Lanes: m.lanes, Solo: m.solo}
		}
		m.info.Loaded = false // it says nothing about the answers
		for _, p := range profiles {
			columns = append(columns, matrix.Column{Model: id, Info: m.info, Prompt: p.name, PromptHash: p.hash})
		}
	}
	return columns, models, nil
}

// foundModel is a model that matches --models; without a name the built-in fixer.
type foundModel struct {
	info  llm.Info
	lanes []runner.Lane
	solo  bool
}

// find lists the models that match, each once. A pattern without a match is an
// error: nothing is dropped in silence.
func (o *columnFlags) find(ctx context.Context, settings config.Config) ([]foundModel, error) {
	set := roster.Providers(settings)
	var list []foundModel
	taken := map[string]bool{}
	for _, pattern := range o.models {
		found, err := o.matching(ctx, set, pattern)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, advice.Add(fmt.Errorf("no model matches --models %s", pattern), "pausetui models list shows them")
		}
		for _, m := range found {
			if !taken[m.info.ID()] {
				taken[m.info.ID()] = true
				list = append(list, m)
			}
		}
	}
	return list, nil
}

func (o *columnFlags) matching(ctx context.Context, set *providers.Set, pattern string) ([]foundModel, error) {
	if pattern == matrix.Builtin {
		return []foundModel{{}}, nil
	}
	name, _, err := providers.Split(pattern)
	if err != nil {
		return nil, cli.UsageError(advice.Add(fmt.Errorf("--models %q: want builtin or PROVIDER/GLOB", pattern), advice.Of(err)))
	}
	var found []foundModel
	if name == runner.Scripted {
		for _, info := range runner.ScriptedModels() {
			if globs.Match(pattern, info.ID()) {
				found = append(found, foundModel{info: info})
			}
		}
		return found, nil
	}
	sources, err := o.sources(set, name)
	if err != nil {
		return nil, err
	}
	for _, s := range sources {
		if found, err = s.add(ctx, found, pattern); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// source is a server with models.
type source struct {
	name     string
	provider llm.Provider
	limit    int  // cells at a time
	local    bool // it works on this machine
}

// sources are the servers of a provider: those of --hosts, or the one that is
// configured.
func (o *columnFlags) sources(set *providers.Set, name string) ([]source, error) {
	p, err := set.Provider(name)
	if err != nil {
		return nil, cli.UsageError(err)
	}
	server, ok := llm.Find[*ollama.Provider](p)
	if !ok {
		return []source{{name: name, provider: p}}, nil
	}
	if len(o.hosts) == 0 {
		return []source{{name: server.Host(), provider: p, limit: 1, local: true}}, nil
	}
	var list []source
	for _, host := range o.hosts {
		one, err := ollama.New(ollama.Options{Name: name, Host: host})
		if err != nil {
			return nil, cli.UsageError(fmt.Errorf("--hosts: %w", err))
		}
		list = append(list, source{name: one.Host(), provider: retry.Wrap(one, retry.Options{}), limit: 1, local: true})
	}
	return list, nil
}

// add adds the models of a source that match. A model of the same name on
// several servers is one model with several lanes, if it is the same model.
func (s source) add(ctx context.Context, found []foundModel, pattern string) ([]foundModel, error) {
	infos, err := s.provider.Models(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	for _, info := range infos {
		if !globs.Match(pattern, info.ID()) || !catalog.CanAnswer(info) {
			continue
		}
		m, err := s.provider.Open(ctx, info.Name)
		if err != nil {
			return nil, err
		}
		lane := runner.Lane{Name: s.name, Limit: s.limit, Model: m}
		at := slices.IndexFunc(found, func(f foundModel) bool { return f.info.ID() == info.ID() })
		switch {
		case at < 0:
			found = append(found, foundModel{info: m.Info(), lanes: []runner.Lane{lane}, solo: s.local && !m.Info().Remote})
		case found[at].info.Digest != m.Info().Digest:
			return nil, advice.Add(fmt.Errorf("%s: %s is another model than the one of %s: its digest differs", s.name, info.ID(), found[at].lanes[0].Name), "pausetui models pull fetches the newest")
		default:
			found[at].lanes = append(found[at].lanes, lane)
			found[at].info.Remote = found[at].info.Remote || m.Info().Remote
			found[at].solo = found[at].solo || s.local && !m.Info().Remote
		}
	}
	return found, nil
}

// foundProfile is a prompt that matches --prompts.
type foundProfile struct{ name, hash string }

func (o *columnFlags) profiles(dir string) ([]foundProfile, error) {
	library, err := prompts.LoadFor(config.Root(dir))
	if err != nil {
		return nil, err
	}
	var list []foundProfile
	var all []string
	for _, name := range library.Names() {
		p := library[name]
		if p.Task != prompts.Fix {
			continue
		}
		if p.From == prompts.FromProject {
			continue // the cases are modules of their own
		}
		all = append(all, p.Text)
	}
	for _, pattern := range o.prompts {
		if pattern == matrix.Auto {
			list = append(list, foundProfile{matrix.Auto, hashOf(all...)})
			continue
		}
		before := len(list)
		for _, name := range library.Names() {
			if p := library[name]; p.Task == prompts.Fix && globs.Match(pattern, name) {
				list = append(list, foundProfile{name, hashOf(p.Text)})
			}
		}
		if len(list) == before {
			return nil, cli.UsageError(advice.Add(fmt.Errorf("no prompt for fixes matches --prompts %s", pattern), "pausetui prompts list shows them"))
		}
	}
	slices.SortFunc(list, func(a, b foundProfile) int { return cmp.Compare(a.name, b.name) })
	return slices.Compact(list), nil
}

func hashOf(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:8])
}
