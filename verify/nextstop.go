package verify

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/gotest"
	"github.com/pausetui/pausetui/verify/reach"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/verdict"
)

// A program with two bugs stops at the second one when the first is fixed. That
// crash does not speak against a candidate with which the statement that failed
// ran, unless it comes of the candidate: docs/decisions/second-bug.md says when it does.

// orNextStop takes the check of a run that crashed elsewhere, and makes a warning
// of it where that crash is the next stop.
func (a *attempt) orNextStop(ctx context.Context, s subject.Site, c execute.Control, r sandbox.Result, failed verdict.Check) (verdict.Check, error) {
	found, all, ok := crashOf(a.patched, s, c, r)
	lives := a.v.Subject.Stop.LivesOn() || slices.ContainsFunc(all, func(c crash.Crash) bool { return c.Recovered })
	if !ok || failed.Status != verdict.Fail || lives && (a.v.Subject.Build.Test || !s.Class.HasStatement()) {
		return failed, nil
	}
	if test := a.v.StoppedTest(); a.v.Subject.Build.Test && test != "" && subject.RunningTest(found.Frames()) != test {
		return a.alone(ctx, s, c, test, r, found, failed)
	}
	past, run, err := a.wentPast(ctx, s, c, r, found)
	if err == nil && lives {
		again, ok := sameRequest(a.patched, s, c, run, found)
		if !ok {
			return failed, nil
		}
		all = append(all, again...)
	}
	causes := func(ran bool) bool {
		return slices.ContainsFunc(all, func(c crash.Crash) bool { return a.causes(c, ran) })
	}
	if err == nil && past == "" && a.isInstead(c, found) && !causes(false) {
		return finding.Inconclusive("it stopped before the failing line, at a crash that the unpatched program also has in some runs: %s", a.v.Describe(found)), nil
	}
	if err != nil || past == "" || causes(run.Ran) {
		return failed, err
	}
	note, early := execute.Compare(c, r)
	if early {
		return failed, nil
	}
	if run.Ran && (lives || causes(false)) && a.mayReach(all) {
		return finding.Inconclusive("%s, and the next crash may come of what the fix changes: %s", past, a.v.Describe(found)), nil
	}
	check := execute.Noted(a.nextStop(found, past+a.v.Answers(c, r)), note, a.changesBefore(s))
	a.ran = run.Ran
	return check, nil
}

// crashOf returns the crash that a run came to, as often as it did; false where it came to
// that of the site, too, or to several that the unpatched program does not have.
func crashOf(a *patched, s subject.Site, c execute.Control, r sandbox.Result) (found crash.Crash, all []crash.Crash, ok bool) {
	found, ok = crash.Parse(r.Output)
	for _, other := range crash.ParseAll(r.Output) {
		switch {
		case a.v.At(s, other):
			return found, nil, false
		case sameCulprit(a.v, found, other):
			all = append(all, other)
		case other.Recovered && !a.known(c, other):
			return found, nil, false
		}
	}
	return found, all, ok
}

// sameRequest reports whether the run with the probe came to a crash, as often as it did, on
// goroutines that had run the statement which failed: in a program that goes on after a
// crash, that may have been in another request.
func sameRequest(a *patched, s subject.Site, c execute.Control, run execute.ProbeRun, found crash.Crash) ([]crash.Crash, bool) {
	again, all, ok := crashOf(a, s, c, run.Result)
	ok = ok && run.Ran && sameCulprit(a.v, again, found)
	for _, other := range all {
		ok = ok && slices.Contains(run.By, uint64(other.Goroutine()))
	}
	return all, ok
}

// nextStop is the check of a run that came past the site, and then crashed
// elsewhere.
func (a *attempt) nextStop(found crash.Crash, past string) verdict.Check {
	check := finding.Warn("%s; next stop: %s", past, a.v.Describe(found))
	check.Next = &verdict.Next{Class: string(found.Class)}
	if f, ok := found.Culprit(a.v.Own); ok {
		check.Next.Function, check.Next.File, check.Next.Line = subject.Named(f.Function), a.v.Subject.Workspace.Rel(f.File), f.Line
	}
	a.next = &found
	return check
}

