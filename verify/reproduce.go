package verify

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/gotest"
	"github.com/pausetui/pausetui/verify/instrument"
	"github.com/pausetui/pausetui/verify/sandbox"
)

// reproduction is what a regression test does without any candidate.
type reproduction struct {
	why  string // why it shows nothing: "passes without a fix"; empty when it fails as the target did
	file string // absolute path of what it writes
	pkg  build.TestPackage
	// tests is the test program, which also holds the versions of the candidates in joined.
	// Its binary is kept until the verifier is closed.
	joined joined
	tests  suite
}

// reproduce runs the stop's i-th regression test without any candidate, once.
func (v *Verifier) reproduce(ctx context.Context, i int, t patch.RegressionTest) (reproduction, error) {
	return v.reproduced.At(itoa(i)).Get(ctx, func(ctx context.Context) (reproduction, error) {
		r := reproduction{file: filepath.Clean(v.subject.Workspace.Abs(t.Edit.File))}
		if r.why = v.unfit(t, r.file); r.why != "" {
			return r, nil
		}
		var err error
		if r.pkg, r.why, err = v.packageOf(ctx, r.file); r.why != "" || err != nil {
			return r, err
		}
		dir := filepath.Join(v.dir, "regression-"+itoa(i))
		r.joined = v.joinExpected(r.pkg.Dir)
		s, refused, err := v.buildRegression(ctx, t, r, dir, r.joined.program.Files)
		if refused != "" && len(r.joined.program.Files) > 0 { // because of a candidate, perhaps
			r.joined = joined{}
			s, refused, err = v.buildRegression(ctx, t, r, dir, nil)
		}
		switch {
		case err != nil:
			return r, err
		case refused != "":
			r.why = "does not build: " + refused
			return r, nil
		}
		if r.why, err = v.fails(ctx, s, t.Name); err != nil || r.why != "" || len(r.joined.program.Files) == 0 {
			s.remove()
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
		return pkg, "is in no package of " + v.subject.Workspace.Rel(filepath.Dir(file)), nil
	}
	return packages[at], "", nil
}

// fails runs a regression test without any candidate and tells why it does not
// fail as the target did; empty when it does.
func (v *runner) fails(ctx context.Context, s suite, name string) (why string, err error) {
	if at, ok := v.site(); ok && at.class == debugger.Deadlock {
		s.alarm = alarm
		result, err := v.runOne(ctx, s, name)
		if err != nil || v.waits(at, s.pkg, result) {
			return "", err
		}
		s.alarm = 0
	}
	result, err := v.runOne(ctx, s, name)
	if err != nil {
		return "", err
	}
	return v.sameFailure(s.pkg, result), nil
}

// reproduceFirst runs the regression tests without any candidate until one
// fails as the target did, before the check that asks for them.
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
func (v *target) unfit(t patch.RegressionTest, file string) string {
	if !strings.HasSuffix(file, "_test.go") {
		return "is not in a test file"
	}
	if _, err := v.subject.Workspace.Editable(t.Edit.File); err != nil {
		return "cannot be written: " + err.Error()
	}
	if why := v.stale(file, t.Edit); why != "" {
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
func (v *runner) buildRegression(ctx context.Context, t patch.RegressionTest, r reproduction, dir string, overlay map[string]string) (s suite, refused string, err error) {
	files := map[string]string{r.file: t.Edit.After}
	marked := instrument.Test(filepath.Base(r.file), t.Edit.After, t.Name)
	for name, text := range marked {
		files[filepath.Join(filepath.Dir(r.file), name)] = text
	}
	built, err := build.TestBinaries(ctx, v.spec("", overlay, files), []string{r.pkg.ImportPath}, dir)
	if err != nil {
		return suite{}, "", err
	}
	var refusal *build.Error
	if errors.As(built[0].Err, &refusal) {
		return suite{}, v.list(refusal.Diagnostics, refusal.Output), nil
	}
	return suite{pkg: r.pkg, binary: built[0].Path, silence: v.opts.TestSilence, busy: v.opts.TestSilence, marked: len(marked) > 0}, "", nil
}

// remove gives the room of a binary back before its whole directory goes.
func (s suite) remove() { _ = os.Remove(s.binary) }

// runOne runs one top-level test. Without a status it was not run. One that is
// marked has passed only where its mark says so too: who writes the code that is
// tested can print that it does.
func (v *runner) runOne(ctx context.Context, s suite, name string) (gotest.Test, error) {
	if s.marked {
		counters, err := instrument.NewCounters(s.binary + "-counters")
		if err != nil {
			return gotest.Test{}, err
		}
		defer func() { _, _ = counters.Close(), os.Remove(counters.Name()) }()
		s.extra = []*os.File{counters.File}
	}
	if err := v.runSuite(ctx, &s, newBudget(v.testTimeout()), []string{name}, nil); err != nil {
		return gotest.Test{}, err
	}
	result := byName(s.report.Tests)[name]
	if result.Status == "" {
		result.Output = s.report.Trouble
	} else if s.report.Trouble != "" {
		result.Status, result.Output = gotest.Failed, s.report.Trouble
	}
	if s.marked && result.Status == gotest.Passed && (instrument.Counters{File: s.extra[0]}).At(instrument.Passed) == 0 {
		result.Status = gotest.Unfinished
	}
	return result, nil
}

// alarm is how long the regression test of a deadlock waits before it is looked
// at: it would give up much later by itself.
const alarm = 2 * time.Second

// waits reports whether the test, when its alarm went off, still waited at the
// very statement where the target hung.
func (v *target) waits(s site, pkg build.TestPackage, t gotest.Test) bool {
	c, ok := crash.Parse([]byte(t.Output))
	if !ok || !strings.HasPrefix(c.Message, "test timed out") {
		return false
	}
	return s.inTests(pkg).waiter(v.own, c.Goroutines) >= 0
}

// waiter is the first goroutine that waits at the site's statement; -1 without one.
func (s site) waiter(own func(debugger.Frame) bool, all []crash.Goroutine) int {
	return slices.IndexFunc(all, func(g crash.Goroutine) bool {
		i := slices.IndexFunc(g.Frames, own)
		if i < 0 || g.State == "running" || g.State == "runnable" {
			return false
		}
		f := g.Frames[i]
		return named(f.Function) == s.function && (f.Line == s.line || workspace.Line(f.File, f.Line) == workspace.Line(s.file, s.line))
	})
}

// crashes are those that a run has printed. Where the target was halted in a deadlock,
// it is one of them if the run was in it when its time was up.
func crashes(v *target, s site, r sandbox.Result) []crash.Crash {
	all := crash.ParseAll(r.Output)
	if !v.subject.Stop.Hangs() || !r.Alive() {
		return all
	}
	goroutines := crash.Goroutines(r.Stacks)
	if i := s.waiter(v.own, goroutines); i >= 0 {
		end := len(r.Output)
		all = append(all, crash.Crash{Class: s.class, Message: "still waiting after " + short(r.Took).String(),
			Goroutines: goroutines[i : i+1], Start: end, End: end})
	}
	return all
}

// sameFailure reports whether the test fails as the target did: with the same
// class in the same function. It returns what it does instead.
func (v *target) sameFailure(pkg build.TestPackage, t gotest.Test) string {
	switch {
	case t.Status == "":
		return "was not run" + after(": ", v.message(t.Output))
	case t.Status == gotest.Passed:
		return "passes without a fix, so it does not show the bug"
	case t.Status != gotest.Failed:
		return "is " + string(t.Status)
	}
	s, crashed := v.site()
	if !crashed || s.class == debugger.TestFailure {
		return ""
	}
	s = s.inTests(pkg)
	all := crash.ParseAll([]byte(t.Output))
	for _, c := range all {
		if v.at(s, c) && v.sameStatement(s, c) {
			return ""
		}
	}
	if s.class == debugger.Deadlock && len(all) == 0 && !t.Hung {
		return "" // it waited for a call that does not return, and gave up
	}
	if t.Hung {
		return "hangs without a fix"
	}
	return "fails in another way" + after(": ", v.message(t.Output))
}

// inTests is the site in the test binary of its package.
func (s site) inTests(pkg build.TestPackage) site {
	s.function = inTests(s.function, pkg)
	recurs := map[string]bool{}
	for name := range s.recurs {
		recurs[inTests(name, pkg)] = true
	}
	s.recurs = recurs
	return s
}

// inTests is a function's name in the test binary of its package: there package
// main has its import path.
func inTests(function string, pkg build.TestPackage) string {
	if rest, ok := strings.CutPrefix(function, "main."); ok && pkg.Name == "main" {
		return pkg.ImportPath + "." + rest
	}
	return function
}
