// Package verify proves candidates: it checks where they reach, parses, builds
// (over an overlay), vets, reruns the same input in a sandbox, and says whether
// a fix only hides the symptom. It never writes to the user's source.
package verify

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/lazy"
	"github.com/pausetui/pausetui/verify/rewind"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Verifier proves candidates of one stop. Its methods may be called from
// several goroutines at once. It holds what the candidates share: each part is
// made once, by the check that needs it first.
type Verifier struct {
	*rewind.Program
	next atomic.Int64

	failure  lazy.Value[retested]        // the failing test that the target stopped at, run in the sandbox
	control  lazy.Value[execute.Control] // the unpatched binary, run in the sandbox
	probed   lazy.Value[probed]          // the same, with a probe built in
	raced    lazy.Value[raced]           // the same, with the race detector
	baseline lazy.Map[baseline]          // vet's findings in the unpatched packages

	awaited     awaited                            // the candidates that are to be proved
	regressions lazy.Value[[]patch.RegressionTest] // what the subject's Tests gave
	reproduced  lazy.Map[reproduction]             // by its number: what each does without any candidate

	removed   lazy.Value[[]string]            // the files that the unpatched program removes up to its stop
	packages  lazy.Value[[]build.TestPackage] // of the user's modules
	programs  unpatchedPrograms               // with calls of functions, and what these answer without any candidate
	compared  comparisons                     // what the candidates' functions answer
	stillFail sync.Map                        // the candidates, by their IDs, with which tests fail as they did before

	processors   chan struct{}            // one token for each test binary that runs
	beforeGate   chan struct{}            // held by the goroutine that runs tests without any candidate
	beforeMu     sync.Mutex               // guards suitesBefore
	suitesBefore map[string]execute.Suite // by import path: the tests without any candidate
}

// New prepares to prove candidates of a stop. Close releases what it makes.
func New(s subject.Subject, opts execute.Options) (*Verifier, error) {
	if opts.Timeout <= 0 {
		opts.Timeout = time.Minute
	}
	if opts.TestSilence <= 0 {
		opts.TestSilence = cmp.Or(opts.TestTimeout, execute.DependantsTimeout) / 4
	}
	p, err := rewind.New(s, opts)
	if err != nil {
		return nil, err
	}
	return &Verifier{Program: p, processors: make(chan struct{}, runtime.NumCPU()),
		beforeGate: make(chan struct{}, 1), suitesBefore: map[string]execute.Suite{}}, nil
}

// attempt is one candidate being checked: its verdict, and what one check found
// for another.
type attempt struct {
	*patched
	built     build.Result
	vetted    lazy.Value[verdict.Check]
	regressed lazy.Value[regressed]
	compare   sync.Once
	report    effect.Report // by compared
	// unexplained: the run left work out at a point for which no sibling speaks.
	unexplained bool
	copied      string // a constant that a guard answers with and a test has, too
	half        string // a change of state that a guard leaves out with what it asks about
	lost        bool   // it writes to a copy that nobody gets
	retyped     string // how the operation that failed, or a call, stands there and means something else
	usedAt      string // where else a function is used in which a guard makes up an answer
	satisfied   bool   // it changes what the failing test alone looks at: that the test passes says nothing
	// idle: the statement that failed stands where it did, and has not run.
	idle bool
	// isSkipped: the test that failed is skipped now.
	isSkipped bool
	// unseen is why the run that the effect rests on was not seen; empty when it was.
	unseen string
	// ran: the statement that failed is as it was and ran, though the rerun did not
	// come to an end.
	ran bool
	// earlier: it changes what the program prints before the statement that failed.
	earlier bool
	// altered are tests that panicked at the site and fail in another way now.
	altered []string
	// calmed: all tests that pass now panicked at the site before; they ask for no more
	// than that nothing panics, as far as is known.
	calmed  bool
	trace   lazy.Value[trace]
	early   func(work func()) // does work next to the checks, until the proof is over
	verdict verdict.Verdict
	onCheck func(verdict.Check)
}

