package bench

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
)

// latest is the name of the newest run, as of sessions.
const latest = "latest"

// keptRun is a run in runsDir.
type keptRun struct {
	id, dir string
	plan    matrix.Plan
	begun   string // when it was made
}

// words tell the run from others.
func (r keptRun) words() string {
	return fmt.Sprintf("%s (%s, %s × %s)", r.id, r.begun, counted(len(r.plan.Columns), "column"), counted(len(r.plan.Cases), "case"))
}

func counted(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// keptRuns lists the runs in runsDir, the newest first.
func keptRuns() ([]keptRun, error) {
	entries, err := os.ReadDir(runsDir())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("find the runs: %w", err)
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
	var list []keptRun
	for _, e := range entries {
		r := keptRun{id: e.Name(), dir: filepath.Join(runsDir(), e.Name())}
		if r.plan, err = matrix.ReadPlan(r.dir); err != nil {
			continue
		}
		if info, err := e.Info(); err == nil {
			r.begun = info.ModTime().Format("2 Jan 15:04")
		}
		list = append(list, r)
	}
	return list, nil
}

// mostListed is how many runs an error names.
const mostListed = 8

// listedRuns says which runs there are.
func listedRuns(list []keptRun) string {
	if len(list) == 0 {
		return "there is no run yet: pausetui bench run makes one; a run made with --dir is named by its directory"
	}
	var words []string
	for _, r := range list[:min(len(list), mostListed)] {
		words = append(words, r.words())
	}
	if more := len(list) - mostListed; more > 0 {
		words = append(words, fmt.Sprintf("%d more", more))
	}
	return "latest, a directory, or one of these: " + strings.Join(words, ", ")
}

// runDir finds the directory of a run: as it is named, by the id of its plan, or the
// newest, which is also meant where nothing is named.
func runDir(name string) (string, error) {
	if name != "" {
		for _, dir := range []string{name, filepath.Join(runsDir(), name)} {
			if _, err := matrix.ReadPlan(dir); err == nil {
				return dir, nil
			}
		}
	}
	list, err := keptRuns()
	if err != nil {
		return "", err
	}
	switch {
	case name != "" && name != latest:
		_, err := matrix.ReadPlan(name)
		return "", advice.Add(err, listedRuns(list))
	case len(list) == 0:
		return "", advice.Add(errors.New("there is no run yet"), "pausetui bench run makes one; a run made with --dir is named by its directory")
	}
	return list[0].dir, nil
}

// twoRuns are the runs that are compared. One is enough where two of its columns are.
func twoRuns(args []string, columns bool) (a, b string, err error) {
	if len(args) == 1 && columns {
		args = []string{args[0], args[0]}
	}
	if len(args) < 2 {
		list, err := keptRuns()
		if err != nil {
			return "", "", err
		}
		return "", "", cli.UsageError(advice.Add(errors.New("two runs are compared, or with --a and --b two columns of one"), listedRuns(list)))
	}
	if a, err = runDir(args[0]); err != nil {
		return "", "", err
	}
	b, err = runDir(args[1])
	return a, b, err
}

// completeRuns completes the runs that are kept.
func completeRuns(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	list, err := keptRuns()
	if err != nil || len(list) == 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	words := []string{latest + "\tthe newest run"}
	for _, r := range list {
		_, about, _ := strings.Cut(r.words(), " ")
		words = append(words, r.id+"\t"+strings.Trim(about, "()"))
	}
	return words, cobra.ShellCompDirectiveDefault // a directory names one, too
}
