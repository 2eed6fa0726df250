package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/behavior"
	"github.com/pausetui/pausetui/verify/behavior/replay"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/syntax"
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
// candidate and with it. What that needs of the unpatched program is built for others, too,
// which may be next. The error tells that this could not be done, or that ctx ended.
func (v *Verifier) Behavior(ctx context.Context, c patch.Candidate, others ...patch.Candidate) (verdict.Behavior, error) {
	dir, err := v.newDir("behavior")
	if err != nil {
		return verdict.Behavior{}, fmt.Errorf("compare the behavior of %q: %w", c.ID, err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	b := &behaving{Verifier: v, candidate: c, dir: dir, overlay: map[string]string{}, result: verdict.Behavior{Status: verdict.Skip}}
	err = b.compare(ctx, c, others)
	var refusal *build.Error
	switch {
	case errors.As(err, &refusal):
		line, _, _ := strings.Cut(refusal.Error(), "\n")
		return verdict.Behavior{Status: verdict.Skip, Detail: "the program that calls the functions again does not build: " + finding.Clean(line)}, nil
	case err != nil:
		return b.result, fmt.Errorf("compare the behavior of %q: %w", c.ID, err)
	}
	b.result.Apart = v.compared.add(c.ID, b.made)
	return b.result, nil
}

// behaving is one comparison.
type behaving struct {
	*Verifier
	candidate patch.Candidate
	dir       string            // removed at its end
	overlay   map[string]string // the candidate's files, by absolute path
	old       *unpatched
	result    verdict.Behavior
	why       string // why something could not be compared; empty when everything could
	breaks    bool   // answers change that were probably right
	made      compared
}

// part is the changed functions of one package, with the calls that were recorded of them.
type part struct {
	dir, importPath string
	functions       []behavior.Function
	calls           []replay.Call
}

// function is the one with a number; false where it is of another package.
func (p part) function(num int) (behavior.Function, bool) {
	i := slices.IndexFunc(p.functions, func(f behavior.Function) bool { return f.Num == num })
	if i < 0 {
		return behavior.Function{}, false
	}
	return p.functions[i], true
}

// changed are the functions that a candidate gives another body.
func changed(w workspace.Workspace, c patch.Candidate) ([]behavior.Function, []behavior.Left) {
	var changes []syntax.Change
	for _, e := range c.Edits {
		if strings.HasSuffix(e.File, ".go") && !e.Create {
			changes = append(changes, syntax.Change{File: filepath.Clean(w.Abs(e.File)), Before: e.Before, After: e.After})
		}
	}
	return behavior.Functions(changes)
}

func (b *behaving) compare(ctx context.Context, c patch.Candidate, others []patch.Candidate) (err error) {
	for _, e := range c.Edits {
		b.overlay[filepath.Clean(b.Subject.Workspace.Abs(e.File))] = e.After
	}
	functions, left := changed(b.Subject.Workspace, c)
	for _, l := range left {
		b.result.Left = append(b.result.Left, l.Function+": "+l.Why)
	}
	switch {
	case !b.Runs():
		b.result.Detail = sandbox.ErrNoSandbox.Error()
	case len(functions) == 0 && len(left) == 0:
		b.result.Detail = "it changes no function"
	case len(functions) == 0:
		b.result.Detail = "not compared: " + left[0].Function + ", " + left[0].Why
	}
	if b.result.Detail != "" {
		return nil
	}
	if b.old, err = b.programs.of(b.Verifier, c, functions, others); err != nil {
		return err
	}
	begun := b.result
	err = b.call(ctx, functions)
	if refusal := new(build.Error); errors.As(err, &refusal) && len(b.old.functions) > len(functions) { // because of the others, perhaps
		b.result = begun
		if b.old, err = b.programs.alone(b.Verifier, functions); err == nil {
			err = b.call(ctx, functions)
		}
	}
	return err
}

// call calls functions again, without the candidate and with it.
func (b *behaving) call(ctx context.Context, functions []behavior.Function) error {
	r, err := b.recorded(ctx)
	if err != nil {
		return err
	}
	functions = b.old.numbered(functions)
	b.why = r.why
	for _, dir := range distinct(functions, directory) {
		p := b.old.part(functions, dir, b.Subject.Workspace.ImportPath(dir), r.calls)
		b.lacks(p, r)
		if len(p.calls) == 0 {
			continue
		}
		if err := b.ofPackage(ctx, p, r.calls); err != nil {
			return err
		}
	}
	b.conclude()
	return nil
}

// lacks notes of which functions there is no call.
func (b *behaving) lacks(p part, r recording) {
	for _, f := range p.functions {
		called := slices.ContainsFunc(p.calls, func(call replay.Call) bool { return call.Func == f.Num })
		if unable := r.unable[f.Num]; unable != "" {
			b.why = f.Display() + " is called with a value that cannot be made again: it " + unable
			if called {
				b.result.Left = append(b.result.Left, "a call of "+f.Display()+" by this run: a value cannot be made again, it "+unable)
			}
		} else if !called && b.why == "" {
			b.why = "no call to " + f.Display() + " was recorded"
		}
	}
}

func directory(f behavior.Function) string { return filepath.Dir(f.File) }
func fileName(f behavior.Function) string  { return f.File }

// distinct are the different values that functions have, in order.
func distinct(functions []behavior.Function, of func(behavior.Function) string) []string {
	var values []string
	for _, f := range functions {
		values = append(values, of(f))
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// those are the functions that have a value.
func those(functions []behavior.Function, of func(behavior.Function) string, value string) []behavior.Function {
	return slices.DeleteFunc(slices.Clone(functions), func(f behavior.Function) bool { return of(f) != value })
}

// conclude says in Status and Detail what the comparison has found.
func (b *behaving) conclude() {
	r := &b.result
	if r.Tried == 0 {
		r.Status, r.Detail = verdict.Skip, "not compared: "+cmp.Or(b.why, "no input could be compared")
		return
	}
	r.Status, r.Detail = verdict.Pass, r.Words()
	if b.breaks {
		r.Status = verdict.Warn
	}
	if r.Panics+r.Changed+r.Errors > 0 {
		kind := verdict.RowError
		switch { // of which the words are
		case r.Panics > 0:
			kind = verdict.RowPanics
		case r.Changed > 0:
			kind = verdict.RowChanged
		}
		if i := slices.IndexFunc(r.Rows, func(row verdict.BehaviorRow) bool { return row.Kind == kind }); i >= 0 {
			r.Detail += ": " + r.Rows[i].Input + " " + r.Rows[i].Before + ", now " + r.Rows[i].After
		}
	}
	r.Detail = finding.Clean(r.Detail)
}

// ofPackage compares the functions of one package and adds to the result. all are the calls
// that were recorded, of others, too.
func (b *behaving) ofPackage(ctx context.Context, p part, all []replay.Call) error {
	before, err := b.old.answered.At(p.key()).Get(ctx, func(ctx context.Context) (answers, error) {
		return b.beforehand(ctx, p, all)
	})
	if err != nil {
		return err
	}
	program, err := b.with(ctx, p, all)
	if err != nil {
		return err
	}
	now, err := b.replay(ctx, program, p.dir, replay.Order{}, before.calls)
	if err != nil {
		return err
	}
	c := behavior.Compare(before.calls, before.first, before.again, now.Outcomes)
	r := &b.result
	r.Tried, r.Same = r.Tried+c.Tried, r.Same+c.Same
	for _, d := range c.Differences {
		switch d.Kind {
		case verdict.RowAnswers:
			r.Answers++
		case verdict.RowSupplied:
			r.Supplied++
		case verdict.RowChanged:
			r.Changed++
		case verdict.RowError:
			r.Errors++
		default:
			r.Panics++
		}
	}
	b.breaks = b.breaks || c.Breaks(p.calls)
	r.ErrorsBreak = r.ErrorsBreak || c.Breaks(p.calls, verdict.RowError)
	foremost := slices.DeleteFunc(behavior.Foremost(c.Differences, behaviorRows), func(d behavior.Difference) bool {
		_, ok := p.function(d.Call.Func)
		return !ok
	})
	r.Rows = append(r.Rows, rows(p, foremost)...)
	b.made.parts = append(b.made.parts, comparedPart{part: p, before: before, now: now.Outcomes, rows: foremost})
	switch reasons := c.Reasons(); {
	case len(reasons) > 0:
		b.why = p.functions[0].Display() + " " + reasons[0]
	case c.Varying > 0:
		b.why = p.functions[0].Display() + " answers differently each time"
	case c.Failing > 0 && b.why == "":
		b.why = p.functions[0].Display() + " panics, or does not return, without the fix and with it"
	}
	return nil
}

// rows say what some differences are.
func rows(p part, differences []behavior.Difference) []verdict.BehaviorRow {
	var list []verdict.BehaviorRow
	w := behavior.Words{Package: p.importPath}
	for _, d := range differences {
		f, _ := p.function(d.Call.Func)
		row := verdict.BehaviorRow{Kind: d.Kind, Function: f.Display(), Stop: d.AtStop(), Run: d.Call.Away == 0}
		row.Input, row.Source = w.Input(f, d.Call)
		row.Before, row.After = w.Outcomes(d)
		all := verdict.WholeRow{Input: whole(row.Input), Before: whole(w.Whole(d.Call, d.Before)), After: whole(w.Whole(d.Call, d.After))}
		row.Input, row.Before, row.After = finding.Clean(row.Input), finding.Clean(row.Before), finding.Clean(row.After)
		if all != (verdict.WholeRow{Input: row.Input, Before: row.Before, After: row.After}) {
			row.Whole = &all
		}
		list = append(list, row)
	}
	return list
}

// whole makes a value fit to be kept.
func whole(s string) string {
	const most = 32 << 10 // bytes
	return finding.Shortened(printable.Text(s), most)
}