// patched is the program with a candidate, and how it differs from the one that
// stopped.
type patched struct {
	v         *Verifier
	candidate patch.Candidate
	dir       string            // its own directory
	overlay   map[string]string // absolute path → new contents
	removed   string            // a file that its rerun removed, and the control did not
	waits     bool              // the rerun ended in waiting for more input
	raised    bool              // the call that failed refuses by a panic, which is recovered
	packages  sync.Map          // what packageFiles returned, by directory
	next      *crash.Crash      // the next stop, where the rerun came to one
	changer   struct {          // see changesFiles
		sync.Once
		is, may bool
	}
}

// step is one check: what it found. An error ends the whole proof.
type step struct {
	name string
	run  func(context.Context) (verdict.Check, error)
}

// Check proves a candidate: scope, parse, build, vet, rerun, regression, tests,
// masking. onCheck (may be nil) hears of each check as it is done, of the rerun
// a second time where the regression test stands in for it, and of the tests each time
// when a group of packages is done. What the candidate does wrong is in the verdict; the error tells that the proof itself
// could not be made, or that ctx ended.
func (v *Verifier) Check(ctx context.Context, c patch.Candidate, onCheck func(verdict.Check)) (verdict.Verdict, error) {
	a := &attempt{patched: &patched{v: v, candidate: c, overlay: map[string]string{}}, onCheck: onCheck}
	a.dir = filepath.Join(v.Dir, fmt.Sprintf("%d-%s", v.next.Add(1), safeName(c.ID)))
	if err := os.MkdirAll(a.dir, 0o700); err != nil {
		return verdict.Verdict{}, fmt.Errorf("verify %q: %w", c.ID, err)
	}
	shared := ctx
	ctx, cancel := context.WithCancel(ctx)
	var early sync.WaitGroup
	defer early.Wait()
	defer cancel()
	a.early = func(work func()) { early.Go(work) }
	// What needs nothing of the candidate runs next to its build.
	v.Background(shared, v.controlFirst)

	failed := ""
	for _, s := range a.steps() {
		check, err := a.do(ctx, s, failed)
		if err != nil {
			return verdict.Verdict{}, fmt.Errorf("verify %q: %s: %w", c.ID, s.name, err)
		}
		if failed == "" && (check.Status == verdict.Fail || s.name == verdict.Build && check.Status == verdict.Inconclusive) {
			failed = s.name
		}
		switch {
		case failed != "":
		case s.name == verdict.Parse:
			v.Background(shared, v.reproduceFirst)
			v.Background(shared, a.beforehand)
		case s.name == verdict.Rerun:
			a.early(func() { _, _ = a.regress(ctx) }) // during vet; its check asks again
		case s.name == verdict.Regression:
			if err := a.byRegression(ctx); err != nil {
				return verdict.Verdict{}, fmt.Errorf("verify %q: %w", c.ID, err)
			}
		}
	}
	a.inOrder()
	contradicted := a.contradicted()
	a.verdict.Verified = a.verdict.Holds() && !contradicted
	return a.verdict, nil
}

// contradicted reports whether a run speaks against what only leaves out or refuses the
// call that failed: a test that panicked wants more, or what was printed before that call
// has changed, of which a reader is warned.
func (a *attempt) contradicted() bool {
	if e := a.verdict.Effect; e != verdict.Declines && e != verdict.Skips {
		return false
	}
	for i, check := range a.verdict.Checks {
		if a.earlier && check.Name == verdict.Rerun && check.Status == verdict.Pass {
			a.verdict.Checks[i].Status = verdict.Warn
		}
	}
	return a.earlier || a.verdict.Effect == verdict.Declines && len(a.altered) > 0
}

// beforehand runs the tests without any candidate, next to the build. The check of them asks
// again and gets the errors.
func (a *patched) beforehand(ctx context.Context) { a.v.testsFirst(ctx, a.overlay) }

