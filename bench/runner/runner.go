// Package runner runs the cells of a plan: package fix on a case of its own, and then the
// hidden check on what it proposes.
//
// The rules are:
//
//   - The hidden check and the reference fix are not laid out before the pipeline
//     has ended.
//   - What a model answers is stored before it is used, and asked once.
//   - The error of a provider makes no result.
//   - Local models are asked one at a time, and nothing else runs meanwhile.
//
// The package must not know how results are added up or shown.
package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/pausetui/pausetui/bench"
	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/scratch"
	"github.com/pausetui/pausetui/llm"
)

// Model is a model that is measured, with the places where it can be asked.
type Model struct {
	Lanes []Lane
	// Solo: it is asked on this machine, so nothing else may run meanwhile.
	Solo bool
}

// Lane is a place where a model is asked: a server, or a provider on the network.
// Lanes of the same name share their limit.
type Lane struct {
	Name  string
	Limit int // cells at a time; 0 for no limit but that of the run
	Model llm.Model
}

// Options say how a plan is run.
type Options struct {
	Store *matrix.Store
	Cases map[string]*bench.Case // by their name in the plan
	// Models are the models of the plan's columns, by PROVIDER/NAME. Scripted
	// models and the built-in fixer need none.
	Models map[string]Model
	Engine options.Session // what all cells have in common
	Shard  matrix.Shard
	Jobs   int
	Limit  time.Duration // of a cell
	// Replay scores stored answers again, and asks nothing.
	Replay bool
	Keep   string         // directory that keeps the modules and logs of open cases; none when empty
	Report func(Progress) // after each cell, one call at a time; may be nil
}

// Progress is how far a run is.
type Progress struct {
	Done, Total int
	Skipped     int // had a result already
	Cell        matrix.Cell
	Result      matrix.Result
	Err         error // why this cell has no result
	Took        time.Duration
	Retrying    bool
}

type runner struct {
	Options
	plan    matrix.Plan
	answers matrix.Answers
	temp    string
	judges  map[string]*judge // by case
	scripts *scripts

	mu       sync.Mutex
	progress Progress
	failed   error // storing has failed: the run ends
}

// Run runs the cells that have no result yet. Cells that a provider's error left
// without one are tried once more at the end. It fails with ctx, and where a
// result cannot be stored; Troubled says how many cells have no result.
func Run(ctx context.Context, o Options) (troubled int, err error) {
	temp, err := os.MkdirTemp("", scratch.Pattern("bench"))
	if err != nil {
		return 0, fmt.Errorf("make room for the cases: %w", err)
	}
	defer scratch.Remove(temp)
	r := &runner{Options: o, plan: o.Store.Plan(), answers: matrix.AnswersOf(o.Store.Dir()), temp: temp,
		judges: map[string]*judge{}, scripts: newScripts(filepath.Join(temp, "scripted"))}
	in := &bench.Sandbox{AllowNone: o.Engine.Proofs.AllowUnsandboxed}
	for name, c := range o.Cases {
		r.judges[name] = newJudge(c, filepath.Join(temp, "judge", name), in)
	}
	var cells []matrix.Cell
	all := r.plan.Cells(o.Shard)
	for _, c := range all {
		if !o.Store.Done(c) {
			cells = append(cells, c)
		}
	}
	r.progress = Progress{Done: len(all) - len(cells), Skipped: len(all) - len(cells), Total: len(all)}
	left, err := r.pass(ctx, cells)
	if err == nil && len(left) > 0 && !o.Replay {
		r.progress.Retrying = true
		left, err = r.pass(ctx, left)
	}
	return len(left), err
}

// pass runs cells, and returns those that have no result.
func (r *runner) pass(ctx context.Context, cells []matrix.Cell) ([]matrix.Cell, error) {
	var solo, together []matrix.Cell
	for _, c := range cells {
		if r.Models[r.plan.Columns[c.Column].Model].Solo && !r.Replay {
			solo = append(solo, c)
		} else {
			together = append(together, c)
		}
	}
	left1, err1 := r.parallel(ctx, solo, 1)
	left2, err2 := r.parallel(ctx, together, max(r.Jobs, 1))
	return append(left1, left2...), errors.Join(err1, err2)
}

// parallel runs cells, so many at a time, in order as far as lanes are free.
func (r *runner) parallel(ctx context.Context, cells []matrix.Cell, jobs int) ([]matrix.Cell, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lanes := newLanes(r.Models)
	var mu sync.Mutex
	var left []matrix.Cell
	var wg sync.WaitGroup
	for range min(jobs, len(cells)) {
		wg.Go(func() {
			for {
				mu.Lock()
				at, lane := lanes.next(r.plan, cells)
				if at < 0 && len(cells) > 0 && ctx.Err() == nil {
					mu.Unlock()
					lanes.wait(ctx)
					continue
				}
				if at < 0 || ctx.Err() != nil {
					mu.Unlock()
					return
				}
				c := cells[at]
				cells = append(cells[:at:at], cells[at+1:]...)
				mu.Unlock()
				done, err := r.one(ctx, c, lane)
				elsewhere := lanes.lose(r.plan.Columns[c.Column].Model, lane, err)
				mu.Lock()
				switch {
				case !done && elsewhere:
					cells = append([]matrix.Cell{c}, cells...)
				case !done:
					left = append(left, c)
				}
				mu.Unlock()
				lanes.free(lane)
				if r.stopped() != nil {
					cancel()
				}
			}
		})
	}
	wg.Wait()
	return left, errors.Join(r.stopped(), context.Cause(parentOf(ctx, r)))
}

// parentOf drops the cancellation that a failed store causes: that error is
// reported by itself.
func parentOf(ctx context.Context, r *runner) context.Context {
	if r.stopped() != nil {
		return context.Background()
	}
	return ctx
}

func (r *runner) stopped() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

// one runs a cell and stores what came of it; false without a result, and what
// has kept the cell from having one.
func (r *runner) one(ctx context.Context, c matrix.Cell, lane *Lane) (done bool, err error) {
	began := time.Now()
	result, detail, err := r.cell(ctx, c, lane)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	var storing error
	if err == nil {
		storing = r.Store.Add(result, detail)
	} else {
		storing = r.Store.Trouble(matrix.Trouble{Cell: c, Err: err.Error()})
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if storing != nil && r.failed == nil {
		r.failed = storing
	}
	if err == nil && storing == nil {
		r.progress.Done++
	}
	if r.Report != nil {
		p := r.progress
		p.Cell, p.Result, p.Err, p.Took = c, result, err, time.Since(began)
		r.Report(p)
	}
	return err == nil && storing == nil, err
}
