// Command measure runs the built pausetui over the corpus, as a user without
// models would, and counts what it makes of it.
//
//	go run ./bench/measure [-run REGEXP] [-open] [-jobs N] [-o bench/corpus/README.md] [-keep DIR] [-tool BINARY]
//
// Each case is laid out in a directory of its own; `pausetui fix --offline
// --json --apply` works on it without seeing the hidden check, which then
// judges what is on disk.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"sync"

	"github.com/pausetui/pausetui/bench"
	"github.com/pausetui/pausetui/supervise"
)

type options struct {
	run    string
	open   bool
	jobs   int
	readme string
	keep   string
	corpus string
	tool   string
}

func main() {
	supervise.Main()
	var o options
	flag.StringVar(&o.run, "run", "", "only the cases whose name matches this `REGEXP`")
	flag.BoolVar(&o.open, "open", false, "only the cases that the fixer's authors may read")
	flag.IntVar(&o.jobs, "jobs", 2, "how many cases at a time")
	flag.StringVar(&o.readme, "o", "", "write the figures into this `FILE`, between its markers")
	flag.StringVar(&o.keep, "keep", "", "keep the modules and the reports in this `DIR`")
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
	if (o.run != "" || o.open) && o.readme != "" {
		return errors.New("-o writes the figures of the whole corpus: leave -run and -open out")
	}
	pattern, err := regexp.Compile(o.run)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	all, err := bench.Load(os.DirFS(o.corpus))
	if err != nil && (o.readme != "" || len(all) == 0) {
		return err
	} else if err != nil {
		fmt.Fprintln(os.Stderr, "measure: left out:", err)
	}
	var cases []*bench.Case
	for _, c := range all {
		if pattern.MatchString(c.Name) && (c.Open() || !o.open) {
			cases = append(cases, c)
		}
	}
	if len(cases) == 0 {
		return fmt.Errorf("no case of %s matches %q", o.corpus, o.run)
	}
	results, err := runAll(ctx, o, cases)
	if err != nil {
		return err
	}
	text := report(results)
	if o.readme == "" {
		fmt.Print(text)
		return nil
	}
	return insert(o.readme, text)
}

// runAll builds pausetui and gives it the cases, some at a time. The results
// are in the order of the cases.
func runAll(ctx context.Context, o options, cases []*bench.Case) ([]result, error) {
	dir, clean, err := directory(o.keep)
	if err != nil {
		return nil, err
	}
	defer clean()
	tool, err := built(ctx, o.tool, dir)
	if err != nil {
		return nil, err
	}
	results := make([]result, len(cases))
	var wg sync.WaitGroup
	free := make(chan struct{}, max(o.jobs, 1))
	for i, c := range cases {
		wg.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			results[i] = runCase(ctx, tool, filepath.Join(dir, c.Name), c)
			fmt.Fprintln(os.Stderr, results[i].line())
		})
	}
	wg.Wait()
	for _, r := range results {
		if r.err != nil {
			return nil, fmt.Errorf("%s: %w", r.c.Name, r.err)
		}
	}
	return results, ctx.Err()
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

// directory returns where to work, and what removes it: nothing when it is to
// be kept.
func directory(keep string) (string, func(), error) {
	if keep != "" {
		dir, err := filepath.Abs(keep)
		if err != nil {
			return "", nil, err
		}
		return dir, func() {}, os.MkdirAll(dir, 0o700)
	}
	dir, err := os.MkdirTemp("", "pausetui-measure-")
	return dir, func() { os.RemoveAll(dir) }, err
}