// isNext reports whether a crash is the next stop that another run came to.
func (a *patched) isNext(found crash.Crash) bool {
	return a.next != nil && sameCulprit(a.v, *a.next, found)
}

// sameCulprit reports whether two crashes are of the same class in the same
// function.
func sameCulprit(v *Verifier, x, y crash.Crash) bool {
	in, ok := x.Culprit(v.Own)
	at, other := y.Culprit(v.Own)
	return ok == other && debugger.SameClass(x.Class, y.Class) && subject.Named(in.Function) == subject.Named(at.Function)
}

// isInstead reports whether the unpatched program has this crash, too, in runs that do not
// come to the one that is to be fixed.
func (a *patched) isInstead(c execute.Control, found crash.Crash) bool {
	return slices.ContainsFunc(c.Instead, func(other crash.Crash) bool { return sameCulprit(a.v, other, found) })
}

// wentPast says how the run came past the site before it crashed; empty where nothing
// shows that it did. Of a class without a statement to get past, what was printed tells.
func (a *attempt) wentPast(ctx context.Context, s subject.Site, c execute.Control, r sandbox.Result, found crash.Crash) (past string, run execute.ProbeRun, err error) {
	if !s.Class.HasStatement() {
		if a.isInstead(c, found) {
			return "the unpatched program also crashes there in some runs", run, nil
		}
		before := execute.Normal(r.Output[:found.Start])
		if c.Agreed && r.Dropped == 0 && len(before) > len(c.Before) && strings.HasPrefix(string(before), string(c.Before)) {
			past = "it went further than the unpatched program"
		}
		return past, run, nil
	}
	run, known, err := probedWith(ctx, a.patched, s, "probe", true)
	if err != nil || !known || !run.Hit {
		return "", run, err
	}
	if again, ok := crash.Parse(run.Result.Output); ok && sameCulprit(a.v, again, found) {
		past = run.Past()
	}
	return past, run, nil
}

// probedWith runs the candidate with the probe, in a directory of its own. It is not known how far it comes where there
// can be no probe.
func probedWith(ctx context.Context, a *patched, s subject.Site, in string, toTheEnd bool) (run execute.ProbeRun, known bool, err error) {
	p, err := a.v.probedControl(ctx, s)
	if err != nil || p.why != "" {
		return run, false, err
	}
	run, err = a.v.RunProbed(ctx, filepath.Join(a.dir, in), s.File, execute.Probing{Site: p.site, Goal: p.goal, ToTheEnd: toTheEnd}, a.overlay)
	if err != nil {
		return run, false, ctx.Err() // without a probe nothing shows it
	}
	return run, true, nil
}

// causes reports whether a crash may come of the candidate: a line that it has
// written is on the stack or, unless the statement that failed ran as it is, the
// crash uses a value that may come of what it has written or of the call that
// stopped.
func (a *patched) causes(found crash.Crash, ran bool) bool {
	if _, ok := found.Culprit(a.v.Own); !ok {
		return true
	}
	seen := map[string]bool{} // a recursion is on the stack many times
	frames := found.Frames()
	for i, f := range frames {
		if i+1 < len(frames) && a.v.Own(f) && a.isOtherSubtest(f, frames[i+1]) {
			break // its values are of another call
		}
		at := a.v.Place(f)
		if !a.v.Own(f) || seen[at] {
			continue
		}
		seen[at] = true
		if slices.Contains(a.written(f.File), f.Line) || !ran && a.uses(f) {
			return true
		}
	}
	return false
}

// isOtherSubtest reports whether a frame is the function of a subtest, at the statement from
// which the program came to its stop: that was in another one of the same table.
func (a *patched) isOtherSubtest(f, caller debugger.Frame) bool {
	if !strings.HasPrefix(subject.Named(caller.Function), "testing.tRunner") || !strings.Contains(f.Function, ".func") {
		return false
	}
	return slices.ContainsFunc(a.v.Subject.Stop.Frames, func(s debugger.Frame) bool {
		return s.File == f.File && a.lineAfter(s.File, s.Line) == f.Line
	})
}

