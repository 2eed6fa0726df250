package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/internal/advice"
)

// exitBelow is the exit code of a run that stays below --fail-under.
const exitBelow = 6

func newBench(sys *system) *cobra.Command {
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
	c.AddCommand(newBenchRun(sys), newBenchReport(sys), newBenchCompare(), newBenchMerge(), newBenchCases())
	return c
}

// benchDir is where runs are kept unless --dir says otherwise.
func benchDir() string { return filepath.Join(xdg.StateHome, "pausetui", "bench") }

// runDir finds the directory of a run: as it is named, by the id of its plan, or
// the newest where nothing is named.
func runDir(name string) (string, error) {
	if name != "" {
		for _, dir := range []string{name, filepath.Join(benchDir(), name)} {
			if _, err := matrix.ReadPlan(dir); err == nil {
				return dir, nil
			}
		}
		_, err := matrix.ReadPlan(name)
		return "", err
	}
	entries, err := os.ReadDir(benchDir())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("find the newest run: %w", err)
	}
	newest := func(a, b os.DirEntry) int {
		x, err1 := a.Info()
		y, err2 := b.Info()
		if err1 != nil || err2 != nil {
			return 0
		}
		return y.ModTime().Compare(x.ModTime())
	}
	slices.SortStableFunc(entries, newest)
	for _, e := range entries {
		dir := filepath.Join(benchDir(), e.Name())
		if _, err := matrix.ReadPlan(dir); err == nil {
			return dir, nil
		}
	}
	return "", advice.Add(errors.New("there is no run yet"), "pausetui bench run makes one; a run made with --dir is named by its directory")
}
