// Package models implements the command models: it lists, describes, downloads and probes
// models.
package models

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/flags"
	"github.com/pausetui/pausetui/internal/cli/roster"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/catalog"
	"github.com/pausetui/pausetui/llm/ollama"
)

// New makes the command.
func New(sys *cli.System) *cobra.Command {
	c := &cobra.Command{
		Use:   "models",
		Short: "List, show, pull and probe models",
		Long: "Models are named PROVIDER/NAME. What is known about each comes from its provider, from probes, and from\n" +
			"past sessions and benchmarks.",
		Example: "pausetui models list\npausetui models pull ollama/qwen2.5-coder:7b\npausetui models probe ollama/qwen2.5-coder:7b",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newList(sys, nil), newShow(sys, nil), newPull(sys, nil), newProbe(sys, nil))
	return c
}

// desk is what the commands about models work with.
type desk struct{ *roster.Roster }

func newDesk(sys *cli.System) (desk, error) {
	here, err := sys.Dir()
	if err != nil {
		return desk{}, err
	}
	settings, err := sys.Config(here)
	if err != nil {
		return desk{}, err
	}
	r, err := roster.New(&flags.Models{AllowRemote: true}, settings, here, "")
	return desk{r}, err
}

// find finds a model by its id, or by its name alone.
func (d desk) find(name string) (catalog.Entry, error) {
	cat := d.Catalog()
	for _, id := range []string{name, modelID(name)} {
		if e, ok := cat.Find(id); ok {
			return e, nil
		}
	}
	for _, s := range cat.Silent() {
		if strings.HasPrefix(modelID(name), s.Provider+"/") {
			return catalog.Entry{}, advice.Add(fmt.Errorf("%s", s.Err), s.Hint)
		}
	}
	hint := "pausetui models list shows them"
	if near := cat.Nearest(modelID(name)); near != "" {
		hint = "did you mean " + near + "?"
	}
	return catalog.Entry{}, advice.Add(fmt.Errorf("%w %q", llm.ErrUnknownModel, name), hint)
}

// Complete offers the models of the kept catalog.
func Complete(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []string
	if d, err := newDesk(cli.ThisSystem()); err == nil && len(args) == 0 {
		d.Recall()
		for _, e := range d.Catalog().Models() {
			names = append(names, e.ID())
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// modelID completes a name without its provider: models are fetched by Ollama
// unless another is named.
func modelID(name string) string {
	if strings.HasPrefix(name, ollama.Name+"/") {
		return name
	}
	if provider, _, ok := strings.Cut(name, "/"); ok && !strings.Contains(provider, ".") && !strings.Contains(provider, ":") {
		return name
	}
	return ollama.Name + "/" + name
}
