package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/verdict"
)

// control is the unpatched binary run in the sandbox: what the candidates are
// compared with.
type control struct {
	why      string   // why nothing can be compared; empty when it crashed as the target did
	needs    []string // then what would have to be allowed
	blocked  []string // what the sandbox refused it, though it crashed as it should
	before   []byte   // what it printed before the crash
	reports  [][]byte // what each control printed before it, with what its tests report
	varies   []bool   // the lines of before that differ between the controls: by a time, a port, an address
	agreed   bool     // but for these the controls, two or more, printed the same before the crash
	defers   bool     // a function that the panic left had deferred calls: they may have printed the last of before
	silent   bool     // a server has recovered the panic and printed nothing: a probe has seen it
	others   []crash.Crash
	instead  []crash.Crash        // the crashes of the runs that did not crash as the target did
	repro    *sandbox.ReproResult // what became of the repro command; nil without one
	unsteady bool                 // the repro command ended or printed differently in each run
	runs     int                  // how often it was run
	hits     int                  // in how many of these it crashed as the target did
	alive    int                  // and in how many it was still running when its time was up
	took     time.Duration        // the longest time that it took to the crash
}

// controlRun runs the control, once for all candidates.
func (v *Verifier) controlRun(ctx context.Context) (control, error) {
	return v.control.Get(ctx, func(ctx context.Context) (control, error) {
		s, ok := v.Site()
		if !ok {
			return control{why: "the program did not crash"}, nil
		}
		if why := v.Subject.Unrunnable; why != "" {
			return control{why: why}, nil
		}
		binary, err := v.controlBinary(ctx)
		if err != nil {
			return control{why: "the unpatched program cannot be built here: " + err.Error()}, nil //nolint:nilerr // the control is inconclusive then, and says why
		}
		c, err := v.controls(ctx, s, binary)
		if err != nil {
			return control{}, err
		}
		if c.why == "" || !v.Subject.Stop.LivesOn() {
			return c, nil
		}
		p, err := v.probedControl(ctx, s)
		if err == nil && p.why == "" {
			c.why, c.silent = "", true
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

// controlWall is how long the control may take to crash: longer than the target
// did, because two run at once and the sandbox takes its share.
func (v *runner) controlWall() time.Duration {
	if v.fromOutside() || v.Subject.Stop.Hangs() {
		return leastWall // whatever came from outside, and when, does not come again, and a person halts late
	}
	return min(max(leastWall, 5*v.Subject.Ran), 2*v.opts.Timeout)
}

// fromOutside reports whether what a server stopped at came from outside, and nothing
// sends it again: neither a command nor the recorded keys.
func (v *runner) fromOutside() bool {
	return v.Subject.Stop.LivesOn() && !v.Subject.Stop.Hangs() && v.Subject.Run.Repro.Command == "" && len(v.Subject.Run.Input) == 0
}

// crashOf finds the site's crash in a run of the control; why says what came
// instead.
func (v *runner) crashOf(s subject.Site, r sandbox.Result) (found crash.Crash, why string) {
	for _, c := range subject.Crashes(v.Target, s, r) {
		if v.SameFault(s, c) {
			return c, ""
		}
	}
	if absent := notThere(r); absent != "" {
		return found, absent
	}
	if c, ok := crash.Parse(r.Output); ok {
		return found, "the unpatched program stopped with another crash: " + v.Describe(c) + v.hidden() + v.missing() + refused(r) + v.perhaps(s, r)
	}
	return found, "the unpatched program " + ending(r) + said(r) + v.replayed(r) + v.hidden() + v.missing() + refused(r) + v.perhaps(s, r)
}

// ending says how a run ended.
func ending(r sandbox.Result) string {
	switch {
	case r.Alive():
		return fmt.Sprintf("was still running after %s", finding.Short(r.Took))
	case r.Limit != "":
		return "went over the sandbox's limit of " + r.Limit
	case r.Signal != "":
		return "was killed by " + r.Signal
	}
	return fmt.Sprintf("ended with exit code %d", r.ExitCode)
}

// endingOf is how a run ended, as a value.
func endingOf(r sandbox.Result) *verdict.Ending {
	e := &verdict.Ending{Exit: r.ExitCode, Signal: r.Signal, Alive: r.Alive(), Ran: r.Took}
	if e.Signal != "" || e.Alive {
		e.Exit = -1
	}
	if r.Repro != nil && r.Repro.Ended {
		e.Reply = &r.Repro.Exit
	}
	return e
}

// normal makes outputs comparable: a terminal ends lines its own way, a log has the time of
// its run, and the report of a test how long it took.
func normal(output []byte) []byte {
	output = bytes.ReplaceAll(output, []byte("\r\n"), []byte("\n"))
	output = testTimes.ReplaceAll(output, []byte("$1(…)"))
	return moments.ReplaceAllFunc(output, func(text []byte) []byte {
		day, err := time.ParseInLocation(time.DateOnly, strings.ReplaceAll(string(text[:len(time.DateOnly)]), "/", "-"), time.Local)
		if away := time.Since(day); err != nil || away < -24*time.Hour || away > 48*time.Hour {
			return text // a date that the program is about
		}
		return []byte("…")
	})
}

// moments are dates with a time, as logs have them.
var moments = lazyregexp.New(`\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?`)

// testTimes are how long tests took, as the testing package reports it.
var testTimes = lazyregexp.New(`(?m)^( *--- (?:PASS|FAIL|SKIP): \S+ )\(\d+\.\d+s\)`)

// reports are those of the testing package on the test that panics.
var reports = lazyregexp.New(`( *--- FAIL: [^\n]*\n)+$`)

// printed is what the program printed before it crashed: of a test, without
// what the testing package says of the panic.
func (v *runner) printed(before []byte) []byte {
	before = normal(before)
	if v.Subject.Build.Test {
		before = reports.ReplaceAll(before, nil)
	}
	return before
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
		return finding.Inconclusive("%s", v.sharedNetwork()), nil
	case err != nil:
		return v.Unmade(ctx, err)
	case c.why != "":
		if c.why == v.Subject.Unrunnable { // no sandbox was tried
			return finding.Inconclusive("%s", c.why), nil
		}
		check := finding.Inconclusive("in the sandbox %s", c.why)
		check.Blocked = c.needs
		return check, nil
	}
	in := manner{args: v.Subject.Run.Args, watched: keptDirs(a.patched)}
	r, err := v.executeWith(ctx, a.built.Binary, in, v.wall())
	if longer := min(4*v.wall(), v.opts.Timeout); err == nil && a.works(r) && longer > r.Took {
		r, err = v.executeWith(ctx, a.built.Binary, in, longer)
	}
	if err == nil {
		a.removed, err = a.removes(ctx, r)
	}
	if err != nil {
		return v.Unmade(ctx, err)
	}
	a.verdict.Ending, a.verdict.Printed = endingOf(r), digest(c, r.Output)
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
		check.Blocked = sandbox.Needs(c.unknown(r.Blocked))
	}
	if check.Status != verdict.Fail {
		check.Detail += c.unchanged(v.StoppedTest(), r)
	}
	check.Ending = a.verdict.Ending
	return check, nil
}

// judged decides a run of the candidate, in comparison with the control.
func (a *attempt) judged(ctx context.Context, s subject.Site, c control, r sandbox.Result) (verdict.Check, error) {
	// What the control was refused as well is not what makes the difference.
	r.Blocked = c.unknown(r.Blocked)
	if check, decided := a.crashed(s, c, r); decided {
		return a.orNextStop(ctx, s, c, r, check)
	}
	if check, decided := limited(r); decided {
		return check, nil
	}
	if check, decided := a.v.unanswered(c, r); decided {
		return check, nil
	}
	if check, decided := leftFailing(a.v, c, r); decided {
		return check, nil
	}
	note, early := compare(c, r)
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
	if r.ExitCode == 0 && r.Limit == "" && !c.silent {
		a.v.ended(r)
		return noted(finding.Pass("ran to the end, exit 0"+a.v.answers(c, r)), note, earlier), nil
	}
	check, err := a.probe(ctx, s, c, r)
	if err == nil {
		check, err = a.orDeclined(ctx, r, check)
	}
	return noted(check, note, earlier), err
}

// crashed decides a run that crashed, or that logged a crash its control did
// not log.
func (a *patched) crashed(s subject.Site, c control, r sandbox.Result) (verdict.Check, bool) {
	for _, found := range subject.Crashes(a.v.Target, s, r) {
		switch {
		case a.isNext(found):
		case a.v.At(s, found):
			return finding.Elsewhere(finding.Fail("it still happens: %s", a.v.Describe(found)), "it still happens: %s", a.classOf(found)), true
		case len(sandbox.Blocked([]byte(found.Message))) > 0: // outside the sandbox it might not
			return finding.Inconclusive("it crashes in the sandbox: %s%s", a.v.Describe(found), refused(r)), true
		case !found.Recovered:
			return finding.Elsewhere(finding.Fail("another crash: %s%s", a.v.Describe(found), refused(r)), "another crash: %s", a.classOf(found)), true
		case !a.known(c, found):
			return finding.Elsewhere(finding.Fail("another panic, recovered: %s%s", a.v.Describe(found), refused(r)), "another panic, recovered: %s", a.classOf(found)), true
		}
	}
	if r.Signal != "" {
		return finding.Elsewhere(finding.Fail("%s%s", ending(r), refused(r)), "%s", ending(r)), true
	}
	return verdict.Check{}, false
}

// known reports whether the control logged the same panic.
func (a *patched) known(c control, found crash.Crash) bool {
	at, _ := found.Culprit(a.v.Own)
	for _, o := range c.others {
		if where, _ := o.Culprit(a.v.Own); debugger.SameClass(o.Class, found.Class) && subject.Named(where.Function) == subject.Named(at.Function) {
			return true
		}
	}
	return false
}

// limited decides a run that went over a limit other than time.
func limited(r sandbox.Result) (verdict.Check, bool) {
	if r.Limit == "" || r.Alive() {
		return verdict.Check{}, false
	}
	return finding.Inconclusive("it %s", ending(r)), true
}

// compare holds the output against what the control printed before it crashed.
// note names the first line that differs; early tells that the output ends
// before that point.
func compare(c control, r sandbox.Result) (note string, early bool) {
	if !c.agreed || r.Dropped > 0 || output.Draws(r.Output) { // what is drawn depends on the time
		return "", false
	}
	out, before := c.masked(normal(r.Output)), c.masked(c.before)
	if bytes.HasPrefix(out, before) {
		return "", false
	}
	if bytes.HasPrefix(before, out) {
		return "", true
	}
	want, got := strings.Split(string(before), "\n"), strings.Split(string(out), "\n")
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			if c.defers && inOrder(want[i:], got[min(i, len(got)):]) {
				return "", false
			}
			is := ""
			if i < len(got) {
				is = got[i]
			}
			return fmt.Sprintf("line %d of the output differs before the failing line: %q, was %q", i+1, cut(is), cut(want[i])), false
		}
	}
	return "", false
}

