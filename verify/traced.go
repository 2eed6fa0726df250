package verify

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/gotest"
	"github.com/pausetui/pausetui/verify/instrument"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/verdict"
)

// trace is a run of the candidate with marks at its points.
type trace struct {
	effect.Marked
	reached effect.Reached
	result  sandbox.Result
	unlike  string // how the run ended, where the rerun ended in another way
	// overwritten is a file that the run changed, if the candidate adds what may do so.
	overwritten string
}

// traced runs the candidate with marks, once. Without a run the points are
// there, and an error says why they are all that is known.
func (a *attempt) traced(ctx context.Context) (trace, error) {
	return a.trace.Get(ctx, func(ctx context.Context) (trace, error) {
		changes := a.withEnds(a.withSite(a.changes()))
		t := trace{Marked: effect.Mark(changes, a.compared(), func(file string) string { return filepath.Clean(a.v.Subject.Workspace.Abs(file)) })}
		a.countTests(&t.Marked)
		if why := a.v.Subject.Unrunnable; why != "" || !a.v.Runs() {
			return t, sandbox.ErrNoSandbox
		}
		if _, test := a.v.Failing(); !test {
			if c, err := a.v.controlRun(ctx); err != nil || c.Why != "" {
				return t, errors.Join(err, errElsewhere)
			}
		}
		dir := filepath.Join(a.dir, "marks")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return t, err
		}
		built, err := build.Build(ctx, a.v.Counted(filepath.Join(dir, "program"), a.withoutOwnTests(), t.Overlay), nil)
		if err != nil {
			return t, err
		}
		counters, err := instrument.NewCounters(filepath.Join(dir, "counters"))
		if err != nil {
			return t, err
		}
		defer counters.Close()
		if failing, ok := a.v.Failing(); ok {
			var tests []gotest.Test
			tests, _, err = a.v.RunTest(ctx, built.Binary, failing, counters.File)
			if it := gotest.ByName(tests)[failing.Name]; it.Status != gotest.Passed && it.Status != gotest.Skipped {
				t.unlike = "with counters built in, " + failing.Name + " does not pass"
			}
		} else {
			given := givenDirs(a.patched)
			were := timesOf(given)
			t.result, err = a.v.ExecuteWith(ctx, built.Binary, execute.Manner{Args: a.v.Subject.Run.Args, Watched: given}, a.v.Wall(), counters.File)
			t.overwritten = overwritten(a.v.Target, t.result, were)
			if execute.EndingOf(t.result).Exit != 0 {
				t.unlike = "with counters built in, the program " + execute.Ending(t.result)
			}
			spent := time.Duration(0)
			for range retraced(ctx, a.v.Runner, t.result) { // what one run does not come to, another may
				if err == nil && spent < execute.Patience {
					var again sandbox.Result
					again, err = a.v.Execute(ctx, built.Binary, a.v.Wall(), counters.File)
					spent += again.Took
				}
			}
		}
		t.reached = t.Read(counters.At)
		return t, err
	})
}

// errElsewhere is returned where the unpatched program does not come to its stop in the
// sandbox: a run there shows nothing of what the candidate does at it.
var errElsewhere = errors.New("the program does not come to its stop in the sandbox")

// retraced is how often a marked program runs again after a run: where the stop
// is one of some runs, its points may be, too.
func retraced(ctx context.Context, v *execute.Runner, r sandbox.Result) int {
	if _, ok := v.Site(); !ok || execute.ByItself(r) {
		return 0
	}
	return extraRuns(ctx, v)
}

// extraRuns is how often what has gone well once is run again: where the program stops only
// in some runs, or may.
func extraRuns(ctx context.Context, v *execute.Runner) int {
	switch {
	case v.Sometimes():
		return 2 * execute.AtOnce
	case v.Chance(ctx):
		return execute.AtOnce
	}
	return 0
}

// cutShort says why a run with marks shows nothing: it crashed, elsewhere, before it came to
// any of them.
func (a *attempt) cutShort(t trace) error {
	found, ok := crash.Parse(t.result.Output)
	if !ok || found.Recovered || a.isNext(found) || slices.ContainsFunc(t.reached.Points, func(n uint64) bool { return n > 0 }) {
		return nil
	}
	return errors.New("with counters built in, the program crashed before it came to what the fix adds: " + a.v.Describe(found))
}

// notSeen notes why the run with marks does not show what a label would rest on.
// That is no label itself: the check is inconclusive then.
func (a *attempt) notSeen(err error) {
	if err != nil && !errors.Is(err, sandbox.ErrNoSandbox) && !errors.Is(err, errElsewhere) {
		a.unseen = a.v.Reason(err)
	}
}

// orDeclined takes the check of a run that has not got past the failing line, and makes
// a warning of it where that is because the candidate declines the input: the
// run went through a statement it adds that returns an error or ends the
// program, and ended with an exit code of its own. Whether the input deserves it
// is for the reader to say.
func (a *attempt) orDeclined(ctx context.Context, r sandbox.Result, c verdict.Check) (verdict.Check, error) {
	if c.Status == verdict.Pass || c.Status == verdict.Warn || !execute.ByItself(r) || a.v.Subject.Build.Test || len(a.compared().Points) == 0 {
		return c, nil
	}
	t, err := a.traced(ctx)
	switch {
	case ctx.Err() != nil:
		return c, ctx.Err()
	case err != nil || t.reached.Last < 0 || t.result.ExitCode != r.ExitCode:
		return c, nil //nolint:nilerr // then the run is judged without
	}
	p := t.Points[t.reached.Last]
	return finding.Warn("it declines the input: it %s at %s:%d, which the fix adds%s", execute.Ending(r), p.File, p.Line, execute.Said(r)), nil
}