// steps are the checks in the order in which they are made: vet, which runs
// next to the rerun, is longer done with a small program.
func (a *attempt) steps() []step {
	return []step{{verdict.Scope, a.scope}, {verdict.Parse, a.parse}, {verdict.Build, a.build}, {verdict.Rerun, a.rerun},
		{verdict.Vet, a.vet}, {verdict.Regression, a.regression}, {verdict.Tests, a.tests}, {verdict.Masking, a.effect}}
}

// inOrder puts the checks into the order in which they are shown.
func (a *attempt) inOrder() {
	order := []string{verdict.Scope, verdict.Parse, verdict.Build, verdict.Vet, verdict.Rerun, verdict.Regression, verdict.Tests, verdict.Masking}
	slices.SortStableFunc(a.verdict.Checks, func(x, y verdict.Check) int {
		return slices.Index(order, x.Name) - slices.Index(order, y.Name)
	})
}

// goesOn reports whether a check is made though an earlier one failed: vet says
// nothing of what the program does, and what hides the symptom can be seen in
// any code that builds.
func goesOn(check, failed string) bool {
	switch check {
	case verdict.Vet:
		return failed == verdict.Rerun
	case verdict.Masking:
		return failed != verdict.Scope && failed != verdict.Parse && failed != verdict.Build
	}
	return false
}

// do runs a step, or skips it because an earlier one failed.
func (a *attempt) do(ctx context.Context, s step, failed string) (verdict.Check, error) {
	check := verdict.Check{Name: s.name, Status: verdict.Skip, Detail: failed + " failed"}
	if was, _ := verdict.Find(a.verdict.Checks, failed); was.Status == verdict.Inconclusive {
		check.Detail = failed + " did not come to its end"
	}
	if failed == "" || goesOn(s.name, failed) {
		if a.v.Opts.OnStart != nil {
			a.v.Opts.OnStart(a.candidate.ID, s.name)
		}
		begun := time.Now()
		var err error
		if check, err = s.run(ctx); err != nil {
			return check, err
		}
		check.Name, check.Took = s.name, time.Since(begun)
		check.Detail, check.Elsewhere = finding.Clean(check.Detail), finding.Clean(check.Elsewhere)
	}
	a.verdict.Checks = append(a.verdict.Checks, check)
	if a.onCheck != nil {
		a.onCheck(check)
	}
	return check, nil
}

// safeName makes a file name of a candidate's id.
func safeName(id string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return r
		}
		return '_'
	}, id[:min(len(id), 40)])
}

// Prepare begins what needs no candidate, or most likely serves the next one:
// the control, the regression tests without any candidate, and the tests of the
// package that stopped. It returns at once; what it began ends with ctx or with
// Close. Check does the same where Prepare was not called.
func (v *Verifier) Prepare(ctx context.Context) {
	v.Background(ctx, v.controlFirst)
	v.Background(ctx, v.reproduceFirst)
	if s, ok := v.Site(); ok && s.File != "" {
		v.Background(ctx, func(ctx context.Context) { v.testsFirst(ctx, map[string]string{s.File: ""}) })
	}
}

// controlFirst runs the control before the rerun, which asks again and gets
// the error, and with a probe where the rerun cannot do without one: a server
// has no end that tells something.
func (v *Verifier) controlFirst(ctx context.Context) {
	if t, ok := v.Failing(); ok {
		if v.Runs() {
			_, _ = v.retestControl(ctx, t)
		}
		return
	}
	if s, ok := v.Site(); ok && v.Detects(s) && v.Subject.Unrunnable == "" {
		v.Background(ctx, func(ctx context.Context) { _, _ = v.racesBefore(ctx) })
	}
	c, err := v.controlRun(ctx)
	if s, ok := v.Site(); ok && err == nil && c.Why == "" && v.Subject.Stop.LivesOn() {
		_, _ = v.probedControl(ctx, s)
	}
}
