package verify

import (
	"context"
	"errors"
	"fmt"
	"math"

	"slices"

	"sync"
	"time"

	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/verdict"
)

// One run proves nothing of a race. Where goroutines race, or the program stops
// only in some runs, the control runs until it has stopped, and a candidate as
// often as it takes to meet the stop again with some certainty.

const (
	// atOnce runs of a program go side by side.
	atOnce = 2
	// mostRuns is how often a program is run again at most, and patience for how
	// long, see sandbox.Spent.
	mostRuns = 30
	patience = 10 * time.Second
	// missed is the chance that a stop which is still there shows in no rerun.
	missed = 0.05
)

// sometimes reports whether the program is known, or likely, to stop only in some
// runs.
func (v *runner) sometimes() bool {
	return v.Subject.Stop.MayRace() || v.Subject.Repeat > 1 || v.misses.Load()
}

// controls runs the unpatched program until it has stopped as the target did, as
// long as that may still come.
func (v *runner) controls(ctx context.Context, s subject.Site, binary string) (control, error) {
	wall := v.controlWall()
	results, err := v.sideBySide(ctx, binary, wall, atOnce)
	if err != nil {
		return control{}, err
	}
	if slices.ContainsFunc(results, func(r sandbox.Result) bool { return r.Limit == sandbox.LimitOutput }) {
		v.loud.Store(true) // the crash comes after what it prints
		if results, err = v.sideBySide(ctx, binary, wall, atOnce); err != nil {
			return control{}, err
		}
	}
	c, spent := v.judgeControl(ctx, s, results), longest(results)
	again := func() error {
		more, err := v.sideBySide(ctx, binary, wall, atOnce)
		if err != nil {
			return err
		}
		results, spent = append(results, more...), spent+longest(more)
		c = v.judgeControl(ctx, s, results)
		return nil
	}
	for c.why != "" && v.mayComeYet(s, c, spent) {
		if c.alive > 0 && !v.Subject.Stop.MayRace() {
			wall = min(3*wall, 2*v.opts.Timeout)
		}
		if err := again(); err != nil {
			return control{}, err
		}
	}
	for c.why == "" && c.hits == c.runs && c.runs < certainRuns && spent < patience/5 && !v.Subject.Stop.LivesOn() && v.chance(ctx) {
		if err := again(); err != nil {
			return control{}, err
		}
	}
	v.misses.Store(c.why == "" && c.hits < c.runs)
	return c, nil
}

// longest is how long the longest of some runs took.
func longest(results []sandbox.Result) time.Duration {
	most := time.Duration(0)
	for _, r := range results {
		most = max(most, r.Took)
	}
	return most
}

// mayComeYet reports whether a control that did not stop as the target did, in runs
// that took that long, is worth another one.
func (v *runner) mayComeYet(s subject.Site, c control, spent time.Duration) bool {
	switch {
	case v.fromOutside() || len(c.needs) > 0 || v.Subject.Run.Repro.Command != "":
		return false
	case v.sometimes():
		return c.runs < max(mostRuns, 3*v.Subject.Repeat) && spent < patience
	case c.alive > 0: // it stopped after a while; here it may take longer
		return c.runs == atOnce && v.Subject.Ran > 0
	}
	return c.runs < 3*atOnce && spent < patience/5
}

// sideBySide runs a binary several times at once.
func (v *runner) sideBySide(ctx context.Context, binary string, wall time.Duration, times int) ([]sandbox.Result, error) {
	results := make([]sandbox.Result, times)
	errs := make([]error, times)
	var wait sync.WaitGroup
	for i := range results {
		wait.Go(func() { results[i], errs[i] = v.execute(ctx, binary, wall) })
	}
	wait.Wait()
	return results, errors.Join(errs...)
}

// reruns is how often a candidate has to run without a stop, after the first
// time; 0 where one run says it all.
func (v *runner) reruns(s subject.Site, c control) int {
	if !v.sometimes() && c.hits == c.runs && c.runs <= atOnce || v.Subject.Stop.LivesOn() && !v.Subject.Stop.Hangs() {
		return 0
	}
	// The rule of succession: one who was seen in all of two runs is not certain.
	often := float64(c.hits+1) / float64(c.runs+2)
	if v.Subject.Repeat > 1 {
		often = min(often, 1/float64(v.Subject.Repeat))
	}
	n := int(math.Ceil(math.Log(missed) / math.Log(1-often)))
	return min(max(n, v.Subject.Repeat), mostRuns+v.Subject.Repeat) - 1
}

