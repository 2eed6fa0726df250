package verify

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/pausetui/pausetui/build"
	"github.com/pausetui/pausetui/proof"
	"github.com/pausetui/pausetui/verify/gotest"
	"github.com/pausetui/pausetui/verify/sandbox"
)

// tests runs the tests of the packages that the candidate touches and of those
// that depend on them, and compares with what they did without it.
func (a *attempt) tests(ctx context.Context) (proof.Check, error) {
	if !a.v.runs() {
		return skip("%v", sandbox.ErrNoSandbox), nil
	}
	packages, err := a.v.affectedBy(ctx, a.overlay)
	if err != nil {
		return unmade(ctx, err)
	}
	if len(packages) == 0 {
		return skip("no tests"), nil
	}
	before, err := a.v.before(ctx, packages)
	if err != nil {
		return unmade(ctx, err)
	}
	o := newOutcome(a.v)
	run := suitesRun{packages: o.runnable(packages, before), overlay: a.overlay, before: before,
		dir: filepath.Join(a.dir, "tests"), until: time.Now().Add(a.v.opts.TestTimeout)}
	total := 0
	for _, p := range run.packages {
		total += countTop(before[p.ImportPath].report.Tests)
	}
	run.onDone = a.counter(proof.Tests, total)
	defer func() { _ = os.RemoveAll(run.dir) }() // what is left goes with the verifier's own directory
	after, err := a.v.suites(ctx, run)
	if err != nil {
		return unmade(ctx, err)
	}
	for _, s := range after {
		if err := a.compareSuite(ctx, o, before[s.pkg.ImportPath], s, run.until); err != nil {
			return unmade(ctx, err)
		}
	}
	return o.check(), nil
}

// affectedBy returns the packages whose tests an overlay can reach.
func (v *Verifier) affectedBy(ctx context.Context, overlay map[string]string) ([]build.TestPackage, error) {
	packages, err := v.testPackages(ctx)
	if err != nil {
		return nil, err
	}
	var files []string
	for file := range overlay {
		files = append(files, file)
	}
	slices.Sort(files)
	return affected(packages, files), nil
}

// runs tells whether candidates may run here at all.
func (v *Verifier) runs() bool {
	tier, _ := sandbox.Detect()
	return v.opts.AllowUnsandboxed || tier != sandbox.None && v.opts.MaxTier != sandbox.None
}

// testsFirst runs the tests that an overlay can reach without it, ahead of the
// check that compares with them.
func (v *Verifier) testsFirst(ctx context.Context, overlay map[string]string) {
	if !v.runs() {
		return
	}
	packages, err := v.affectedBy(ctx, overlay)
	if err == nil && len(packages) > 0 {
		_, _ = v.before(ctx, packages) // the check asks again and gets the error
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

// counter reports progress with each test that it hears of.
func (a *attempt) counter(check string, total int) func(gotest.Test) {
	report := a.v.opts.OnProgress
	if report == nil {
		return nil
	}
	var mu sync.Mutex
	done := 0
	return func(gotest.Test) {
		mu.Lock()
		defer mu.Unlock()
		if done < total { // a test that is run again counts once
			done++
		}
		report(a.candidate.ID, check, done, total)
	}
}

// compareSuite adds one package to the outcome. What fails now is run once more,
// with the candidate and then without it, to tell flaky tests.
func (a *attempt) compareSuite(ctx context.Context, o *outcome, before, after suite, until time.Time) error {
	switch {
	case after.late:
		o.late = append(o.late, "those of "+o.where(after.pkg))
		return nil
	case after.unbuilt != "":
		o.refused = append(o.refused, after)
		return nil
	}
	c := compareSuites(before.report, after.report)
	o.add(before, after, c)
	if len(c.broken) == 0 && c.trouble == "" {
		return nil
	}
	if least := time.Now().Add(after.silence + time.Second); until.Before(least) {
		until = least // what fails is to have its second chance
	}
	again := after
	if err := a.v.runSuite(ctx, &again, until, tops(c.broken), nil); err != nil {
		return err
	}
	still := compareSuites(before.report, again.report)
	confirmed := still.broken
	if len(confirmed) > 0 {
		once := before
		if err := a.v.runSuite(ctx, &once, until, tops(confirmed), nil); err != nil {
			return err
		}
		was := byName(once.report.Tests)
		confirmed = slices.DeleteFunc(slices.Clone(confirmed), func(t gotest.Test) bool { return was[gotest.Top(t.Name)].Status == gotest.Failed })
	}
	o.judge(after, c, confirmed, still.trouble)
	return nil
}
