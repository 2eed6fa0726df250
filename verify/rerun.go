package verify

import (
	"context"
	"errors"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
)

// controlRun runs the control, once for all candidates.
func (v *Verifier) controlRun(ctx context.Context) (execute.Control, error) {
	return v.control.Get(ctx, func(ctx context.Context) (execute.Control, error) {
		s, ok := v.Site()
		if !ok {
			return execute.Control{Why: "the program did not crash"}, nil
		}
		if why := v.Subject.Unrunnable; why != "" {
			return execute.Control{Why: why}, nil
		}
		binary, err := v.controlBinary(ctx)
		if err != nil {
			return execute.Control{Why: "the unpatched program cannot be built here: " + err.Error()}, nil //nolint:nilerr // the control is inconclusive then, and says why
		}
		c, err := v.Controls(ctx, s, binary)
		if err != nil {
			return execute.Control{}, err
		}
		if c.Why == "" || !v.Subject.Stop.LivesOn() {
			return c, nil
		}
		p, err := v.probedControl(ctx, s)
		if err == nil && p.why == "" {
			c.Why, c.Silent = "", true
		}
		return c, err
	})
}

// controlBinary is the unpatched program.
func (v *Verifier) controlBinary(ctx context.Context) (string, error) {
	if v.Subject.Control == nil {
		return v.Subject.Binary, nil
	}
	return v.Subject.Control(ctx)
}

// rerun runs the candidate on the same input and compares.
func (a *attempt) rerun(ctx context.Context) (verdict.Check, error) {
	v := a.v
	if t, ok := v.Failing(); ok {
		return a.retest(ctx, t)
	}
	s, ok := v.Site()
	if !ok {
		return finding.Skip("the program did not crash"), nil
	}
	if why := v.Subject.Unrunnable; why != "" && v.Subject.Tests == nil { // nothing can stand in for it
		return finding.Skip("%s", why), nil
	}
	c, err := v.controlRun(ctx)
	switch {
	case errors.Is(err, sandbox.ErrNoSandbox):
		return finding.Skip("%v", err), nil
	case errors.Is(err, sandbox.ErrSharedNetwork):
		return finding.Inconclusive("%s", v.SharedNetwork()), nil
	case err != nil:
		return v.Unmade(ctx, err)
	case c.Why != "":
		if c.Why == v.Subject.Unrunnable { // no sandbox was tried
			return finding.Inconclusive("%s", c.Why), nil
		}
		check := finding.Inconclusive("in the sandbox %s", c.Why)
		check.Blocked = c.Needs
		return check, nil
	}
	in := execute.Manner{Args: v.Subject.Run.Args, Watched: keptDirs(a.patched)}
	r, err := v.ExecuteWith(ctx, a.built.Binary, in, v.Wall())
	if longer := min(4*v.Wall(), v.Opts.Timeout); err == nil && a.works(r) && longer > r.Took {
		r, err = v.ExecuteWith(ctx, a.built.Binary, in, longer)
	}
	if err == nil {
		a.removed, err = a.removes(ctx, r)
	}
	if err != nil {
		return v.Unmade(ctx, err)
	}
	a.verdict.Ending, a.verdict.Printed = execute.EndingOf(r), execute.Digest(c, r.Output)
	check, err := a.judged(ctx, s, c, r)
	if err == nil {
		check, err = a.repeat(ctx, s, c, r, check)
	}
	if err == nil {
		check, err = a.undetected(ctx, s, check)
	}
	if err != nil {
		return v.Unmade(ctx, err)
	}
	if check.Status == verdict.Inconclusive {
		check.Blocked = sandbox.Needs(c.Unknown(r.Blocked))
	}
	if check.Status != verdict.Fail {
		check.Detail += c.Unchanged(v.StoppedTest(), r)
	}
	check.Ending = a.verdict.Ending
	return check, nil
}

// judged decides a run of the candidate, in comparison with the control.
func (a *attempt) judged(ctx context.Context, s subject.Site, c execute.Control, r sandbox.Result) (verdict.Check, error) {
	// What the control was refused as well is not what makes the difference.
	r.Blocked = c.Unknown(r.Blocked)
	if check, decided := a.crashed(s, c, r); decided {
		return a.orNextStop(ctx, s, c, r, check)
	}
	if check, decided := execute.Limited(r); decided {
		return check, nil
	}
	if check, decided := a.v.Unanswered(c, r); decided {
		return check, nil
	}
	if check, decided := execute.LeftFailing(a.v.Runner, c, r); decided {
		return check, nil
	}
	note, early := execute.Compare(c, r)
	if early {
		through, err := cameThrough(ctx, a.patched, s, r)
		if err != nil {
			return verdict.Check{}, err
		}
		if !through {
			return a.orDeclined(ctx, r, tooEarly(r))
		}
		note = "it printed less than the unpatched program did"
	}
	earlier := note != "" && a.changesBefore(s)
	a.earlier = earlier && !early
	if r.ExitCode == 0 && r.Limit == "" && !c.Silent {
		a.v.Ended(r)
		return execute.Noted(finding.Pass("ran to the end, exit 0"+a.v.Answers(c, r)), note, earlier), nil
	}
	check, err := a.probe(ctx, s, c, r)
	if err == nil {
		check, err = a.orDeclined(ctx, r, check)
	}
	return execute.Noted(check, note, earlier), err
}