// repeat runs a candidate that has passed again, where one run proves too
// little, and adds to the check how often it did not stop.
func (a *attempt) repeat(ctx context.Context, s subject.Site, c control, first sandbox.Result, check verdict.Check) (verdict.Check, error) {
	want := a.v.reruns(s, c)
	if want == 0 || check.Status != verdict.Pass && check.Status != verdict.Warn {
		return check, nil
	}
	done, spent := 0, time.Duration(0)
	for done < want && (done == 0 || spent < patience) {
		results, err := a.v.sideBySide(ctx, a.built.Binary, a.v.wall(), min(atOnce, want-done))
		if err != nil {
			return check, err
		}
		spent += longest(results)
		for _, r := range results {
			done++
			r.Blocked = c.unknown(r.Blocked)
			if again, decided := a.crashed(s, c, r); decided {
				again.Detail = fmt.Sprintf("in run %d of %d %s", done+1, want+1, again.Detail)
				return again, nil
			}
			if r.Alive() && !first.Alive() {
				hangs := finding.Fail("in run %d of %d it hangs: still running after %s%s", done+1, want+1, finding.Short(r.Took), waitsAt(a.v, crash.Goroutines(r.Stacks)))
				return finding.Elsewhere(hangs, "in run %d of %d it hangs", done+1, want+1), nil
			}
		}
	}
	check.Detail += fmt.Sprintf("; so in %d runs, of %s", done+1, c.often())
	if done < want {
		check.Detail += fmt.Sprintf("; %d would prove more, but there was no time", want+1)
	}
	return check, nil
}

// often says in how many of its runs the unpatched program stopped.
func (c control) often() string {
	return fmt.Sprintf("a program that stops in %d of %d", c.hits, c.runs)
}

// slow says that a limit of time, not the candidate, may be the reason.
func (c control) slow(r sandbox.Result) string {
	if r.Alive() && 3*c.took > r.Took {
		return fmt.Sprintf("; the unpatched program took %s to its stop here: the limit of time may be the reason, not the fix", finding.Short(c.took))
	}
	return ""
}

// ended keeps in how short a time a candidate came to its end.
func (v *runner) ended(r sandbox.Result) {
	for old := v.ending.Load(); old == 0 || int64(r.Took) < old; old = v.ending.Load() {
		if v.ending.CompareAndSwap(old, max(1, int64(r.Took))) {
			return
		}
	}
}

// quickest is in how short a time a candidate came to its end; 0 if none has.
func (v *runner) quickest() time.Duration { return time.Duration(v.ending.Load()) }

// brief rounds a duration that may be far below a second.
func brief(d time.Duration) time.Duration {
	if d < time.Second {
		return d.Round(time.Millisecond)
	}
	return finding.Short(d)
}

// judgeControl reports whether the control stopped as the target did in any of its
// runs.
func (v *runner) judgeControl(ctx context.Context, s subject.Site, results []sandbox.Result) control {
	c := control{runs: len(results)}
	var befores [][]byte
	whole := true
	for _, r := range results {
		found, why := v.crashOf(s, r)
		c.unsteady = c.unsteady || c.repro != nil && r.Repro != nil && endingOfRepro(c.repro) != endingOfRepro(r.Repro)
		c.repro = r.Repro
		if why != "" {
			c.why, c.needs = why, v.needs(s, r)
			if other, ok := crash.Parse(r.Output); ok && !other.Recovered {
				c.instead = append(c.instead, other)
			}
			if r.Alive() {
				c.alive++
			}
			continue
		}
		c.hits++
		c.took = max(c.took, r.Took)
		c.blocked = append(c.blocked, r.Blocked...)
		befores = append(befores, v.printed(r.Output[:found.Start]))
		c.reports = append(c.reports, r.Output[:found.Start])
		whole = whole && r.Dropped == 0
		c.others = append(c.others, crash.ParseAll(r.Output)...)
	}
	if c.hits == 0 {
		if c.alive > 0 && !v.Subject.Stop.LivesOn() && v.Subject.Run.Repro.Command == "" && v.Subject.Ran > 0 {
			c.why += fmt.Sprintf("; when it was debugged it stopped after %s: the limit of time may be the reason, not the fix", brief(v.Subject.Ran))
		}
		if c.runs > atOnce {
			c.why += fmt.Sprintf("; so in %d runs", c.runs)
		}
		return c
	}
	c.why, c.needs = "", nil
	c.before = befores[0]
	var same bool
	c.varies, same = varying(befores)
	c.agreed = whole && len(befores) > 1 && same
	c.defers = defers(ctx, v.Subject)
	v.measured.Store(int64(c.took))
	return c
}
