package verify

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"github.com/pausetui/pausetui/internal/scratch"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/gotest"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/suites"
	"github.com/pausetui/pausetui/verify/verdict"
)

// tests runs the tests of the packages that the candidate touches and of those
// that depend on them, and compares with what they did without it. It announces
// what it knows after each group of packages but the last, see affectedBy.
func (a *attempt) tests(ctx context.Context) (verdict.Check, error) {
	if !a.v.Runs() {
		return finding.Open(finding.Skip("%v", sandbox.ErrNoSandbox)), nil
	}
	groups, limits, err := a.v.affectedBy(ctx, a.overlay)
	if err != nil {
		return a.v.Unmade(ctx, err)
	}
	if len(groups) == 0 {
		return finding.Open(finding.Skip(verdict.NoneToRun)), nil
	}
	watch(a.patched)
	run := testRun{Outcome: suites.New(a.v.Runner), limits: limits}
	defer func() {
		a.altered, a.calmed = run.Altered, run.Calmed > 0 && run.Calmed == len(run.Fixed)
		if len(run.Failing)+len(run.Altered) > 0 {
			a.v.stillFail.Store(a.candidate.ID, true)
		}
	}()
	defer func() { _ = scratch.Remove(a.testDir()) }() // what is left goes with the verifier's own directory
	for i, packages := range groups {
		if err := a.testsOf(ctx, &run, packages); err != nil {
			return a.v.Unmade(ctx, err)
		}
		others := slices.Concat(groups[i+1:]...)
		if len(others) == 0 {
			break
		}
		so := run.Check()
		if so.Status == verdict.Fail {
			so.Detail += "\nthe tests of " + finding.Count(len(others), "other package") + " were not run"
			return so, nil
		}
		so.Detail += "; still running: the tests of " + finding.Enumerate(run.Wheres(others))
		a.announce(verdict.Tests, so)
	}
	return unwritten(a.patched, run.Check()), nil
}

// testRun is the tests of one candidate, as far as they were run.
type testRun struct {
	*suites.Outcome
	limits execute.TestLimits
	done   int // how many top-level tests there were
}

func (a *patched) testDir() string { return filepath.Join(a.dir, "tests") }

// testsOf runs the tests of some packages, and those without the candidate where
// they were not run yet.
func (a *patched) testsOf(ctx context.Context, t *testRun, packages []build.TestPackage) error {
	before, err := a.v.before(ctx, packages, t.limits.Touched)
	if err != nil {
		return err
	}
	run := suitesRun{packages: t.Runnable(packages, before), overlay: a.overlay, before: before,
		dir: filepath.Join(a.testDir(), strconv.Itoa(t.done)), limits: t.limits}
	total := t.done
	for _, p := range run.packages {
		total += countTop(before[p.ImportPath].Report.Tests)
	}
	run.onDone = a.counter(verdict.Tests, t.done, total)
	after, err := a.v.suites(ctx, run)
	if err != nil {
		return err
	}
	for _, s := range after {
		if err := t.Compare(ctx, before[s.Pkg.ImportPath], s, run.limits); err != nil {
			return err
		}
	}
	t.done = total
	return nil
}

// announce tells what a check has found so far.
func (a *attempt) announce(name string, check verdict.Check) {
	if a.onCheck != nil {
		check.Name, check.Detail = name, finding.Clean(check.Detail)
		a.onCheck(check)
	}
}

// affectedBy returns the packages whose tests an overlay can reach, in the order
// in which they are to be run: those that hold its files; then, of those that
// depend on them, the ones whose functions are on the stack of the stop; then the
// others. There are no empty groups. The limits say how long they may run.
func (v *Verifier) affectedBy(ctx context.Context, overlay map[string]string) ([][]build.TestPackage, execute.TestLimits, error) {
	packages, err := v.testPackages(ctx)
	if err != nil {
		return nil, execute.TestLimits{}, err
	}
	files := v.ReachesTests(slices.Sorted(maps.Keys(overlay)))
	return affected(packages, files, stackDirs(v)), v.NewLimits(holders(packages, files)), nil
}

// stackDirs are the directories of the user's functions on the stack of the stop.
func stackDirs(v *Verifier) []string {
	var dirs []string
	for _, f := range v.Subject.Stop.Frames {
		if f.User {
			dirs = append(dirs, filepath.Dir(f.File))
		}
	}
	return dirs
}

// testsFirst runs the tests that an overlay can reach without it, before the
// check that compares with them, in its order.
func (v *Verifier) testsFirst(ctx context.Context, overlay map[string]string) {
	if !v.Runs() {
		return
	}
	groups, limits, err := v.affectedBy(ctx, overlay)
	for _, packages := range groups {
		if err == nil {
			_, err = v.before(ctx, packages, limits.Touched) // the check asks again and gets the error
		}
	}
}

func countTop(tests []gotest.Test) int {
	n := 0
	for _, t := range tests {
		if t.IsTop() {
			n++
		}
	}
	return n
}

// counter reports progress with each test that it hears of, after those done.
func (a *patched) counter(check string, done, total int) func(gotest.Test) {
	report := a.v.Opts.OnProgress
	if report == nil {
		return nil
	}
	var mu sync.Mutex
	return func(gotest.Test) {
		mu.Lock()
		defer mu.Unlock()
		if done < total { // a test that is run again counts once
			done++
		}
		report(a.candidate.ID, check, done, total)
	}
}
