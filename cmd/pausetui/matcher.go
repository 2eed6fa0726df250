package main

import (
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/catalog"
	"github.com/pausetui/pausetui/llm/ollama"
	"github.com/pausetui/pausetui/llm/providers"
	"github.com/pausetui/pausetui/matching"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/session"
)

// sources are providers by name. One that cannot be made is left out: it was not
// configured.
func sources(set *providers.Set, names []string) []catalog.Source {
	var list []catalog.Source
	for _, name := range names {
		if p, err := set.Provider(name); err == nil {
			list = append(list, catalog.Source{Name: name, Provider: p})
		}
	}
	return list
}

// newMatcher knows the models of the providers, and what was measured of them.
func newMatcher(set *providers.Set, names []string, root, logDir string, remote bool) *matching.Matcher {
	return matching.New(matching.Options{
		Sources: sources(set, names), Prompts: suitable(root), Memory: catalog.Memory(), Remote: remote,
		Catalog: catalog.Path(), Records: matching.RecordsPath(), Bench: matching.BenchPath(), Logs: session.FindDir(root, logDir),
	})
}

// suitable names the prompt profiles for fixes that suit a class and a model.
// Mistakes in the files are told where a prompt is rendered.
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

// atStart are the providers that are asked what they have without a word from
// the person: those on this machine.
func atStart() []string { return []string{ollama.Name} }
