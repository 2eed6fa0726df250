package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/gotest"
	"github.com/pausetui/pausetui/verify/sandbox"
	"golang.org/x/sync/errgroup"
)

const (
	// packagesAtOnce test binaries are built by one go command.
	packagesAtOnce = 8
	// crashesAtMost of one package's tests may take the others with them.
	crashesAtMost = 5
)

// suite is the tests of one package as they were run.
type suite struct {
	pkg     build.TestPackage
	binary  string        // empty when it was not built
	unbuilt string        // why it was not built: what the compiler said
	late    string        // why there was no time for it: "not run within 1m0s"; empty when there was
	whole   bool          // its tests were to run to their end
	silence time.Duration // how long its tests may begin and end nothing
	busy    time.Duration // how long they may do so and compute; 0: for ever
	alarm   time.Duration // after which they say what every goroutine does; 0: never
	marked  bool          // its regression test notes that it has run
	extra   []*os.File    // what its binary is given
	as      string        // the binary that its own one runs in place of; empty for none
	limit   time.Duration // of the time that they may run
	report  gotest.Report
}

// patience is how long the tests of a package may begin and end nothing, going
// by how long they took before: the machine may be busier now.
func (v *runner) patience(before gotest.Report) time.Duration {
	longest := time.Duration(0)
	for _, t := range before.Tests {
		longest = max(longest, t.Took)
	}
	return max(v.opts.TestSilence, 5*longest)
}

// lateness says why some of its tests were not run.
func (s suite) lateness() string {
	if s.report.Late {
		return "not run within " + finding.Short(s.limit).String()
	}
	return "not run, because " + s.report.Cut
}

// complete reports whether there was time for all of its tests.
func (s suite) complete() bool { return s.late == "" && !s.report.Late }

