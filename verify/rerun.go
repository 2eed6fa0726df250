package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/proof"
	"github.com/pausetui/pausetui/verify/sandbox"
)

// control is the unpatched binary run in the sandbox: what the candidates are
// compared with.
type control struct {
	why     string   // why nothing can be compared; empty when it crashed as the target did
	needs   []string // then what would have to be allowed
	blocked []string // what the sandbox refused it, though it crashed as it should
	before  []byte   // what it printed before the crash
	agreed  bool     // two controls printed the same before the crash
	silent  bool     // a server has recovered the panic and printed nothing: a probe has seen it
	others  []crash.Crash
	aside   *sandbox.AsideResult // what became of the command beside it; nil without one
}

// controlRun runs the control, once for all candidates.
func (v *Verifier) controlRun(ctx context.Context) (control, error) {
	return v.control.get(ctx, func(ctx context.Context) (control, error) {
		s, ok := v.site()
		if !ok {
			return control{why: "the target did not crash"}, nil
		}
		if why := v.subject.Unrunnable; why != "" {
			return control{why: why}, nil
		}
		binary, err := v.controlBinary(ctx)
		if err != nil {
			return control{why: "the unpatched program cannot be built here: " + err.Error()}, nil //nolint:nilerr // the control is inconclusive then, and says why
		}
		var results [2]sandbox.Result
		var errs [2]error
		var wait sync.WaitGroup
		for i := range results {
			wait.Go(func() { results[i], errs[i] = v.execute(ctx, binary, v.controlWall()) })
		}
		wait.Wait()
		if err := errors.Join(errs[:]...); err != nil {
			return control{}, err
		}
		c := v.judgeControl(s, results[0], results[1])
		if c.why == "" || !v.subject.Stop.LivesOn() {
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
	if v.subject.Control == nil {
		return v.subject.Binary, nil
	}
	return v.subject.Control(ctx)
}

// controlWall is how long the control may take to crash: longer than the target
// did, because two run at once and the sandbox takes its share.
func (v *Verifier) controlWall() time.Duration {
	if v.subject.Stop.LivesOn() && v.subject.Run.Repro.Command == "" {
		return leastWall // whatever came from outside, and when, does not come again
	}
	return min(max(leastWall, 5*v.subject.Ran), 2*v.opts.Timeout)
}

// judgeControl tells whether the control crashed as the target did.
func (v *Verifier) judgeControl(s site, results ...sandbox.Result) control {
	var befores [][]byte
	var c control
	for _, r := range results {
		found, why := v.crashOf(s, r)
		c.aside = r.Aside
		if why != "" {
			c.why, c.needs = why, v.needs(r)
			continue
		}
		c.blocked = append(c.blocked, r.Blocked...)
		befores = append(befores, v.printed(r.Output[:found.Start]))
		c.others = append(c.others, crash.ParseAll(r.Output)...)
	}
	if len(befores) == 0 {
		return c
	}
	c.why, c.needs = "", nil
	c.before = befores[0]
	c.agreed = len(befores) == 2 && bytes.Equal(befores[0], befores[1]) && results[0].Dropped == 0
	return c
}

// crashOf finds the site's crash in a run of the control; why says what came
// instead.
func (v *Verifier) crashOf(s site, r sandbox.Result) (found crash.Crash, why string) {
	all := crash.ParseAll(r.Output)
	for _, c := range all {
		if v.at(s, c) && v.sameStatement(s, c) {
			return c, ""
		}
	}
	if c, ok := crash.Parse(r.Output); ok {
		return found, "the unpatched program stopped with another crash: " + v.describe(c) + v.hidden() + refused(r) + v.perhaps(r)
	}
	return found, "the unpatched program " + ending(r) + said(r) + v.replayed(r) + v.hidden() + refused(r) + v.perhaps(r)
}

// ending says how a run ended.
func ending(r sandbox.Result) string {
	switch {
	case r.Alive():
		return fmt.Sprintf("was still running after %s", short(r.Took))
	case r.Limit != "":
		return "went over the sandbox's limit of " + r.Limit
	case r.Signal != "":
		return "was killed by " + r.Signal
	}
	return fmt.Sprintf("ended with exit code %d", r.ExitCode)
}

// endingOf is how a run ended, as a value.
func endingOf(r sandbox.Result) *proof.Ending {
	e := &proof.Ending{Exit: r.ExitCode, Signal: r.Signal, Alive: r.Alive(), Ran: r.Took}
	if e.Signal != "" || e.Alive {
		e.Exit = -1
	}
	if r.Aside != nil && r.Aside.Ended {
		e.Reply = &r.Aside.Exit
	}
	return e
}

// normal makes outputs comparable: a terminal ends lines its own way.
func normal(output []byte) []byte { return bytes.ReplaceAll(output, []byte("\r\n"), []byte("\n")) }

// reports are those of the testing package on the test that panics.
var reports = regexp.MustCompile(`( *--- FAIL: [^\n]*\n)+$`)

// printed is what the program printed before it crashed: of a test, without
// what the testing package says of the panic.
func (v *Verifier) printed(before []byte) []byte {
	before = normal(before)
	if v.subject.Build.Test {
		before = reports.ReplaceAll(before, nil)
	}
	return before
}

// rerun runs the candidate on the same input and compares.
func (a *attempt) rerun(ctx context.Context) (proof.Check, error) {
	v := a.v
	if t, ok := v.failing(); ok {
		return a.retest(ctx, t)
	}
	s, ok := v.site()
	if !ok {
		return skip("the target did not crash"), nil
	}
	if why := v.subject.Unrunnable; why != "" && v.subject.Tests == nil { // nothing can stand in for it
		return skip("%s", why), nil
	}
	c, err := v.controlRun(ctx)
	switch {
	case errors.Is(err, sandbox.ErrNoSandbox):
		return skip("%v", err), nil
	case errors.Is(err, sandbox.ErrSharedNetwork):
		return inconclusive("%s", v.sharedNetwork()), nil
	case err != nil:
		return unmade(ctx, err)
	case c.why != "":
		check := inconclusive("in the sandbox %s", c.why)
		check.Blocked = c.needs
		return check, nil
	}
	r, err := v.execute(ctx, a.built.Binary, v.wall())
	if err != nil {
		return unmade(ctx, err)
	}
	a.verdict.Ending = endingOf(r)
	check, err := a.judged(ctx, s, c, r)
	if err != nil {
		return unmade(ctx, err)
	}
	if check.Status == proof.Inconclusive {
		check.Blocked = sandbox.Needs(c.unknown(r.Blocked))
	}
	return check, nil
}

// judged decides a run of the candidate, in comparison with the control.
func (a *attempt) judged(ctx context.Context, s site, c control, r sandbox.Result) (proof.Check, error) {
	// What the control was refused as well is not what makes the difference.
	r.Blocked = c.unknown(r.Blocked)
	if check, decided := a.crashed(s, c, r); decided {
		return check, nil
	}
	if check, decided := a.limited(r); decided {
		return check, nil
	}
	if check, decided := a.v.unanswered(c, r); decided {
		return check, nil
	}
	note, early := compare(c, r)
	if early {
		return a.orDeclined(ctx, r, tooEarly(r))
	}
	if r.ExitCode == 0 && r.Limit == "" && !c.silent {
		return noted(pass("ran to the end, exit 0"+a.v.answers(c, r)), note), nil
	}
	check, err := a.probe(ctx, s, c, r)
	if err == nil {
		check, err = a.orDeclined(ctx, r, check)
	}
	return noted(check, note), err
}

// unmade is a rerun that could not be made: that decides nothing.
func unmade(ctx context.Context, err error) (proof.Check, error) {
	if ctx.Err() != nil {
		return proof.Check{}, ctx.Err()
	}
	return inconclusive("%v", err), nil
}

// crashed decides a run that crashed, or that logged a crash its control did
// not log.
func (a *attempt) crashed(s site, c control, r sandbox.Result) (proof.Check, bool) {
	for _, found := range crash.ParseAll(r.Output) {
		switch {
		case a.v.at(s, found):
			return fail("it still happens: %s", a.v.describe(found)), true
		case len(sandbox.Blocked([]byte(found.Message))) > 0: // outside the sandbox it might not
			return inconclusive("it crashes in the sandbox: %s%s", a.v.describe(found), refused(r)), true
		case !found.Recovered:
			return fail("another crash: %s%s", a.v.describe(found), refused(r)), true
		case !a.known(c, found):
			return fail("another panic, recovered by the server: %s%s", a.v.describe(found), refused(r)), true
		}
	}
	if r.Signal != "" {
		return fail("%s%s", ending(r), refused(r)), true
	}
	return proof.Check{}, false
}

// known tells whether the control logged the same panic.
func (a *attempt) known(c control, found crash.Crash) bool {
	at, _ := found.Culprit(a.v.own)
	for _, o := range c.others {
		if where, _ := o.Culprit(a.v.own); sameClass(o.Class, found.Class) && named(where.Function) == named(at.Function) {
			return true
		}
	}
	return false
}

// limited decides a run that went over a limit other than time.
func (a *attempt) limited(r sandbox.Result) (proof.Check, bool) {
	if r.Limit == "" || r.Alive() {
		return proof.Check{}, false
	}
	return inconclusive("it %s", ending(r)), true
}

// compare holds the output against what the control printed before it crashed.
// note names the first line that differs; early tells that the output ends
// before that point.
func compare(c control, r sandbox.Result) (note string, early bool) {
	if !c.agreed || r.Dropped > 0 {
		return "", false
	}
	out := normal(r.Output)
	if bytes.HasPrefix(out, c.before) {
		return "", false
	}
	if bytes.HasPrefix(c.before, out) {
		return "", true
	}
	want, got := strings.Split(string(c.before), "\n"), strings.Split(string(out), "\n")
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			is := ""
			if i < len(got) {
				is = got[i]
			}
			return fmt.Sprintf("line %d of the output differs before the site: %q, was %q", i+1, cut(is), cut(want[i])), false
		}
	}
	return "", false
}

// tooEarly decides a run whose output stops before the site's.
func tooEarly(r sandbox.Result) proof.Check {
	if r.Alive() {
		return inconclusive("still running after %s, and has not come as far as the site%s", short(r.Took), refused(r))
	}
	if len(r.Blocked) > 0 {
		return inconclusive("it %s before the site%s", ending(r), refused(r))
	}
	return fail("ended before the site: it printed less than the unpatched program did, and %s", ending(r))
}

// noted turns a pass into a warning where there is something to note.
func noted(c proof.Check, note string) proof.Check {
	if note == "" {
		return c
	}
	if c.Status == proof.Pass {
		c.Status = proof.Warn
	}
	c.Detail += "; " + note
	return c
}

func cut(s string) string { return s[:min(len(s), 100)] }

// hasFollowing tells whether getting past the faulting statement means anything
// for this class: those that end with the whole program have no such point.
func hasFollowing(c debugger.Class) bool {
	switch c {
	case debugger.Deadlock, debugger.StackOverflow, debugger.ConcurrentMap, debugger.OutOfMemory, debugger.Fatal:
		return false
	}
	return true
}