// uses reports whether the statement of a frame uses a value that may come of the
// candidate: of a line that it has written in that function, or of the call there
// that led to the stop.
func (a *patched) uses(at debugger.Frame) bool {
	text, err := a.v.Source(at.File, a.overlay)
	if err != nil {
		return true
	}
	seeds := a.written(at.File)
	for _, f := range a.v.Subject.Stop.Frames {
		if f.File == at.File {
			seeds = append(seeds, a.lineAfter(f.File, f.Line))
		}
	}
	return reach.Shares(text, at.Line, seeds)
}

// edited is the candidate's edit of a file; false where it has none.
func (a *patched) edited(file string) (patch.Edit, bool) {
	for _, e := range a.candidate.Edits {
		if filepath.Clean(a.v.Subject.Workspace.Abs(e.File)) == filepath.Clean(file) {
			return e, true
		}
	}
	return patch.Edit{}, false
}

// written are the lines of a file that the candidate has written.
func (a *patched) written(file string) (lines []int) {
	e, ok := a.edited(file)
	if !ok {
		return nil
	}
	for _, h := range patch.Hunks(e) {
		for _, l := range h.Lines {
			if l.Op == patch.Add {
				lines = append(lines, l.New)
			}
		}
	}
	return lines
}

// lineAfter is where a line of a file is now; 0 where it is gone.
func (a *patched) lineAfter(file string, line int) int {
	if e, ok := a.edited(file); ok {
		line, _ = e.LineAfter(line)
	}
	return line
}

// alone runs nothing but the test that stopped: the panic had hidden what comes
// after it, where the run with all tests has crashed.
func (a *attempt) alone(ctx context.Context, s subject.Site, c execute.Control, test string, all sandbox.Result, found crash.Crash, failed verdict.Check) (verdict.Check, error) {
	args := append([]string{"-test.v", "-test.run=^" + regexp.QuoteMeta(test) + "$"}, execute.Unnarrowed(a.v.Subject.Run.Args)...)
	r, err := a.v.ExecuteWith(ctx, a.built.Binary, execute.Manner{Args: args}, a.v.Wall())
	if err != nil {
		return failed, err
	}
	c.Agreed, c.Before = false, nil // what other tests print is not there
	r.Blocked = c.Unknown(r.Blocked)
	if check, decided := a.crashed(s, c, r); decided {
		return check, nil
	}
	if check, decided := execute.Limited(r); decided {
		return check, nil
	}
	if check, decided := execute.LeftFailing(a.v.Runner, c, r); decided {
		return check, nil
	}
	if r.ExitCode != 0 || r.Limit != "" || !strings.Contains(string(execute.Normal(r.Output)), "--- PASS: "+test+" (") {
		return failed, nil
	}
	if a.causes(found, true) {
		return failed, nil
	}
	check := a.nextStop(found, test+" passes")
	hidden := []string{}
	if name := subject.RunningTest(found.Frames()); name != "" {
		hidden = append(hidden, name)
	}
	for _, m := range execute.Failures.FindAllStringSubmatch(string(execute.Normal(all.Output)), -1) {
		if name := gotest.Top(m[1]); !slices.Contains(hidden, name) {
			hidden = append(hidden, name)
		}
	}
	if len(hidden) > 0 {
		check.Detail += "; these fail too, and the panic kept them from running: " + finding.Enumerate(hidden)
	}
	a.ran = true
	return check, nil
}

// mayReach reports whether what a candidate assigns may be what crashes come of, and is
// true of one that does anything but assign values.
func (a *attempt) mayReach(all []crash.Crash) bool {
	if a.v.Subject.Build.Test {
		return true // the tests are not read
	}
	r := reach.New()
	edited := 0
	for _, dir := range a.built.Dirs {
		if !a.v.Subject.Workspace.Owns(dir) {
			continue
		}
		before, after := a.packageFiles(a.v.Subject.Workspace.Rel(dir))
		n, only := r.Read(before, after, a.v.Subject.Workspace.Abs)
		if !only {
			return true
		}
		edited += n
	}
	for _, c := range all {
		for _, f := range c.Frames() {
			if file := filepath.Clean(f.File); a.v.Own(f) {
				if r.Crashed[file] == nil {
					r.Crashed[file] = map[int]bool{}
				}
				r.Crashed[file][f.Line] = true
			}
		}
	}
	return edited < len(a.overlay) || r.Gets()
}
