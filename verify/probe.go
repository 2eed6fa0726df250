package verify

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/output"

	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/instrument"
	"github.com/pausetui/pausetui/verify/probe"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/verdict"
)

// probed is the control with a probe built in.
type probed struct {
	why  string // why there is no goal; empty when there is
	site probe.Site
	goal instrument.Goal
}

// probe decides a run that neither crashed nor ended well: did it get past the
// site?
func (a *patched) probe(ctx context.Context, s subject.Site, c control, r sandbox.Result) (verdict.Check, error) {
	if !s.Class.HasStatement() {
		return withoutSite(a, s, c, r), nil
	}
	p, err := a.v.probedControl(ctx, s)
	if err != nil {
		return verdict.Check{}, err
	}
	if p.why != "" {
		return a.unprobed(c, r, p.why), nil
	}
	run, err := a.v.runProbed(ctx, filepath.Join(a.dir, "probe"), s.File, probing{site: p.site, goal: p.goal, toTheEnd: c.silent}, a.overlay)
	switch {
	case errors.Is(err, errNoProbe):
		return a.unprobed(c, r, err.Error()), nil
	case err != nil:
		return verdict.Check{}, err
	case c.silent && run.Panics > 0:
		return finding.Elsewhere(finding.Fail("it still panics there: a server has recovered it, line %d%s", run.Line, a.v.answers(c, r)), "it still panics there: a server has recovered it"), nil
	case run.Raised && !run.Hit && !ownPanic(s.Class) && !r.Alive() && len(r.Blocked) == 0:
		a.raised = true
		return finding.Warn("%s, then the program %s%s", raisedThere, ending(r), said(r)), nil
	case run.Hit && r.Alive():
		return a.outlived(c, r, run.past()), nil
	case run.Hit && r.ExitCode == 0 && r.Limit == "":
		return finding.Pass(run.past() + ", and the program ran to the end, exit 0" + a.v.answers(c, r)), nil
	case run.Hit:
		return finding.Warn("%s, then the program %s%s%s%s", run.past(), ending(r), said(r), a.v.answers(c, r), refused(r)), nil
	case answered(r):
		return finding.Warn("it did not reach the failing line again, and %s%s", livesOn(r), a.v.answers(c, r)), nil
	case a.wantsMore(r):
		return finding.Pass("no panic: " + hasReadAll), nil
	case r.Alive():
		return finding.Inconclusive("still running after %s, and has not got past the failing line%s%s%s", finding.Short(r.Took), a.v.answers(c, r), c.slow(r), refused(r)), nil
	case len(r.Blocked) > 0:
		return finding.Inconclusive("it %s before the failing line%s%s", ending(r), said(r), refused(r)), nil
	}
	return finding.Elsewhere(finding.Fail("ended before the failing line: it %s%s", ending(r), said(r)), "ended before the failing line: it %s", endingClass(r)), nil
}

// withoutSite decides such a run where the stop has no statement to get past.
func withoutSite(a *patched, s subject.Site, c control, r sandbox.Result) verdict.Check {
	if byItself(r) && c.agreed && len(normal(r.Output)) > len(c.before) {
		return finding.Warn("it went further than the unpatched program, then it %s%s", ending(r), said(r))
	}
	if r.Alive() && (r.Took > 2*c.took || answered(r)) {
		if why := a.serves(r); why != "" {
			return finding.Pass("it did not stop, and " + livesOn(r) + because(r, why) + a.v.answers(c, r))
		}
	}
	return finding.Inconclusive("it %s; a %s has no statement to get past%s%s", ending(r), s.Class, c.slow(r), refused(r))
}

// unprobed decides a run without a probe.
func (a *patched) unprobed(c control, r sandbox.Result, why string) verdict.Check {
	if answered(r) && !c.silent {
		return finding.Warn("no panic, and %s%s; whether the failing line ran is not known: %s", livesOn(r), a.v.answers(c, r), why)
	}
	if a.wantsMore(r) && !c.silent {
		return finding.Pass("no panic: " + hasReadAll)
	}
	return finding.Inconclusive("it %s, and whether the failing line ran is not known: %s%s%s", ending(r), why, a.v.answers(c, r), refused(r))
}

// said quotes the last line that was printed.
func said(r sandbox.Result) string {
	if line := finding.LastLine(r.Output); line != "" && !output.Draws(r.Output) {
		return fmt.Sprintf("; it printed last: %q", line)
	}
	return ""
}

