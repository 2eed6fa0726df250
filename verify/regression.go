package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/build"
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/proof"
	"github.com/pausetui/pausetui/verify/gotest"
	"github.com/pausetui/pausetui/verify/sandbox"
)

// regression finds the first of the tests made of the stop's values that fails
// without the candidate, as the target did, and passes with it.
//
// It never fails: a test calls a function with the very values that were there
// at the stop. Where a candidate makes sure that they never come to be, the
// function still breaks on them, and only a test further out can pass.
func (a *attempt) regression(ctx context.Context) (proof.Check, error) {
	if !a.v.runs() {
		return skip("%v", sandbox.ErrNoSandbox), nil
	}
	tests, err := a.v.regressionTests(ctx)
	if ctx.Err() != nil {
		return proof.Check{}, ctx.Err()
	}
	if err != nil {
		return skip("no regression test: %v", err), nil
	}
	var dropped, failing []string
	for i, t := range tests {
		r, err := a.v.reproduce(ctx, i, t)
		if err != nil {
			return unmade(ctx, err)
		}
		if r.why != "" {
			dropped = append(dropped, t.Name+" "+r.why)
			continue
		}
		why, err := a.passes(ctx, i, t, r)
		if err != nil {
			return unmade(ctx, err)
		}
		if why == "" {
			a.verdict.Test = &tests[i]
			return pass(t.Name + " fails without it and passes with it"), nil
		}
		failing = append(failing, t.Name+" "+why)
	}
	if len(failing) > 0 {
		return inconclusive("%s\n(it calls with the values of the stop, which may be the ones that the candidate prevents)", strings.Join(failing, "\n")), nil
	}
	if len(dropped) > 0 {
		return skip("no regression test: %s", strings.Join(dropped, "\n")), nil
	}
	return skip("no regression test"), nil
}

// regressionTests waits for the tests of the stop, once for all candidates.
func (v *Verifier) regressionTests(ctx context.Context) ([]patch.RegressionTest, error) {
	if v.subject.Tests == nil {
		return nil, nil
	}
	return v.regressions.get(ctx, v.subject.Tests)
}

// reproduction is what a regression test does without any candidate.
type reproduction struct {
	why  string // why it shows nothing: "passes without a fix"; empty when it fails as the target did
	file string // absolute path of what it writes
	pkg  build.TestPackage
}

// reproduce runs the stop's i-th regression test without any candidate, once.
func (v *Verifier) reproduce(ctx context.Context, i int, t patch.RegressionTest) (reproduction, error) {
	return v.reproduced.at(itoa(i)).get(ctx, func(ctx context.Context) (reproduction, error) {
		r := reproduction{file: filepath.Clean(v.subject.Workspace.Abs(t.Edit.File))}
		if r.why = v.unfit(t, r.file); r.why != "" {
			return r, nil
		}
		packages, err := v.testPackages(ctx)
		if err != nil {
			return r, err
		}
		at := slices.IndexFunc(packages, func(p build.TestPackage) bool { return p.Dir == filepath.Dir(r.file) })
		if at < 0 {
			r.why = "is in no package of " + v.subject.Workspace.Rel(filepath.Dir(r.file))
			return r, nil
		}
		r.pkg = packages[at]
		result, why, err := v.runRegression(ctx, t, r, filepath.Join(v.dir, "regression-"+itoa(i)), nil)
		if why != "" {
			r.why = "does not build: " + why
		} else {
			r.why = v.sameFailure(r.pkg, result)
		}
		return r, err
	})
}

// reproduceFirst runs the regression tests without any candidate until one
// fails as the target did, ahead of the check that asks for them.
func (v *Verifier) reproduceFirst(ctx context.Context) {
	if !v.runs() {
		return
	}
	tests, err := v.regressionTests(ctx)
	for i := 0; i < len(tests) && err == nil; i++ {
		var r reproduction
		if r, err = v.reproduce(ctx, i, tests[i]); r.why == "" {
			return
		}
	}
}

// unfit says why a regression test cannot be tried at all.
func (v *Verifier) unfit(t patch.RegressionTest, file string) string {
	if !strings.HasSuffix(file, "_test.go") {
		return "is not in a test file"
	}
	if _, err := v.subject.Workspace.Editable(t.Edit.File); err != nil {
		return "cannot be written: " + err.Error()
	}
	if why := stale(file, t.Edit); why != "" {
		return "cannot be written: " + t.Edit.File + " " + why
	}
	if !formatted(t.Edit.After) {
		return "is not as gofmt would write it"
	}
	return ""
}

