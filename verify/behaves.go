package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/behavior"
	"github.com/pausetui/pausetui/verify/behavior/replay"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Limits of a comparison.
const (
	behaviorInputs  = 400
	behaviorBudget  = 2 * time.Second  // of processor time, in which inputs are made
	behaviorTimeout = 30 * time.Second // of the runs of one version, see sandbox.Spent
	behaviorRuns    = 6                // how often a run goes on after a call that did not come back
	behaviorRows    = 8
	maxCalls        = 16 << 20 // bytes of calls that are read
)

// Behavior tells what a candidate changes in what the functions answer that it changes:
// they are called with the inputs of the run and with inputs like them, without the
// candidate and with it. The error tells that this could not be done, or that ctx ended.
func (v *Verifier) Behavior(ctx context.Context, c patch.Candidate) (verdict.Behavior, error) {
	b := behaving{Verifier: v, dir: filepath.Join(v.dir, fmt.Sprintf("%d-behavior", v.next.Add(1)))}
	if err := os.MkdirAll(b.dir, 0o700); err != nil {
		return verdict.Behavior{}, fmt.Errorf("compare the behavior of %q: %w", c.ID, err)
	}
	defer func() { _ = os.RemoveAll(b.dir) }()
	result, err := b.compare(ctx, c)
	var refusal *build.Error
	switch {
	case errors.As(err, &refusal):
		return verdict.Behavior{Status: verdict.Skip, Detail: "what calls the functions again does not build: " + clean(firstLine(refusal.Error()))}, nil
	case err != nil:
		return result, fmt.Errorf("compare the behavior of %q: %w", c.ID, err)
	}
	return result, nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// behaving is one comparison.
type behaving struct {
	*Verifier
	dir string // removed at its end
}

// changes are the Go files that a candidate edits.
func (b behaving) changes(c patch.Candidate) []behavior.Change {
	var list []behavior.Change
	for _, e := range c.Edits {
		if strings.HasSuffix(e.File, ".go") && !e.Create {
			list = append(list, behavior.Change{File: filepath.Clean(b.subject.Workspace.Abs(e.File)), Before: e.Before, After: e.After})
		}
	}
	return list
}

func (b behaving) compare(ctx context.Context, c patch.Candidate) (verdict.Behavior, error) {
	functions, left := behavior.Functions(b.changes(c))
	result := verdict.Behavior{Status: verdict.Skip}
	for _, l := range left {
		result.Left = append(result.Left, l.Function+": "+l.Why)
	}
	switch {
	case !b.runs():
		result.Detail = sandbox.ErrNoSandbox.Error()
	case len(functions) == 0 && len(left) == 0:
		result.Detail = "it changes no function"
	case len(functions) == 0:
		result.Detail = "not compared: " + left[0].Function + ", " + left[0].Why
	}
	if result.Detail != "" {
		return result, nil
	}
	r, err := b.recorded(ctx, functions)
	if err != nil {
		return result, err
	}
	overlay := map[string]string{}
	for _, e := range c.Edits {
		overlay[filepath.Clean(b.subject.Workspace.Abs(e.File))] = e.After
	}
	why := r.why
	for _, dir := range directoriesOf(functions) {
		mine := slices.DeleteFunc(slices.Clone(functions), func(f behavior.Function) bool { return filepath.Dir(f.File) != dir })
		calls := slices.DeleteFunc(slices.Clone(r.calls), func(call replay.Call) bool {
			return !slices.ContainsFunc(mine, func(f behavior.Function) bool { return f.Num == call.Func })
		})
		for _, f := range mine {
			if unable := r.unable[f.Num]; unable != "" {
				why = f.Display() + " " + "is called with what cannot be made again: it " + unable
			} else if !slices.ContainsFunc(calls, func(call replay.Call) bool { return call.Func == f.Num }) && why == "" {
				why = "the run did not call " + f.Display()
			}
		}
		if len(calls) == 0 {
			continue
		}
		if err := b.ofPackage(ctx, dir, mine, calls, overlay, &result, &why); err != nil {
			return result, err
		}
	}
	conclude(&result, why)
	return result, nil
}

// conclude says what came of it.
func conclude(r *verdict.Behavior, why string) {
	switch {
	case r.Tried == 0:
		r.Status, r.Detail = verdict.Skip, "not compared: "+cmpOr(why, "no input could be compared")
		return
	case r.Panics > 0:
		r.Status, r.Detail = verdict.Warn, fmt.Sprintf("now panics on %s that worked", count(r.Panics, "input"))
	case r.Changed > 0:
		r.Status, r.Detail = verdict.Warn, "changes "+count(r.Changed, "answer")
	case r.Answers > 0:
		r.Status, r.Detail = verdict.Pass, fmt.Sprintf("answers %d more, same on %d", r.Answers, r.Same)
	case r.Supplied > 0:
		r.Status, r.Detail = verdict.Pass, fmt.Sprintf("gives something for nil on %d, same on %d", r.Supplied, r.Same)
	default:
		r.Status, r.Detail = verdict.Pass, "same on "+count(r.Same, "input")
	}
	if r.Status == verdict.Warn && len(r.Rows) > 0 {
		row := r.Rows[max(0, slices.IndexFunc(r.Rows, func(row verdict.BehaviorRow) bool {
			return row.Kind == verdict.RowChanged || row.Kind == verdict.RowPanics
		}))]
		r.Detail += ": " + row.Input + " " + row.Before + ", now " + row.After
	}
	r.Detail = clean(r.Detail)
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func directoriesOf(functions []behavior.Function) []string {
	dirs := map[string]bool{}
	for _, f := range functions {
		dirs[filepath.Dir(f.File)] = true
	}
	return slices.Sorted(maps.Keys(dirs))
}

// recording is what a run of the unpatched program has recorded.
type recording struct {
	why    string // why there is none; empty when there is
	calls  []replay.Call
	unable map[int]string
}

// names tell functions of a candidate from those of others.
func names(functions []behavior.Function) string {
	var key strings.Builder
	for _, f := range functions {
		fmt.Fprintf(&key, "%d %s %s\n", f.Num, f.File, f.Expression())
	}
	return key.String()
}

// recorded runs the unpatched program and records the calls of functions, once for all
// candidates that change the same ones.
func (b behaving) recorded(ctx context.Context, functions []behavior.Function) (recording, error) {
	return b.recordings.at(names(functions)).get(ctx, func(ctx context.Context) (recording, error) {
		if why := b.subject.Unrunnable; why != "" {
			return recording{why: why}, nil
		}
		overlay := map[string]string{}
		for _, file := range filesOf(functions) {
			path, err := b.addReplay(file, overlay)
			if err != nil {
				return recording{why: err.Error()}, nil //nolint:nilerr // the check is skipped then, and says why
			}
			text, err := b.source(file, nil)
			if err != nil {
				return recording{}, err
			}
			mine := slices.DeleteFunc(slices.Clone(functions), func(f behavior.Function) bool { return f.File != file })
			if overlay[file], err = behavior.Record(text, path, mine); err != nil {
				return recording{}, err
			}
		}
		built, err := build.Build(ctx, b.spec(filepath.Join(b.dir, "program"), nil, overlay), nil)
		if err != nil {
			return recording{}, err
		}
		calls, err := os.Create(filepath.Join(b.dir, "calls"))
		if err != nil {
			return recording{}, fmt.Errorf("record calls: %w", err)
		}
		defer calls.Close()
		if err := b.runToPanic(ctx, built.Binary, calls); err != nil {
			return recording{}, err
		}
		text, err := io.ReadAll(io.NewSectionReader(calls, 0, maxCalls))
		if err != nil {
			return recording{}, fmt.Errorf("read the recorded calls: %w", err)
		}
		var r recording
		r.calls, r.unable = behavior.Recorded(text)
		return r, nil
	})
}

// runToPanic runs a program that records calls, until it ends, or a panic is recorded: one
// that lives on has nothing else to tell.
func (b behaving) runToPanic(ctx context.Context, binary string, calls *os.File) error {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(100 * time.Millisecond)
		defer ticker.Stop()
		for at := int64(0); ; {
			select {
			case <-running.Done():
				return
			case <-ticker.C:
			}
			text, err := io.ReadAll(io.NewSectionReader(calls, at, maxCalls))
			if err != nil || bytes.Contains(text, []byte(behavior.PanicMark)) {
				cancel()
				return
			}
			at += int64(bytes.LastIndexByte(text, '\n') + 1)
		}
	}()
	_, err := b.execute(running, binary, b.wall(), calls)
	cancel()
	<-done
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

func filesOf(functions []behavior.Function) []string {
	files := map[string]bool{}
	for _, f := range functions {
		files[f.File] = true
	}
	return slices.Sorted(maps.Keys(files))
}

// addReplay adds package replay to the module of a file, and returns its import path there.
func (b behaving) addReplay(file string, overlay map[string]string) (string, error) {
	m, ok := b.subject.Workspace.ModuleOf(file)
	if !ok || m.ReadOnly {
		return "", errors.New("it is in none of your modules")
	}
	for name, text := range behavior.Sources() {
		overlay[behavior.Place(m.Dir, name)] = text
	}
	return behavior.ImportPath(m.Path), nil
}

// ofPackage compares the functions of one package and adds what came of it.
func (b behaving) ofPackage(ctx context.Context, dir string, functions []behavior.Function, calls []replay.Call, overlay map[string]string, result *verdict.Behavior, why *string) error {
	importPath := b.subject.Workspace.ImportPath(dir)
	before, err := b.answered.at(dir+"\n"+names(functions)).get(ctx, func(ctx context.Context) (answers, error) {
		return b.beforehand(ctx, dir, importPath, functions, behavior.In(calls, importPath))
	})
	if err != nil {
		return err
	}
	binary, err := b.buildReplay(ctx, filepath.Join(b.dir, "now"), dir, importPath, functions, calls, overlay)
	if err != nil {
		return err
	}
	now, err := b.replay(ctx, binary, dir, replay.Order{}, before.calls)
	if err != nil {
		return err
	}
	c := behavior.Compare(before.calls, before.first, before.again, now.Outcomes)
	result.Tried, result.Same = result.Tried+c.Tried, result.Same+c.Same
	for _, d := range c.Differences {
		switch kindOf(d) {
		case verdict.RowAnswers:
			result.Answers++
		case verdict.RowSupplied:
			result.Supplied++
		case verdict.RowChanged:
			result.Changed++
		default:
			result.Panics++
		}
	}
	result.Rows = append(result.Rows, b.rows(behavior.Words{Package: importPath}, functions, c.Differences)...)
	switch reasons := c.Reasons(); {
	case len(reasons) > 0:
		*why = functions[0].Display() + " " + reasons[0]
	case c.Varying > 0:
		*why = functions[0].Display() + " answers differently each time"
	}
	return nil
}

// kindOf is the kind of the row of a difference.
func kindOf(d behavior.Difference) string {
	if d.Supplies() {
		return verdict.RowSupplied
	}
	return d.Kind
}

// rows are the most telling differences: that of the stop, then what worked before, then
// the others.
func (b behaving) rows(w behavior.Words, functions []behavior.Function, differences []behavior.Difference) []verdict.BehaviorRow {
	rank := func(d behavior.Difference) int {
		switch {
		case d.Call.Panicked && d.Call.Away == 0:
			return 0
		case kindOf(d) == verdict.RowChanged, kindOf(d) == verdict.RowPanics:
			return 1
		}
		return 2
	}
	differences = slices.Clone(differences)
	slices.SortStableFunc(differences, func(x, y behavior.Difference) int { return rank(x) - rank(y) })
	var rows []verdict.BehaviorRow
	for _, d := range behavior.Telling(differences, behaviorRows) {
		i := slices.IndexFunc(functions, func(f behavior.Function) bool { return f.Num == d.Call.Func })
		row := verdict.BehaviorRow{Kind: kindOf(d), Function: functions[i].Display(), Stop: rank(d) == 0, Run: d.Call.Away == 0}
		row.Input, row.Source = w.Input(functions[i], d.Call)
		row.Input = clean(row.Input)
		row.Before, row.After = w.Outcomes(d.Before, d.After)
		row.Before, row.After = clean(row.Before), clean(row.After)
		rows = append(rows, row)
	}
	return rows
}