// inOrder reports whether lines are among others, in their order.
func inOrder(lines, others []string) bool {
	for _, other := range others {
		if len(lines) > 0 && lines[0] == other {
			lines = lines[1:]
		}
	}
	return len(lines) == 0
}

// defers reports whether a function on the stack of the stop has deferred calls by then, which
// the panic makes before the program ends.
func defers(ctx context.Context, s subject.Subject) bool {
	if s.Code == nil {
		return false
	}
	code, err := s.Code(ctx)
	return err == nil && slices.ContainsFunc(s.Stop.Frames, func(frame debugger.Frame) bool {
		fn, ok := code.FuncAt(frame.File, frame.Line)
		return ok && frame.User && fn.Decl.Body != nil && defersBefore(code, fn.Decl.Body, frame.Line)
	})
}

// defersBefore reports whether a function defers a call before a line.
func defersBefore(code *workspace.Code, body *ast.BlockStmt, line int) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok { // another function, unless the line is in it
			return code.Fset.Position(lit.Pos()).Line <= line && line <= code.Fset.Position(lit.End()).Line
		}
		if d, ok := n.(*ast.DeferStmt); ok && code.Fset.Position(d.Pos()).Line < line {
			found = true
		}
		return !found
	})
	return found
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
		return finding.Inconclusive("still running after %s, and has not reached the failing line%s", finding.Short(r.Took), refused(r))
	}
	if len(r.Blocked) > 0 {
		return finding.Inconclusive("it %s before the failing line%s", ending(r), refused(r))
	}
	return finding.Elsewhere(finding.Fail("ended before the failing line: it printed less than the unpatched program did, and %s", ending(r)),
		"ended before the failing line: it printed less than the unpatched program did, and %s", endingClass(r))
}

// noted adds a note, and turns a pass into a warning because of it, unless the
// candidate changes what comes before: then the note is what it is about.
func noted(c verdict.Check, note string, earlier bool) verdict.Check {
	if note == "" {
		return c
	}
	if c.Status == verdict.Pass && !earlier {
		c.Status = verdict.Warn
	}
	c.Detail += "; " + note
	return c
}

func cut(s string) string { return s[:min(len(s), 100)] }

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

// endingClass says how a run ended, but for its exit code: that is a byte of the
// candidate's choice.
func endingClass(r sandbox.Result) string {
	if r.Alive() || r.Limit != "" || r.Signal != "" || r.ExitCode == 0 {
		return ending(r)
	}
	return "ended with an exit code that is not 0"
}