// runRegression builds a package's tests with the regression test, under the
// overlay too, as the stopped binary was built, and runs that test alone.
// refused is what the compiler said.
func (v *Verifier) runRegression(ctx context.Context, t patch.RegressionTest, r reproduction, dir string, overlay map[string]string) (result gotest.Test, refused string, err error) {
	defer func() { _ = os.RemoveAll(dir) }() // what is left goes with the verifier's own directory
	s := suite{pkg: r.pkg, silence: v.opts.TestSilence}
	built, err := build.TestBinaries(ctx, v.spec("", overlay, map[string]string{r.file: t.Edit.After}), []string{r.pkg.ImportPath}, dir)
	if err != nil {
		return gotest.Test{}, "", err
	}
	var refusal *build.Error
	if errors.As(built[0].Err, &refusal) {
		return gotest.Test{}, v.list(refusal.Diagnostics, refusal.Output), nil
	}
	s.binary = built[0].Path
	if err := v.runSuite(ctx, &s, time.Now().Add(v.opts.TestTimeout), []string{t.Name}, nil); err != nil {
		return gotest.Test{}, "", err
	}
	result = byName(s.report.Tests)[t.Name]
	if result.Status == "" {
		result.Output = s.report.Trouble
	} else if s.report.Trouble != "" {
		result.Status, result.Output = gotest.Failed, s.report.Trouble
	}
	return result, "", nil
}

// sameFailure tells whether the test fails as the target did: with the same
// class in the same function. It returns what it does instead.
func (v *Verifier) sameFailure(pkg build.TestPackage, t gotest.Test) string {
	switch {
	case t.Status == "":
		return "was not run" + after(": ", v.message(t.Output))
	case t.Status == gotest.Passed:
		return "passes without a fix"
	case t.Status != gotest.Failed:
		return "is " + string(t.Status)
	}
	s, crashed := v.site()
	if !crashed || s.class == debugger.TestFailure || s.class == debugger.Deadlock && !t.Hung {
		return "" // a test that waits for a call that does not return gives up by itself
	}
	s.function = inTests(s.function, pkg)
	for _, c := range crash.ParseAll([]byte(t.Output)) {
		if v.at(s, c) && v.sameStatement(s, c) {
			return ""
		}
	}
	if t.Hung {
		return "hangs without a fix"
	}
	return "fails in another way" + after(": ", v.message(t.Output))
}

// inTests is a function's name in the test binary of its package: there package
// main has its import path.
func inTests(function string, pkg build.TestPackage) string {
	if rest, ok := strings.CutPrefix(function, "main."); ok && pkg.Name == "main" {
		return pkg.ImportPath + "." + rest
	}
	return function
}

// passes tells why a regression test that fails without the candidate does not
// pass with it; empty when it does.
func (a *attempt) passes(ctx context.Context, i int, t patch.RegressionTest, r reproduction) (why string, err error) {
	if _, edited := a.overlay[r.file]; edited {
		return "is left out: the candidate edits " + t.Edit.File + " too", nil
	}
	result, refused, err := a.v.runRegression(ctx, t, r, filepath.Join(a.dir, "regression-"+itoa(i)), a.overlay)
	switch {
	case err != nil:
		return "", err
	case refused != "":
		return "does not build with it: " + refused, nil
	case result.Hung:
		return "hangs with it", nil
	case result.Status == gotest.Failed:
		return "still fails with it" + after(": ", a.v.message(result.Output)), nil
	case result.Status != gotest.Passed:
		return "was not run to its end" + after(": ", a.v.message(result.Output)), nil
	}
	return "", nil
}

// after puts the separator before a text, if there is one.
func after(separator, text string) string {
	if text == "" {
		return ""
	}
	return separator + text
}

// byRegression lets the regression test stand in for a rerun that the sandbox
// stood in the way of: the unpatched program does not crash there either, or
// the candidate was refused something.
func (a *attempt) byRegression(ctx context.Context) error {
	rerun, _ := proof.Find(a.verdict.Checks, proof.Rerun)
	regression, _ := proof.Find(a.verdict.Checks, proof.Regression)
	if rerun.Status != proof.Inconclusive || regression.Status != proof.Pass {
		return nil
	}
	c, err := a.v.controlRun(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil && c.why == "" && len(rerun.Blocked) == 0 {
		return nil // it could be run, and said nothing good of the candidate
	}
	rerun.Status = proof.Warn
	rerun.Detail = clean(fmt.Sprintf("by the regression test %s; the whole program could not be run again: %s", a.verdict.Test.Name, rerun.Detail))
	for i := range a.verdict.Checks {
		if a.verdict.Checks[i].Name == proof.Rerun {
			a.verdict.Checks[i] = rerun
		}
	}
	if a.onCheck != nil {
		a.onCheck(rerun)
	}
	return nil
}