// crashed decides a run that crashed, or that logged a crash its control did
// not log.
func (a *patched) crashed(s subject.Site, c execute.Control, r sandbox.Result) (verdict.Check, bool) {
	for _, found := range subject.Crashes(a.v.Target, s, r) {
		switch {
		case a.isNext(found):
		case a.v.At(s, found):
			return finding.Elsewhere(finding.Fail("it still happens: %s", a.v.Describe(found)), "it still happens: %s", a.classOf(found)), true
		case len(sandbox.Blocked([]byte(found.Message))) > 0: // outside the sandbox it might not
			return finding.Inconclusive("it crashes in the sandbox: %s%s", a.v.Describe(found), execute.Refused(r)), true
		case !found.Recovered:
			return finding.Elsewhere(finding.Fail("another crash: %s%s", a.v.Describe(found), execute.Refused(r)), "another crash: %s", a.classOf(found)), true
		case !a.known(c, found):
			return finding.Elsewhere(finding.Fail("another panic, recovered: %s%s", a.v.Describe(found), execute.Refused(r)), "another panic, recovered: %s", a.classOf(found)), true
		}
	}
	if r.Signal != "" {
		return finding.Elsewhere(finding.Fail("%s%s", execute.Ending(r), execute.Refused(r)), "%s", execute.Ending(r)), true
	}
	return verdict.Check{}, false
}

// known reports whether the control logged the same panic.
func (a *patched) known(c execute.Control, found crash.Crash) bool {
	at, _ := found.Culprit(a.v.Own)
	for _, o := range c.Others {
		if where, _ := o.Culprit(a.v.Own); debugger.SameClass(o.Class, found.Class) && subject.Named(where.Function) == subject.Named(at.Function) {
			return true
		}
	}
	return false
}

// cameThrough reports whether a run that printed less came past the site all the same:
// what is missing may come of the panic, as what a test prints while it panics. A call that
// only leaves before the line is no way through, unless its test comes to its end.
func cameThrough(ctx context.Context, a *patched, s subject.Site, r sandbox.Result) (bool, error) {
	if !s.Class.HasStatement() {
		return false, nil
	}
	run, known, err := probedWith(ctx, a, s, "early", false)
	if err != nil || !known || !run.Hit {
		return false, err
	}
	tested := a.v.Subject.Build.Test && r.ExitCode == 0 && r.Limit == ""
	return tested || run.Ran || !run.Left, nil
}

// tooEarly decides a run whose output stops before the site's.
func tooEarly(r sandbox.Result) verdict.Check {
	if r.Alive() {
		return finding.Inconclusive("still running after %s, and has not reached the failing line%s", finding.Short(r.Took), execute.Refused(r))
	}
	if len(r.Blocked) > 0 {
		return finding.Inconclusive("it %s before the failing line%s", execute.Ending(r), execute.Refused(r))
	}
	return finding.Elsewhere(finding.Fail("ended before the failing line: it printed less than the unpatched program did, and %s", execute.Ending(r)),
		"ended before the failing line: it printed less than the unpatched program did, and %s", execute.EndingClass(r))
}

// classOf says of a crash its class and place: not its message, which may be
// anything, unless it is that of the stop.
func (a *patched) classOf(c crash.Crash) string {
	text := "a stop of the class " + string(c.Class)
	if f, ok := c.Culprit(a.v.Own); ok {
		text += a.v.PlaceOf(f)
	}
	if stop := a.v.Subject.Stop.Panic; stop != nil && c.Message != "" && c.Message == stop.Message {
		text += ", with the same message"
	}
	return text
}

// changesBefore reports whether what the program prints before the site may well be
// what the candidate is about: it changes code that runs before the site is
// reached, in another function or above it.
func (a *patched) changesBefore(s subject.Site) bool {
	for _, e := range a.candidate.Edits {
		if !strings.HasSuffix(e.File, ".go") || a.v.Subject.Workspace.Abs(e.File) != s.File {
			return true
		}
		first, last := functionLines(e.Before, s.Line)
		for _, h := range patch.Hunks(e) {
			at := h.OldStart - 1 // the line before, for what is added
			for _, l := range h.Lines {
				if l.Op != patch.Add {
					at = l.Old
				}
				if l.Op != patch.Same && (at < first || at > last || at < s.Line) {
					return true
				}
			}
		}
	}
	return false
}

// functionLines are the first and the last line of the function at a line; 0
// where there is none.
func functionLines(source string, line int) (first, last int) {
	f := syntax.Parse(source)
	if f == nil || f.At(line) == nil {
		return 0, 0
	}
	fn := f.At(line)
	return f.Line(fn.Pos()), f.Line(fn.End())
}