// suites runs the tests of packages under an overlay within the limits.
func (v *Verifier) suites(ctx context.Context, r suitesRun) ([]suite, error) {
	var all []suite
	for i := 0; len(r.packages) > 0; i++ {
		chunk := r.packages[:min(packagesAtOnce, len(r.packages))]
		r.packages = r.packages[len(chunk):]
		some, err := v.suitesChunk(ctx, r, filepath.Join(r.dir, strconv.Itoa(i)), chunk)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// suitesRun says what suites runs.
type suitesRun struct {
	packages []build.TestPackage
	overlay  map[string]string
	before   map[string]suite // the same packages without the overlay; nil for these themselves
	dir      string           // where the binaries are built
	limits   testLimits
	onDone   func(gotest.Test) // hears of each top-level test, from several goroutines; may be nil
}

// suitesChunk builds and runs a few packages.
func (v *Verifier) suitesChunk(ctx context.Context, r suitesRun, dir string, packages []build.TestPackage) ([]suite, error) {
	all := make([]suite, len(packages))
	paths := make([]string, len(packages))
	for i, p := range packages {
		all[i].pkg, paths[i] = p, p.ImportPath
		all[i].whole = r.limits.touched[p.ImportPath]
		all[i].silence = v.patience(r.before[p.ImportPath].report)
		if r.before != nil { // how long they compute is known
			all[i].busy = all[i].silence
		}
	}
	spec := v.spec("", r.overlay)
	if r.overlay == nil {
		spec.Nice = niceEarly
	}
	spec.DebugPatterns = nil // as `go test` builds them, and so has them in its cache
	built, err := build.TestBinaries(ctx, spec, paths, dir)
	if err != nil {
		return nil, err
	}
	for _, b := range built {
		s := &all[slices.Index(paths, b.Package)]
		s.binary = b.Path
		var refusal *build.Error
		if errors.As(b.Err, &refusal) {
			s.binary = ""
			if s.late = refusal.Limit; s.late == "" {
				s.unbuilt = v.List(refusal.Diagnostics, refusal.Output)
			}
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	for i := range all {
		group.Go(func() error {
			select {
			case v.processors <- struct{}{}:
				defer func() { <-v.processors }()
			case <-ctx.Done():
				return ctx.Err()
			}
			return v.runSuite(ctx, &all[i], r.limits.of(all[i].pkg), nil, r.onDone)
		})
	}
	return all, group.Wait()
}

// runSuite runs a package's tests, or some of them.
func (v *runner) runSuite(ctx context.Context, s *suite, left *budget, only []string, onDone func(gotest.Test)) error {
	if s.binary == "" {
		return nil
	}
	s.limit = left.whole
	if left.rest() < leastTests {
		s.late = "not run within " + finding.Short(s.limit).String()
		return nil
	}
	var err error
	s.report, err = gotest.Run(ctx, v.testStart(s.binary, cmp.Or(s.as, s.binary), s.pkg.Dir, left, s.extra...), gotest.Options{
		Only: only, Silence: s.silence, Busy: s.busy, Alarm: s.alarm, Crashes: crashesAtMost, OnDone: onDone,
	})
	if err != nil {
		return fmt.Errorf("run the tests of %q: %w", s.pkg.ImportPath, err)
	}
	return nil
}

// testStart runs a test binary in the sandbox, in the directory of its package. What it
// changes is noted as done by the binary called as.
func (v *runner) testStart(binary, as, dir string, left *budget, extra ...*os.File) gotest.Start {
	return func(ctx context.Context, args []string, out io.Writer, pulse gotest.Pulse) (gotest.Ended, error) {
		limit := max(left.rest(), leastTests)
		watched, err := v.expected.watched(ctx, v.Target, as)
		if err != nil {
			return gotest.Ended{}, err
		}
		s, err := v.confine(ctx, sandbox.Spec{
			Path: binary, Args: args, Env: v.Subject.Run.Env, Dir: dir, Watched: watched, Watch: out, Told: sandbox.Told{Pulse: pulsing(pulse)}, ExtraFiles: extra,
			Limits: sandbox.Limits{Memory: v.memory(), Wall: limit, CPU: max(limit, time.Second) * time.Duration(runtime.NumCPU())},
		})
		if err != nil {
			return gotest.Ended{}, err
		}
		s.Env = append(slices.Clone(s.Env), "PWD="+dir, "GOTRACEBACK=single")
		r, err := sandbox.Run(ctx, s)
		if err != nil {
			return gotest.Ended{}, err
		}
		left.spend(r.Took)
		v.expected.note(as, r.Changed)
		return endOf(r), nil
	}
}

// pulsing passes on how long a test binary has run: not at all before it begins.
func pulsing(pulse gotest.Pulse) func(sandbox.Spent) {
	pulse(0, 0)
	return func(s sandbox.Spent) { pulse(s.Ran, s.Idle) }
}

// endOf is how a test binary ended.
func endOf(r sandbox.Result) gotest.Ended {
	ended := gotest.Ended{Code: r.ExitCode, Killed: r.Signal, Late: r.Limit == sandbox.LimitTime}
	if r.Limit != "" {
		ended.Killed = "the sandbox's limit of " + r.Limit
	}
	return ended
}

// before returns the tests of packages without any candidate: what was not run
// yet is run now, for all candidates of the stop. The tests of the touched packages
// run to their end.
func (v *Verifier) before(ctx context.Context, packages []build.TestPackage, touched map[string]bool) (map[string]suite, error) {
	if found, missing := v.ranBefore(packages, touched); len(missing) == 0 {
		return found, nil // without waiting for what others need
	}
	select {
	case v.beforeGate <- struct{}{}:
		defer func() { <-v.beforeGate }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	found, missing := v.ranBefore(packages, touched)
	dir := filepath.Join(v.dir, fmt.Sprintf(beforePrefix+"%d", v.next.Add(1)))
	fresh, err := v.suites(ctx, suitesRun{packages: missing, dir: dir, limits: v.newLimits(touched)})
	if err != nil {
		return nil, err
	}
	v.beforeMu.Lock()
	defer v.beforeMu.Unlock()
	for _, s := range fresh {
		v.suitesBefore[s.pkg.ImportPath], found[s.pkg.ImportPath] = s, s
	}
	return found, nil
}

// ranBefore splits packages into those whose tests were run without any
// candidate, with what came of it, and the others.
func (v *Verifier) ranBefore(packages []build.TestPackage, touched map[string]bool) (found map[string]suite, missing []build.TestPackage) {
	v.beforeMu.Lock()
	defer v.beforeMu.Unlock()
	found = map[string]suite{}
	for _, p := range packages {
		s, known := v.suitesBefore[p.ImportPath]
		if !p.HasTests { // a candidate brings the first
			s, known = suite{pkg: p}, true
		}
		if known && (s.complete() || s.whole || !touched[p.ImportPath]) {
			found[p.ImportPath] = s
		} else {
			missing = append(missing, p)
		}
	}
	return found, missing
}
