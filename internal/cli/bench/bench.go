// Package bench implements the command bench: it runs programs that crash, and shows the
// results.
package bench

import (
	"path/filepath"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/cli"
)

// exitBelow is the exit code of a run that stays below --fail-under.
const exitBelow = 6

// New makes the command.
func New(sys *cli.System) *cobra.Command {
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure models and prompts on programs that crash",
		Long: "bench runs the whole pipeline on programs that crash, with each model and prompt. A hidden check decides\n" +
			"whether a fix is right. The built-in cases need nothing but Go. The results decide which\n" +
			"model is asked when you name none. docs/benchmarks.md explains the method and its limits.",
		Example: "pausetui bench run --models builtin\npausetui bench run --models 'ollama/*' --prompts whole-function,minimal --cases 'class:index*' --trials 3\n" +
			"pausetui bench report --format html -o bench.html\npausetui bench compare before after",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newRun(sys), newReport(sys), newCompare(), newMerge(), newCases())
	return c
}

// runsDir is where runs are kept unless --dir says otherwise.
func runsDir() string { return filepath.Join(xdg.StateHome, "pausetui", "bench") }
