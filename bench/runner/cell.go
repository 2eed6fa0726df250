package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/pausetui/pausetui/bench"
	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/fix"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/session"
)

// cell runs the pipeline on one case and judges what it proposes. The error is
// why there is no result.
func (r *runner) cell(ctx context.Context, cell matrix.Cell, lane *Lane) (result matrix.Result, detail matrix.Detail, err error) {
	began := time.Now()
	of := r.plan.Cases[cell.Case]
	c := r.Cases[of.Name]
	dir := filepath.Join(r.temp, fmt.Sprintf("cell-%d", r.plan.Index(cell)))
	if r.Keep != "" && !of.Closed {
		dir = filepath.Join(r.Keep, fmt.Sprintf("%s-%d-%d", of.Name, cell.Column, cell.Trial))
	} else {
		defer os.RemoveAll(dir)
	}
	module, err := laidOut(c, dir)
	if err != nil {
		return result, detail, err
	}
	ours := time.Since(began)
	a, kind, err := r.asker(ctx, cell, c, lane)
	if err != nil {
		return result, detail, err
	}
	report, state, fixed := r.fix(ctx, c, a, module, filepath.Join(dir, "log"))
	if err := errors.Join(ctx.Err(), a.failure()); err != nil {
		return result, detail, err
	}
	s := newScore(r.plan.Columns[cell.Column], c, report, state)
	judging, err := s.judge(ctx, r.judges[of.Name])
	if err != nil {
		return result, detail, fmt.Errorf("judge a candidate: %w", err)
	}
	result, detail = s.result(), s.detail()
	result.Cell, result.Answer = cell, kind
	a.fill(&result, &detail)
	result.Total = time.Since(began).Milliseconds()
	result.Overhead = (ours + time.Since(fixed) - judging).Microseconds()
	return result, detail, nil
}

// laidOut lays out what anybody may see of a case.
func laidOut(c *bench.Case, dir string) (module string, err error) {
	module = filepath.Join(dir, "module")
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	return module, c.Layout(module)
}

// asker is who answers the questions of a cell; nil in the column of the built-in
// fixer. kind is what kind of answer a scripted model gives.
func (r *runner) asker(ctx context.Context, cell matrix.Cell, c *bench.Case, lane *Lane) (a *asker, kind string, err error) {
	column := r.plan.Columns[cell.Column]
	if column.Model == matrix.Builtin {
		return nil, "", nil
	}
	a = &asker{info: column.Info, column: column, of: r.plan.Cases[cell.Case], cell: cell, answers: r.answers, earlier: r.Store.Answers(cell),
		asked: func(key string) error { return r.Store.Asked(cell, key) }, fixed: r.Replay, sent: map[string]int{}}
	if lane != nil {
		a.model = lane.Model
	}
	if name, ok := isScripted(column); ok {
		answer, err := r.scripts.answer(ctx, name, c, cell.Trial)
		if err != nil {
			return nil, "", err
		}
		a.model, kind = scriptedModel{column.Info, answer}, answer.Kind
	}
	return a, kind, nil
}

// SetTarget has a target be the program of a case, whose module is laid out in a directory.
func SetTarget(t *options.Target, c *bench.Case, module string) {
	t.Dir, t.Package, t.Args, t.Test, t.Env, t.Panics = module, c.Target(), c.Args, c.Kind == bench.Test, c.Env, debugger.PanicsAuto
	if c.Stdin != "" {
		t.Stdin = filepath.Join(module, filepath.FromSlash(c.Stdin))
	}
}

// fix runs the pipeline, says when it ended, and reads what it recorded.
func (r *runner) fix(ctx context.Context, c *bench.Case, a *asker, module, logs string) (fix.Report, session.State, time.Time) {
	o := r.Engine
	SetTarget(&o.Target, c, module)
	o.Log.Dir, o.Fixes.MaxRounds = logs, cmp.Or(r.plan.Rounds, -1)
	if a != nil {
		o.Fixes.Profiles = []options.Profile{a.profile()}
	}
	limited, cancel := context.WithTimeout(ctx, r.Limit)
	defer cancel()
	report, err := fix.Run(limited, o, fix.Options{})
	ended := time.Now()
	if err != nil && ctx.Err() == nil {
		report.Outcome, report.Error = fix.Failed, &fix.Failure{Message: fmt.Sprintf("no end within %s", r.Limit)}
	}
	state := session.NewState()
	journals, _ := filepath.Glob(filepath.Join(logs, "*.jsonl")) // the pattern is right
	for _, journal := range journals {
		events, err := session.ReadFile(journal)
		if err == nil || len(events) > 0 {
			state = session.Fold(state, events)
		}
	}
	return report, state, ended
}

// profile is how the pipeline asks.
func (a *asker) profile() options.Profile {
	p := options.Profile{Name: a.column.Model, Provider: a, Source: a.info.Provider, Model: a.info.Name}
	if a.column.Prompt != matrix.Auto {
		p.Prompt = a.column.Prompt
	}
	return p
}

// failure is the provider's error that keeps the cell from having a result.
func (a *asker) failure() error {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.trouble
}

// fill adds what was asked.
func (a *asker) fill(r *matrix.Result, d *matrix.Detail) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	r.Requests, r.Lookups, r.Drifted = a.requests, a.lookups, a.drifted
	r.PromptTokens, r.Tokens = a.sum.PromptTokens, a.sum.Tokens
	r.Cost = int64(a.sum.Cost*1e6 + 0.5)
	r.FirstToken, r.Answering = a.first.Milliseconds(), a.sum.Took.Milliseconds()
	d.Answers = a.keys
}

var _ llm.Provider = (*asker)(nil)
