// Package config implements the command config: it prints the settings that apply, and
// where each comes from.
package config

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/llm/ollama"
	"github.com/pausetui/pausetui/ui/theme"
)

// options are the options of config.
type options struct {
	*cli.System
	cli.Streams

	cli.JSONFlag
}

// New makes the command.
func New(sys *cli.System, runF func(context.Context, *options) error) *cobra.Command {
	o := &options{System: sys}
	c := &cobra.Command{
		Use: "config", Short: "Print the effective settings, and where each comes from", Args: cobra.NoArgs,
		Long: "config reads your configuration and the module's, and prints every setting with its value and\n" +
			"where it comes from: file and line, the environment, or default. Mistakes are reported with file, line, key and\n" +
			"the nearest valid value. Files: $XDG_CONFIG_HOME/pausetui/config.toml, then .pausetui/config.toml in the module,\n" +
			"which can only hide more, lower limits, filter panics and format values; anything else in it is ignored.",
		Example: "pausetui config\npausetui config --json",
	}
	o.RegisterJSON(c.Flags())
	if runF == nil {
		runF = run
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		o.Streams = cli.StreamsOf(c)
		return runF(c.Context(), o)
	}
	c.AddCommand(newHooks(sys))
	return c
}

func run(_ context.Context, o *options) error {
	dir, err := o.Dir()
	if err != nil {
		return err
	}
	settings, err := o.Config(dir)
	if err != nil {
		return err
	}
	noteEnvironment(&settings)
	fillIn(&settings)
	if o.AsJSON {
		return cli.PrintJSON(o.Out, Shown{1, settings.Settings(), settings.Ignored})
	}
	for _, i := range settings.Ignored {
		printable.Fprintln(o.Errs, "ignored:", i.String())
	}
	return printSettings(o.Out, settings, dir)
}

// Shown is what `config --json` prints.
type Shown struct {
	Version  int              `json:"version"` // 1
	Settings []config.Setting `json:"settings"`
	Ignored  []config.Ignored `json:"ignored,omitempty"` // settings of the module's file that do not count
}

// noteEnvironment puts in what the environment says where no file does.
func noteEnvironment(c *config.Config) {
	if p, ok := c.Providers["ollama"]; ok && p.BaseURL == "" && os.Getenv("OLLAMA_HOST") != "" {
		p.BaseURL = os.Getenv("OLLAMA_HOST")
		c.Providers["ollama"] = p
		c.Note("providers.ollama.base_url", "environment OLLAMA_HOST")
	}
}

// fillIn puts in what holds where no file says anything.
func fillIn(c *config.Config) {
	e := cli.ConsoleSettings(c.Console).Effective()
	c.Console.Flavor, c.Console.SourceLines = e.Flavor, e.SourceLines
	c.Console.MaxStringLen, c.Console.MaxArrayValues, c.Console.MaxVariableRecurse = e.Written.Text, e.Written.Elements, e.Written.Depth
	if c.Theme.Name == "" {
		c.Theme.Name = theme.Names()[0]
	}
	for name, p := range c.Providers {
		if p.Kind == config.KindOllama && p.BaseURL == "" {
			p.BaseURL = ollama.DefaultURL
			c.Providers[name] = p
		}
	}
}

// printSettings writes a table a TOML table, with files relative to dir.
func printSettings(w io.Writer, c config.Config, dir string) error {
	out := cli.NewTable(w)
	for _, s := range c.Settings() {
		out.Row(s.Key, tomlText(s.Value), shortPlaces(s.From, dir))
	}
	return out.Flush()
}

// tomlText writes a value as the file would.
func tomlText(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("%q", v)
	case []string:
		quoted := make([]string, len(v))
		for i, s := range v {
			quoted[i] = fmt.Sprintf("%q", s)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	return fmt.Sprint(v)
}

// shortPlaces writes paths relative to dir where that is shorter.
func shortPlaces(places, dir string) string {
	parts := strings.Split(places, ", ")
	for i, p := range parts {
		if rel, err := filepath.Rel(dir, p); err == nil && filepath.IsAbs(p) && len(rel) < len(p) {
			parts[i] = rel
		}
	}
	return strings.Join(parts, ", ")
}
