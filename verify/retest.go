package verify

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/gotest"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/suites"
	"github.com/pausetui/pausetui/verify/verdict"
	"github.com/pausetui/pausetui/verify/weaken"
)

// Where the target stopped at a failing test, that test takes the place of the
// crash: the control is a run in which it fails as well, and a candidate passes
// when the test does, and no other that ran with it fails now.

// retested is the failing test without any candidate.
type retested struct {
	why     string // why nothing can be compared; empty when it fails as it did
	blocked []string
	tests   []gotest.Test // it, what it belongs to and its siblings
}

// retest is the rerun of a candidate for a failing test.
func (a *attempt) retest(ctx context.Context, t debugger.FailingTest) (verdict.Check, error) {
	if !a.v.Runs() {
		return finding.Skip("%v", sandbox.ErrNoSandbox), nil
	}
	before, err := a.v.retestControl(ctx, t)
	switch {
	case err != nil:
		return a.v.Unmade(ctx, err)
	case before.why != "":
		check := finding.Inconclusive("in the sandbox %s", before.why)
		check.Blocked = sandbox.Needs(before.blocked)
		return check, nil
	}
	watch(a.patched)
	now, blocked, err := a.v.RunTest(ctx, a.built.Binary, t)
	if err != nil {
		return a.v.Unmade(ctx, err)
	}
	rerun := func(binary string) func() ([]gotest.Test, error) {
		return func() ([]gotest.Test, error) {
			tests, _, err := a.v.RunTest(ctx, binary, t)
			return tests, err
		}
	}
	check, err := suites.SureOf(a.v.Runner, t, before.tests, now, rerun(a.built.Binary), rerun(a.v.Subject.Binary))
	if err != nil {
		return a.v.Unmade(ctx, err)
	}
	if it := gotest.ByName(now)[t.Name]; it.Status == gotest.Skipped {
		a.isSkipped = true
		check = a.skipped(it, gotest.ByName(before.tests)[t.Name])
	}
	if check.Status == verdict.Fail && len(blocked) > 0 {
		check.Blocked = sandbox.Needs(blocked)
	}
	return unwritten(a.patched, check), nil
}

// retestControl runs the failing test without any candidate, twice at once: one
// that fails only sometimes proves nothing of a candidate with which it passes.
func (v *Verifier) retestControl(ctx context.Context, t debugger.FailingTest) (retested, error) {
	return v.failure.Get(ctx, func(ctx context.Context) (retested, error) {
		var runs [2][]gotest.Test
		var blocked [2][]string
		var errs [2]error
		var wait sync.WaitGroup
		for i := range runs {
			wait.Go(func() { runs[i], blocked[i], errs[i] = v.RunTest(ctx, v.Subject.Binary, t) })
		}
		wait.Wait()
		if err := errors.Join(errs[:]...); err != nil {
			return retested{}, err
		}
		r := retested{tests: runs[0], blocked: append(blocked[0], blocked[1]...)}
		for _, run := range runs {
			if why := suites.Unlike(v.Runner, t, run); why != "" {
				r.why = why
			}
		}
		return r, nil
	})
}

// skipped judges a candidate with which the failing test is skipped. That is how the
// test ends where its own line says so, which came already without the candidate, or
// comes after the line that failed. Where the test fails before that line, nothing
// is known of it now.
func (a *patched) skipped(now, before gotest.Test) verdict.Check {
	place := suites.PlacesLogged.FindString(now.Output)
	if place == "" || a.addsSkip() || !a.skipsAt(place) {
		return finding.Open(finding.Fail("%s is skipped with it", now.Name))
	}
	s, _ := a.v.Site()
	file, line, _ := strings.Cut(strings.TrimSuffix(place, ": "), ":")
	n, _ := strconv.Atoi(line)
	if strings.Contains(before.Output, place) || file == filepath.Base(s.File) && s.Line > 0 && n > s.Line && a.inFunction(s, n) {
		return finding.Pass(fmt.Sprintf("%s no longer fails, and is skipped by its own line, %s:%s", now.Name, file, line))
	}
	return finding.Inconclusive("%s is skipped by its own line, %s:%s, and was not before: whether it would pass is not known", now.Name, file, line)
}

// inFunction reports whether a line of the site's file is in the function that
// stopped.
func (a *patched) inFunction(s subject.Site, line int) bool {
	text, err := a.v.Source(s.File, nil)
	first, last := functionLines(text, s.Line)
	return err == nil && first <= line && line <= last
}

// addsSkip reports whether the candidate adds a call that skips a test, or changes
// a test file.
func (a *patched) addsSkip() bool {
	return slices.ContainsFunc(a.candidate.Edits, func(e patch.Edit) bool {
		return strings.HasSuffix(e.File, "_test.go") || weaken.Skips(e.After) > weaken.Skips(e.Before)
	})
}

// skipsAt reports whether a line of a test file, "a_test.go:7: ", skips the test.
func (a *patched) skipsAt(place string) bool {
	name, line, _ := strings.Cut(strings.TrimSuffix(place, ": "), ":")
	n, _ := strconv.Atoi(line)
	return strings.HasSuffix(name, "_test.go") && strings.Contains(workspace.Line(filepath.Join(a.v.Subject.Run.Dir, name), n), ".Skip")
}
