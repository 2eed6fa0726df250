package verify

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/gotest"
	"github.com/pausetui/pausetui/verify/instrument"
	"github.com/pausetui/pausetui/verify/subject"
)

// reproduction is what a regression test does without any candidate.
type reproduction struct {
	why  string // why it shows nothing: "passes without a fix"; empty when it fails as the target did
	file string // absolute path of what it writes
	pkg  build.TestPackage
	// tests is the test program, which also holds the versions of the candidates in joined.
	// Its binary is kept until the verifier is closed.
	joined joined
	tests  execute.Suite
}

// reproduce runs the stop's i-th regression test without any candidate, once.
func (v *Verifier) reproduce(ctx context.Context, i int, t patch.RegressionTest) (reproduction, error) {
	return v.reproduced.At(strconv.Itoa(i)).Get(ctx, func(ctx context.Context) (reproduction, error) {
		r := reproduction{file: filepath.Clean(v.Subject.Workspace.Abs(t.Edit.File))}
		if r.why = unfit(v, t, r.file); r.why != "" {
			return r, nil
		}
		var err error
		if r.pkg, r.why, err = v.packageOf(ctx, r.file); r.why != "" || err != nil {
			return r, err
		}
		dir := filepath.Join(v.Dir, "regression-"+strconv.Itoa(i))
		r.joined = v.joinExpected(r.pkg.Dir)
		s, refused, err := buildRegression(ctx, v.Runner, t, r, dir, r.joined.program.Files)
		if refused != "" && len(r.joined.program.Files) > 0 { // because of a candidate, perhaps
			r.joined = joined{}
			s, refused, err = buildRegression(ctx, v.Runner, t, r, dir, nil)
		}
		switch {
		case err != nil:
			return r, err
		case refused != "":
			r.why = "does not build: " + refused
			return r, nil
		}
		if r.why, err = failsWithout(ctx, v.Runner, s, t.Name); err != nil || r.why != "" || len(r.joined.program.Files) == 0 {
			s.Remove()
			return r, err
		}
		r.tests = s
		return r, nil
	})
}

// packageOf is the package that a test file belongs to; why says that there is none.
func (v *Verifier) packageOf(ctx context.Context, file string) (pkg build.TestPackage, why string, err error) {
	packages, err := v.testPackages(ctx)
	if err != nil {
		return pkg, "", err
	}
	at := slices.IndexFunc(packages, func(p build.TestPackage) bool { return p.Dir == filepath.Dir(file) })
	if at < 0 {
		return pkg, "is in no package of " + v.Subject.Workspace.Rel(filepath.Dir(file)), nil
	}
	return packages[at], "", nil
}

// failsWithout runs a regression test without any candidate and tells why it does not
// fail as the target did; empty when it does.
func failsWithout(ctx context.Context, v *execute.Runner, s execute.Suite, name string) (why string, err error) {
	if at, ok := v.Site(); ok && at.Class == debugger.Deadlock {
		s.Alarm = alarm
		result, err := runOne(ctx, v, s, name)
		if err != nil || waitsStill(v, at, s.Pkg, result) {
			return "", err
		}
		s.Alarm = 0
	}
	result, err := runOne(ctx, v, s, name)
	if err != nil {
		return "", err
	}
	return sameFailure(v, s.Pkg, result), nil
}

