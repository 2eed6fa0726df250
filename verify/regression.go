package verify

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/gotest"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/verdict"
)

// regression finds the first of the tests made of the stop's values that fails
// without the candidate, as the target did, and passes with it.
//
// It never fails: a test calls a function with the very values that were there
// at the stop. Where a candidate makes sure that they never come to be, the
// function still breaks on them, and only a test further out can pass.
func (a *attempt) regression(ctx context.Context) (verdict.Check, error) {
	r, err := a.regress(ctx)
	a.verdict.Test = r.test
	return r.check, err
}

// regressed is what the regression tests came to.
type regressed struct {
	check verdict.Check
	test  *patch.RegressionTest // nil when none holds
}

// regress tries the regression tests, once.
func (a *attempt) regress(ctx context.Context) (regressed, error) {
	return a.regressed.Get(ctx, func(ctx context.Context) (regressed, error) {
		r, err := a.firstThatHolds(ctx)
		if err != nil {
			r.check, err = a.v.Unmade(ctx, err)
		}
		return r, err
	})
}

func (a *patched) firstThatHolds(ctx context.Context) (regressed, error) {
	if !a.v.Runs() {
		return regressed{check: finding.Skip("%v", sandbox.ErrNoSandbox)}, nil
	}
	tests, err := a.v.regressionTests(ctx)
	if ctx.Err() != nil {
		return regressed{}, ctx.Err()
	}
	if err != nil {
		return regressed{check: finding.Skip("no regression test: %v", err)}, nil
	}
	var dropped, failing []string
	for i, t := range tests {
		before, err := a.v.reproduce(ctx, i, t)
		if err != nil {
			return regressed{}, err
		}
		if before.why != "" {
			dropped = append(dropped, t.Name+" "+before.why)
			continue
		}
		why, err := a.passes(ctx, i, t, before)
		if err != nil {
			return regressed{}, err
		}
		if why == "" {
			return regressed{check: finding.Pass(t.Proves()), test: &tests[i]}, nil
		}
		failing = append(failing, t.Name+" "+why)
	}
	return regressed{check: noneHolds(failing, dropped)}, nil
}

// noneHolds says why no regression test can go with the candidate.
func noneHolds(failing, dropped []string) verdict.Check {
	switch {
	case len(failing) > 0:
		return finding.Skip("no regression test: %s; it uses the values at the stop, which the fix may rule out", strings.Join(failing, "; "))
	case len(dropped) > 0:
		return finding.Skip("no regression test: %s", strings.Join(dropped, "; "))
	}
	return finding.Skip("no regression test")
}

// regressionTests waits for the tests of the stop, once for all candidates.
func (v *Verifier) regressionTests(ctx context.Context) ([]patch.RegressionTest, error) {
	if v.Subject.Tests == nil {
		return nil, nil
	}
	return v.regressions.Get(ctx, v.Subject.Tests)
}

// passes tells why a regression test that fails without the candidate does not
// pass with it; empty when it does.
func (a *patched) passes(ctx context.Context, i int, t patch.RegressionTest, r reproduction) (why string, err error) {
	if _, edited := a.overlay[r.file]; edited {
		return "is left out: the fix edits " + t.Edit.File + " too", nil
	}
	shared, err := r.joined.binary(r.tests.Binary, a.candidate)
	if err != nil {
		return "", err
	}
	if shared != "" {
		s := r.tests
		s.Binary, s.As = shared, filepath.Join(a.dir, "regression-"+strconv.Itoa(i), filepath.Base(shared))
		if why, err := a.v.holds(ctx, s, t.Name); err != nil || why == "" {
			return why, err
		}
	}
	s, refused, err := buildRegression(ctx, a.v.Runner, t, r, filepath.Join(a.dir, "regression-"+strconv.Itoa(i)), a.withoutOwnTests())
	switch {
	case err != nil:
		return "", err
	case refused != "":
		return "does not build with it: " + refused, nil
	}
	defer s.Remove()
	return a.v.holds(ctx, s, t.Name)
}

// holds tells why a regression test does not pass in a program with a candidate, each time
// that it runs; empty when it does.
func (v *Verifier) holds(ctx context.Context, s execute.Suite, name string) (why string, err error) {
	result, err := runOne(ctx, v.Runner, s, name)
	if _, test := v.Failing(); !test && err == nil {
		_, _ = v.controlRun(ctx) // which finds out how often the program stops; its own check has the error
	}
	for range extraRuns(ctx, v.Runner) { // chance may have let it pass
		if err == nil && result.Status == gotest.Passed {
			result, err = runOne(ctx, v.Runner, s, name)
		}
	}
	switch {
	case err != nil:
		return "", err
	case result.Hung:
		return "hangs with it", nil
	case result.Status == gotest.Failed:
		return "still fails with it" + finding.After(": ", v.Message(result.Output)), nil
	case result.Status != gotest.Passed:
		return "was not run to its end" + finding.After(": ", v.Message(result.Output)), nil
	}
	return "", nil
}

// Holds runs a regression test of the stop against the source as it is now, the
// candidate that it came with being in it. why says why it does not pass; empty
// when it does.
func (v *Verifier) Holds(ctx context.Context, name string) (why string, err error) {
	tests, err := v.regressionTests(ctx)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(tests, func(t patch.RegressionTest) bool { return t.Name == name })
	if i < 0 {
		return "is not among the tests of the stop", nil
	}
	r, err := v.reproduce(ctx, i, tests[i])
	if err != nil || r.why != "" {
		return r.why, err
	}
	now, err := v.patched(patch.Candidate{}, "now")
	if err != nil {
		return "", err
	}
	return now.passes(ctx, i, tests[i], r)
}

// patched is the source with a candidate, as it is, and a directory for what is built of it.
func (v *Verifier) patched(c patch.Candidate, purpose string) (*patched, error) {
	dir, err := v.newDir(purpose)
	if err != nil {
		return nil, fmt.Errorf("run the regression test: %w", err)
	}
	a := &patched{v: v, candidate: c, overlay: map[string]string{}, dir: dir}
	for _, e := range c.Edits {
		a.overlay[filepath.Clean(v.Subject.Workspace.Abs(e.File))] = e.After
	}
	return a, nil
}

// newDir makes a directory for what is built for a purpose.
func (v *Verifier) newDir(purpose string) (string, error) {
	dir := filepath.Join(v.Dir, fmt.Sprintf("%d-%s", v.next.Add(1), purpose))
	return dir, os.MkdirAll(dir, 0o700)
}

// byRegression lets the regression test stand in for a rerun that the sandbox
// stood in the way of: the unpatched program does not crash there either, or
// the candidate was refused something.
func (a *attempt) byRegression(ctx context.Context) error {
	rerun, _ := verdict.Find(a.verdict.Checks, verdict.Rerun)
	regression, _ := verdict.Find(a.verdict.Checks, verdict.Regression)
	if rerun.Status != verdict.Inconclusive || regression.Status != verdict.Pass {
		return nil
	}
	c, err := a.v.controlRun(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil && c.Why == "" && len(rerun.Blocked) == 0 {
		return nil // it could be run, and said nothing good of the candidate
	}
	a.verdict.ByTest = true
	rerun.Status = verdict.Warn
	rerun.Detail = finding.Clean(fmt.Sprintf("by the regression test %s; the whole program could not be run again: %s", a.verdict.Test.Name, rerun.Detail))
	for i := range a.verdict.Checks {
		if a.verdict.Checks[i].Name == verdict.Rerun {
			a.verdict.Checks[i] = rerun
		}
	}
	if a.onCheck != nil {
		a.onCheck(rerun)
	}
	return nil
}
