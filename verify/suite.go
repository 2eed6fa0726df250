package verify

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/gotest"
	"golang.org/x/sync/errgroup"
)

// packagesAtOnce test binaries are built by one go command.
const packagesAtOnce = 8

// suites runs the tests of packages under an overlay within the limits.
func (v *Verifier) suites(ctx context.Context, r suitesRun) ([]execute.Suite, error) {
	var all []execute.Suite
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
	before   map[string]execute.Suite // the same packages without the overlay; nil for these themselves
	dir      string                   // where the binaries are built
	limits   execute.TestLimits
	onDone   func(gotest.Test) // hears of each top-level test, from several goroutines; may be nil
}

// suitesChunk builds and runs a few packages.
func (v *Verifier) suitesChunk(ctx context.Context, r suitesRun, dir string, packages []build.TestPackage) ([]execute.Suite, error) {
	all := make([]execute.Suite, len(packages))
	paths := make([]string, len(packages))
	for i, p := range packages {
		all[i].Pkg, paths[i] = p, p.ImportPath
		all[i].Whole = r.limits.Touched[p.ImportPath]
		all[i].Silence = v.Patience(r.before[p.ImportPath].Report)
		if r.before != nil { // how long they compute is known
			all[i].Busy = all[i].Silence
		}
	}
	spec := v.Spec("", r.overlay)
	if r.overlay == nil {
		spec.Nice = execute.NiceEarly
	}
	spec.DebugPatterns = nil // as `go test` builds them, and so has them in its cache
	built, err := build.TestBinaries(ctx, spec, paths, dir)
	if err != nil {
		return nil, err
	}
	for _, b := range built {
		s := &all[slices.Index(paths, b.Package)]
		s.Binary = b.Path
		var refusal *build.Error
		if errors.As(b.Err, &refusal) {
			s.Binary = ""
			if s.Late = refusal.Limit; s.Late == "" {
				s.Unbuilt = v.List(refusal.Diagnostics, refusal.Output)
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
			return v.RunSuite(ctx, &all[i], r.limits.Of(all[i].Pkg), nil, r.onDone)
		})
	}
	return all, group.Wait()
}

// before returns the tests of packages without any candidate: what was not run
// yet is run now, for all candidates of the stop. The tests of the touched packages
// run to their end.
func (v *Verifier) before(ctx context.Context, packages []build.TestPackage, touched map[string]bool) (map[string]execute.Suite, error) {
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
	dir := filepath.Join(v.Dir, fmt.Sprintf(execute.BeforePrefix+"%d", v.next.Add(1)))
	fresh, err := v.suites(ctx, suitesRun{packages: missing, dir: dir, limits: v.NewLimits(touched)})
	if err != nil {
		return nil, err
	}
	v.beforeMu.Lock()
	defer v.beforeMu.Unlock()
	for _, s := range fresh {
		v.suitesBefore[s.Pkg.ImportPath], found[s.Pkg.ImportPath] = s, s
	}
	return found, nil
}

// ranBefore splits packages into those whose tests were run without any
// candidate, with what came of it, and the others.
func (v *Verifier) ranBefore(packages []build.TestPackage, touched map[string]bool) (found map[string]execute.Suite, missing []build.TestPackage) {
	v.beforeMu.Lock()
	defer v.beforeMu.Unlock()
	found = map[string]execute.Suite{}
	for _, p := range packages {
		s, known := v.suitesBefore[p.ImportPath]
		if !p.HasTests { // a candidate brings the first
			s, known = execute.Suite{Pkg: p}, true
		}
		if known && (s.Complete() || s.Whole || !touched[p.ImportPath]) {
			found[p.ImportPath] = s
		} else {
			missing = append(missing, p)
		}
	}
	return found, missing
}
