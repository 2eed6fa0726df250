package verify

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/pausetui/pausetui/verify/execute"
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
func (a *patched) probe(ctx context.Context, s subject.Site, c execute.Control, r sandbox.Result) (verdict.Check, error) {
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
	run, err := a.v.RunProbed(ctx, filepath.Join(a.dir, "probe"), s.File, execute.Probing{Site: p.site, Goal: p.goal, ToTheEnd: c.Silent}, a.overlay)
	switch {
	case errors.Is(err, execute.ErrNoProbe):
		return a.unprobed(c, r, err.Error()), nil
	case err != nil:
		return verdict.Check{}, err
	case c.Silent && run.Panics > 0:
		return finding.Elsewhere(finding.Fail("it still panics there: a server has recovered it, line %d%s", run.Line, a.v.Answers(c, r)), "it still panics there: a server has recovered it"), nil
	case run.Raised && !run.Hit && !execute.OwnPanic(s.Class) && !r.Alive() && len(r.Blocked) == 0:
		a.raised = true
		return finding.Warn("%s, then the program %s%s", execute.RaisedThere, execute.Ending(r), execute.Said(r)), nil
	case run.Hit && r.Alive():
		return a.outlived(c, r, run.Past()), nil
	case run.Hit && r.ExitCode == 0 && r.Limit == "":
		return finding.Pass(run.Past() + ", and the program ran to the end, exit 0" + a.v.Answers(c, r)), nil
	case run.Hit:
		return finding.Warn("%s, then the program %s%s%s%s", run.Past(), execute.Ending(r), execute.Said(r), a.v.Answers(c, r), execute.Refused(r)), nil
	case execute.Answered(r):
		return finding.Warn("it did not reach the failing line again, and %s%s", execute.LivesOn(r), a.v.Answers(c, r)), nil
	case a.wantsMore(r):
		return finding.Pass("no panic: " + hasReadAll), nil
	case r.Alive():
		return finding.Inconclusive("still running after %s, and has not got past the failing line%s%s%s", finding.Short(r.Took), a.v.Answers(c, r), c.Slow(r), execute.Refused(r)), nil
	case len(r.Blocked) > 0:
		return finding.Inconclusive("it %s before the failing line%s%s", execute.Ending(r), execute.Said(r), execute.Refused(r)), nil
	}
	return finding.Elsewhere(finding.Fail("ended before the failing line: it %s%s", execute.Ending(r), execute.Said(r)), "ended before the failing line: it %s", execute.EndingClass(r)), nil
}

// withoutSite decides such a run where the stop has no statement to get past.
func withoutSite(a *patched, s subject.Site, c execute.Control, r sandbox.Result) verdict.Check {
	if execute.ByItself(r) && c.Agreed && len(execute.Normal(r.Output)) > len(c.Before) {
		return finding.Warn("it went further than the unpatched program, then it %s%s", execute.Ending(r), execute.Said(r))
	}
	if r.Alive() && (r.Took > 2*c.Took || execute.Answered(r)) {
		if why := a.serves(r); why != "" {
			return finding.Pass("it did not stop, and " + execute.LivesOn(r) + because(r, why) + a.v.Answers(c, r))
		}
	}
	return finding.Inconclusive("it %s; a %s has no statement to get past%s%s", execute.Ending(r), s.Class, c.Slow(r), execute.Refused(r))
}

// unprobed decides a run without a probe.
func (a *patched) unprobed(c execute.Control, r sandbox.Result, why string) verdict.Check {
	if execute.Answered(r) && !c.Silent {
		return finding.Warn("no panic, and %s%s; whether the failing line ran is not known: %s", execute.LivesOn(r), a.v.Answers(c, r), why)
	}
	if a.wantsMore(r) && !c.Silent {
		return finding.Pass("no panic: " + hasReadAll)
	}
	return finding.Inconclusive("it %s, and whether the failing line ran is not known: %s%s%s", execute.Ending(r), why, a.v.Answers(c, r), execute.Refused(r))
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
		run, err := v.RunProbed(ctx, filepath.Join(v.Dir, "control"), s.File, execute.Probing{Site: found, Goal: never, ToTheEnd: true}, nil)
		switch {
		case errors.Is(err, execute.ErrNoProbe):
			return probed{why: err.Error()}, nil
		case err != nil:
			return probed{}, err
		}
		// What a server recovers it need not print.
		seen := v.Subject.Stop.LivesOn() && run.Panics > 0 && subject.SameLine(s, run.Line)
		if _, why := v.CrashOf(s, run.Result); why != "" && !seen {
			return probed{why: "with a probe, " + why}, nil
		}
		if run.Entered == 0 {
			return probed{why: "the probe was not reached"}, nil
		}
		return probed{site: found, goal: run.Goal}, nil
	})
}