// probedControl runs the unpatched program with a probe, once for all
// candidates, to learn how often the site was reached when it crashed.
func (v *Verifier) probedControl(ctx context.Context, s subject.Site) (probed, error) {
	return v.probed.Get(ctx, func(ctx context.Context) (probed, error) {
		source, err := v.Source(s.File, nil)
		if err != nil {
			return probed{why: err.Error()}, nil //nolint:nilerr // without a probe the proof goes on
		}
		found, err := probe.Find(source, s.Line)
		if err != nil {
			return probed{why: err.Error()}, nil //nolint:nilerr // without a probe the proof goes on
		}
		never := instrument.Goal{Entered: 1<<64 - 1}
		run, err := v.runProbed(ctx, filepath.Join(v.dir, "control"), s.File, probing{site: found, goal: never, toTheEnd: true}, nil)
		switch {
		case errors.Is(err, errNoProbe):
			return probed{why: err.Error()}, nil
		case err != nil:
			return probed{}, err
		}
		// What a server recovers it need not print.
		seen := v.Subject.Stop.LivesOn() && run.Panics > 0 && subject.SameLine(s, run.Line)
		if _, why := v.crashOf(s, run.result); why != "" && !seen {
			return probed{why: "with a probe, " + why}, nil
		}
		if run.Entered == 0 {
			return probed{why: "the probe was not reached"}, nil
		}
		return probed{site: found, goal: run.Goal}, nil
	})
}

// errNoProbe wraps why a probe could not be built in.
var errNoProbe = errors.New("no probe")

// probing says what a probe waits for.
type probing struct {
	site     probe.Site
	goal     instrument.Goal
	toTheEnd bool // the run goes on when the goal is reached
}

// probeRun is a run with a probe. One that was hit was ended at once, and there is no
// result, unless it was to go on.
type probeRun struct {
	probe.Reached
	kept   bool // the statement that failed is there as it was
	result sandbox.Result
}

// lineRan is how a run came past the site that ran the statement there.
const lineRan = "the failing line ran without a panic"

// raisedThere says of a run that the call which failed refuses by a panic.
const raisedThere = "the call that failed now panics with an error of the program's own, which is recovered"

// ownPanic reports whether a stop is a panic of the program's own, or of a library.
func ownPanic(c debugger.Class) bool { return c == debugger.Custom || c == debugger.CustomError }

// past says how a run that was hit came past the site.
func (r probeRun) past() string {
	switch {
	case r.Ran:
		return lineRan
	case r.Left && r.kept && !r.Began:
		return "the call that failed now returns without running the failing line"
	case r.Left:
		return "the call that failed now ends without a panic"
	case !r.kept:
		return "the call that failed now goes on past the failing line"
	case !r.Began:
		return "the call that failed now goes on without running the failing line"
	}
	return lineRan
}

// runProbed builds the program with a probe in the file's function and runs it
// until the probe is hit or the run ends.
func (v *runner) runProbed(ctx context.Context, dir, file string, p probing, overlay map[string]string) (probeRun, error) {
	source, err := v.Source(file, overlay)
	if err != nil {
		return probeRun{}, fmt.Errorf("%w: %w", errNoProbe, err)
	}
	token := rand.Uint64() | 1
	added, err := probe.Instrument(source, file, p.site, p.goal, token)
	if err != nil {
		return probeRun{}, fmt.Errorf("%w: %w", errNoProbe, err)
	}
	built, err := build.Build(ctx, v.counted(filepath.Join(dir, "program"), overlay, added), nil)
	var refusal *build.Error
	if errors.As(err, &refusal) {
		return probeRun{}, fmt.Errorf("%w: %w", errNoProbe, refusal)
	}
	if err != nil {
		return probeRun{}, err
	}
	run, err := v.watchProbe(ctx, built.Binary, filepath.Join(dir, "counters"), token, p.toTheEnd)
	run.kept = p.site.Has(source)
	return run, err
}

// watchProbe runs the binary and looks at its counters meanwhile.
func (v *runner) watchProbe(ctx context.Context, binary, path string, token uint64, toTheEnd bool) (probeRun, error) {
	counters, err := instrument.NewCounters(path)
	if err != nil {
		return probeRun{}, err
	}
	defer counters.Close()
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for running.Err() == nil && !toTheEnd {
			if counters.At(instrument.Hit) == token {
				cancel()
				return
			}
			select {
			case <-running.Done():
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	result, err := v.execute(running, binary, v.wall(), counters.File)
	cancel()
	<-done
	run := probeRun{Reached: probe.Read(counters.At, token), result: result}
	if ctx.Err() != nil {
		return run, ctx.Err()
	}
	if run.Hit && !toTheEnd {
		return run, nil
	}
	return run, err
}

// counted is what builds the program with marked files and their counters. Where the files
// of main are named one by one, its counters are named, too.
func (v *runner) counted(output string, overlay map[string]string, added instrument.Overlay) build.Spec {
	s := v.spec(output, overlay, added)
	if !strings.HasSuffix(s.Package, ".go") {
		return s
	}
	first, _, _ := strings.Cut(s.Package, " ")
	dir := filepath.Dir(first)
	in := dir
	if !filepath.IsAbs(in) {
		in = filepath.Join(s.Dir, dir)
	}
	for _, name := range added.Counters(in) {
		s.Package += " " + filepath.Join(dir, name)
	}
	return s
}
