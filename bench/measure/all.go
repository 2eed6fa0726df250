package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/pausetui/pausetui/bench"
)

// runAll builds pausetui and gives it the cases, some at a time. The results
// are in the order of the cases.
func runAll(ctx context.Context, o options, with []setting, cases []*bench.Case) ([]result, error) {
	temp, err := os.MkdirTemp("", "pausetui-measure-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	tool, err := built(ctx, o.tool, temp)
	if err != nil {
		return nil, err
	}
	if o.keep != "" {
		if o.keep, err = filepath.Abs(o.keep); err != nil {
			return nil, err
		}
	}
	results, failed := make([][]result, len(cases)), make([]error, len(cases))
	said := &progress{w: o.stderr, closed: share{of: count(cases, func(c *bench.Case) bool { return !c.Open() }).n}}
	var wg sync.WaitGroup
	free := make(chan struct{}, max(o.jobs, 1))
	for i, c := range cases {
		wg.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			results[i], failed[i] = runCase(ctx, c, tool, with, workDir(c, o.keep, temp))
			said.done(c, results[i])
		})
	}
	wg.Wait()
	return slices.Concat(results...), errors.Join(append(failed, ctx.Err())...)
}

// workDir is where a case is worked on: what is kept of open cases is never
// made of closed ones.
func workDir(c *bench.Case, keep, temp string) string {
	if keep != "" && c.Open() {
		return filepath.Join(keep, c.Name)
	}
	return filepath.Join(temp, c.Name)
}

// runCase measures one case. An error about a closed case says no more than
// that there was one.
func runCase(ctx context.Context, c *bench.Case, tool string, with []setting, dir string) ([]result, error) {
	if !c.Open() {
		defer os.RemoveAll(dir)
	}
	m := &measurer{tool: tool, dir: dir, c: c, judge: newJudge(c, filepath.Join(dir, "judge"))}
	results, err := m.run(ctx, with)
	switch {
	case err == nil, ctx.Err() != nil:
		return results, nil
	case !c.Open():
		return nil, errors.New("a closed case could not be measured")
	}
	return nil, fmt.Errorf("%s: %w", c.Name, err)
}

// progress says what is done: each result of an open case, and how many closed
// cases.
type progress struct {
	mu     sync.Mutex
	w      io.Writer
	closed share
}

func (p *progress) done(c *bench.Case, results []result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !c.Open() {
		p.closed.n++
		fmt.Fprintf(p.w, "closed cases: %s done\n", p.closed)
		return
	}
	for _, r := range results {
		fmt.Fprintln(p.w, r.line())
	}
}
