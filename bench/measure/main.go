// Command measure runs the built pausetui over the corpus, counts what it makes
// of it, and above all whether what stands first is right.
//
//	go run ./bench/measure [-run REGEXP] [-open] [-jobs N] [-with SETTING,…] [-o bench/corpus/README.md] [-record llm/choose/builtin.json] [-json FILE] [-keep DIR] [-tool BINARY]
//
// Each case is laid out in a directory of its own; `pausetui fix --json` works
// on it without seeing the hidden check, which then judges every candidate of
// the report. The settings say who proposes: the built-in fixer alone, or with
// a scripted model that answers right, or one of whose answers half are wrong.
// Of closed cases, nothing is written or printed but counts over many.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/bench"
	"github.com/pausetui/pausetui/internal/reexec"
)

type options struct {
	run    string
	open   bool
	jobs   int
	with   string
	readme string
	record string
	json   string
	keep   string
	corpus string
	tool   string

	stdout, stderr io.Writer
}

func main() {
	reexec.Main()
	o := options{stdout: os.Stdout, stderr: os.Stderr}
	flag.StringVar(&o.run, "run", "", "only the cases whose name matches this `REGEXP`")
	flag.BoolVar(&o.open, "open", false, "only the cases that the fixer's authors may read")
	flag.IntVar(&o.jobs, "jobs", 2, "how many cases at a time")
	flag.StringVar(&o.with, "with", "builtin,strong,sloppy", "in these `SETTINGS`: the built-in fixer alone, with a strong model, with a sloppy one")
	flag.StringVar(&o.readme, "o", "", "write the figures into this `FILE`, between its markers")
	flag.StringVar(&o.record, "record", "", "write the record of the built-in fixer by class into this `FILE`")
	flag.StringVar(&o.json, "json", "", "write a JSON line for each open case and setting into this `FILE`")
	flag.StringVar(&o.keep, "keep", "", "keep the modules and the reports of open cases in this `DIR`")
	flag.StringVar(&o.corpus, "corpus", "bench/corpus", "the `DIR` of the cases")
	flag.StringVar(&o.tool, "tool", "", "measure this `BINARY` instead of building one")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := measure(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, o options) error {
	with, err := parseSettings(o.with)
	if err != nil {
		return err
	}
	if (o.run != "" || o.open || len(with) < len(settings)) && (o.readme != "" || o.record != "") {
		return errors.New("-o and -record write the figures of the whole corpus: leave -run, -open and -with out")
	}
	cases, err := chosenCases(o)
	if err != nil {
		return err
	}
	results, err := runAll(ctx, o, with, cases)
	if o.json != "" {
		err = errors.Join(err, writeRecords(o.json, results))
	}
	caution(results)
	text := report(results)
	if o.readme == "" || err != nil { // what was measured is not lost with what was not
		fmt.Fprint(o.stdout, text)
		return err
	}
	if o.record != "" {
		if err := writeRecord(o.record, results); err != nil {
			return err
		}
	}
	return insert(o.readme, text)
}

// parseSettings reads -with; the settings are in their own order.
func parseSettings(list string) ([]setting, error) {
	given := strings.Split(list, ",")
	for _, s := range given {
		if !slices.Contains(settings, setting(s)) {
			return nil, fmt.Errorf("-with: unknown setting %q; want some of %q", s, settings)
		}
	}
	return filter(settings, func(s setting) bool { return slices.Contains(given, string(s)) }), nil
}

// chosenCases loads the cases that were asked for.
func chosenCases(o options) ([]*bench.Case, error) {
	pattern, err := regexp.Compile(o.run)
	if err != nil {
		return nil, fmt.Errorf("-run: %w", err)
	}
	all, err := bench.Load(os.DirFS(o.corpus))
	if err != nil && (o.readme != "" || len(all) == 0) {
		return nil, err
	} else if err != nil {
		fmt.Fprintln(o.stderr, "measure: left out:", err)
	}
	cases := filter(all, func(c *bench.Case) bool { return pattern.MatchString(c.Name) && (c.Open() || !o.open) })
	if len(cases) == 0 {
		return nil, fmt.Errorf("no case of %s matches %q", o.corpus, o.run)
	}
	return cases, nil
}

// built returns the binary to measure: the given one, or a new one in dir.
func built(ctx context.Context, given, dir string) (string, error) {
	if given != "" {
		return filepath.Abs(given)
	}
	tool := filepath.Join(dir, "pausetui")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", tool, "./cmd/pausetui").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build ./cmd/pausetui: %w\n%s", err, out)
	}
	return tool, nil
}