// reproduceFirst runs the regression tests without any candidate until one
// fails as the target did, before the check that asks for them.
func (v *Verifier) reproduceFirst(ctx context.Context) {
	if !v.Runs() {
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
func unfit(v *Verifier, t patch.RegressionTest, file string) string {
	if !strings.HasSuffix(file, "_test.go") {
		return "is not in a test file"
	}
	if _, err := v.Subject.Workspace.Editable(t.Edit.File); err != nil {
		return "cannot be written: " + err.Error()
	}
	if why := stale(v, file, t.Edit); why != "" {
		return "cannot be written: " + t.Edit.File + " " + why
	}
	if !formatted(t.Edit.After) && (t.Edit.Create || formatted(t.Edit.Before)) {
		return "is not as gofmt would write it"
	}
	return ""
}

// buildRegression builds a package's tests with the regression test, under the
// overlay too, as the stopped binary was built. refused is what the compiler
// said.
func buildRegression(ctx context.Context, v *execute.Runner, t patch.RegressionTest, r reproduction, dir string, overlay map[string]string) (s execute.Suite, refused string, err error) {
	files := map[string]string{r.file: t.Edit.After}
	marked := instrument.Test(filepath.Base(r.file), t.Edit.After, t.Name)
	for name, text := range marked {
		files[filepath.Join(filepath.Dir(r.file), name)] = text
	}
	built, err := build.TestBinaries(ctx, v.Spec("", overlay, files), []string{r.pkg.ImportPath}, dir)
	if err != nil {
		return execute.Suite{}, "", err
	}
	var refusal *build.Error
	if errors.As(built[0].Err, &refusal) {
		return execute.Suite{}, v.List(refusal.Diagnostics, refusal.Output), nil
	}
	return execute.Suite{Pkg: r.pkg, Binary: built[0].Path, Silence: v.Opts.TestSilence, Busy: v.Opts.TestSilence, Marked: len(marked) > 0}, "", nil
}

// runOne runs one top-level test. Without a status it was not run. One that is
// marked has passed only where its mark says so too: who writes the code that is
// tested can print that it does.
func runOne(ctx context.Context, v *execute.Runner, s execute.Suite, name string) (gotest.Test, error) {
	if s.Marked {
		counters, err := instrument.NewCounters(s.Binary + "-counters")
		if err != nil {
			return gotest.Test{}, err
		}
		defer func() { _, _ = counters.Close(), os.Remove(counters.Name()) }()
		s.Extra = []*os.File{counters.File}
	}
	if err := v.RunSuite(ctx, &s, execute.NewBudget(v.TestTimeout()), []string{name}, nil); err != nil {
		return gotest.Test{}, err
	}
	result := gotest.ByName(s.Report.Tests)[name]
	if result.Status == "" {
		result.Output = s.Report.Trouble
	} else if s.Report.Trouble != "" {
		result.Status, result.Output = gotest.Failed, s.Report.Trouble
	}
	if s.Marked && result.Status == gotest.Passed && (instrument.Counters{File: s.Extra[0]}).At(instrument.Passed) == 0 {
		result.Status = gotest.Unfinished
	}
	return result, nil
}

// alarm is how long the regression test of a deadlock waits before it is looked
// at: it would give up much later by itself.
const alarm = 2 * time.Second

// waitsStill reports whether the test, when its alarm went off, still waited at the
// very statement where the target hung.
func waitsStill(v *execute.Runner, s subject.Site, pkg build.TestPackage, t gotest.Test) bool {
	c, ok := crash.Parse([]byte(t.Output))
	if !ok || !strings.HasPrefix(c.Message, "test timed out") {
		return false
	}
	return s.InTests(pkg).Waiter(v.Own, c.Goroutines) >= 0
}

// sameFailure reports whether the test fails as the target did: with the same
// class in the same function. It returns what it does instead.
func sameFailure(v *execute.Runner, pkg build.TestPackage, t gotest.Test) string {
	switch {
	case t.Status == "":
		return "was not run" + finding.After(": ", v.Message(t.Output))
	case t.Status == gotest.Passed:
		return "passes without a fix, so it does not show the bug"
	case t.Status != gotest.Failed:
		return "is " + string(t.Status)
	}
	s, crashed := v.Site()
	if !crashed || s.Class == debugger.TestFailure {
		return ""
	}
	s = s.InTests(pkg)
	all := crash.ParseAll([]byte(t.Output))
	for _, c := range all {
		if v.At(s, c) && v.SameStatement(s, c) {
			return ""
		}
	}
	if s.Class == debugger.Deadlock && len(all) == 0 && !t.Hung {
		return "" // it waited for a call that does not return, and gave up
	}
	if t.Hung {
		return "hangs without a fix"
	}
	return "fails in another way" + finding.After(": ", v.Message(t.Output))
}
