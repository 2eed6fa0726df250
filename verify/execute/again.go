package execute

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
)

const (
	// AtOnce runs of a program go side by side.
	AtOnce = 2
	// mostRuns is how often a program is run again at most.
	mostRuns = 30
	// Patience is for how long a program is run again at most, see sandbox.Spent.
	Patience = 10 * time.Second
	// missed is the chance that a stop which is still there shows in no rerun.
	missed = 0.05
)

// Sometimes reports whether the program is known, or likely, to stop only in some
// runs.
func (v *Runner) Sometimes() bool {
	return v.Subject.Stop.MayRace() || v.Subject.Repeat > 1 || v.misses.Load()
}

// Controls runs the unpatched program until it has stopped as the target did, as
// long as that may still come.
func (v *Runner) Controls(ctx context.Context, s subject.Site, binary string) (Control, error) {
	wall := v.controlWall()
	results, err := v.SideBySide(ctx, binary, wall, AtOnce)
	if err != nil {
		return Control{}, err
	}
	if slices.ContainsFunc(results, func(r sandbox.Result) bool { return r.Limit == sandbox.LimitOutput }) {
		v.loud.Store(true) // the crash comes after what it prints
		if results, err = v.SideBySide(ctx, binary, wall, AtOnce); err != nil {
			return Control{}, err
		}
	}
	c, spent := v.judgeControl(ctx, s, results), Longest(results)
	again := func() error {
		more, err := v.SideBySide(ctx, binary, wall, AtOnce)
		if err != nil {
			return err
		}
		results, spent = append(results, more...), spent+Longest(more)
		c = v.judgeControl(ctx, s, results)
		return nil
	}
	for c.Why != "" && v.mayComeYet(c, spent) {
		if c.alive > 0 && !v.Subject.Stop.MayRace() {
			wall = min(3*wall, 2*v.Opts.Timeout)
		}
		if err := again(); err != nil {
			return Control{}, err
		}
	}
	for c.Why == "" && c.hits == c.runs && c.runs < certainRuns && spent < Patience/5 && !v.Subject.Stop.LivesOn() && v.Chance(ctx) {
		if err := again(); err != nil {
			return Control{}, err
		}
	}
	v.misses.Store(c.Why == "" && c.hits < c.runs)
	return c, nil
}

// Longest is how long the longest of some runs took.
func Longest(results []sandbox.Result) time.Duration {
	most := time.Duration(0)
	for _, r := range results {
		most = max(most, r.Took)
	}
	return most
}

// mayComeYet reports whether a control that did not stop as the target did, in runs
// that took that long, is worth another one.
func (v *Runner) mayComeYet(c Control, spent time.Duration) bool {
	switch {
	case v.fromOutside() || len(c.Needs) > 0 || v.Subject.Run.Repro.Command != "":
		return false
	case v.Sometimes():
		return c.runs < max(mostRuns, 3*v.Subject.Repeat) && spent < Patience
	case c.alive > 0: // it stopped after a while; here it may take longer
		return c.runs == AtOnce && v.Subject.Ran > 0
	}
	return c.runs < 3*AtOnce && spent < Patience/5
}

// SideBySide runs a binary several times at once.
func (v *Runner) SideBySide(ctx context.Context, binary string, wall time.Duration, times int) ([]sandbox.Result, error) {
	results := make([]sandbox.Result, times)
	errs := make([]error, times)
	var wait sync.WaitGroup
	for i := range results {
		wait.Go(func() { results[i], errs[i] = v.Execute(ctx, binary, wall) })
	}
	wait.Wait()
	return results, errors.Join(errs...)
}

// Reruns is how often a candidate has to run without a stop, after the first
// time; 0 where one run says it all.
func (v *Runner) Reruns(s subject.Site, c Control) int {
	if !v.Sometimes() && c.hits == c.runs && c.runs <= AtOnce || v.Subject.Stop.LivesOn() && !v.Subject.Stop.Hangs() {
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

// Often says in how many of its runs the unpatched program stopped.
func (c Control) Often() string {
	return fmt.Sprintf("a program that stops in %d of %d", c.hits, c.runs)
}

// Slow says that a limit of time, not the candidate, may be the reason.
func (c Control) Slow(r sandbox.Result) string {
	if r.Alive() && 3*c.Took > r.Took {
		return fmt.Sprintf("; the unpatched program took %s to its stop here: the limit of time may be the reason, not the fix", finding.Short(c.Took))
	}
	return ""
}

// Ended keeps in how short a time a candidate came to its end.
func (v *Runner) Ended(r sandbox.Result) {
	for old := v.ending.Load(); old == 0 || int64(r.Took) < old; old = v.ending.Load() {
		if v.ending.CompareAndSwap(old, max(1, int64(r.Took))) {
			return
		}
	}
}

// Quickest is in how short a time a candidate came to its end; 0 if none has.
func (v *Runner) Quickest() time.Duration { return time.Duration(v.ending.Load()) }

// Brief rounds a duration that may be far below a second.
func Brief(d time.Duration) time.Duration {
	if d < time.Second {
		return d.Round(time.Millisecond)
	}
	return finding.Short(d)
}

// judgeControl reports whether the control stopped as the target did in any of its
// runs.
func (v *Runner) judgeControl(ctx context.Context, s subject.Site, results []sandbox.Result) Control {
	c := Control{runs: len(results)}
	var befores [][]byte
	whole := true
	for _, r := range results {
		found, why := v.CrashOf(s, r)
		c.unsteady = c.unsteady || c.repro != nil && r.Repro != nil && endingOfRepro(c.repro) != endingOfRepro(r.Repro)
		c.repro = r.Repro
		if why != "" {
			c.Why, c.Needs = why, v.needs(r)
			if other, ok := crash.Parse(r.Output); ok && !other.Recovered {
				c.Instead = append(c.Instead, other)
			}
			if r.Alive() {
				c.alive++
			}
			continue
		}
		c.hits++
		c.Took = max(c.Took, r.Took)
		c.blocked = append(c.blocked, r.Blocked...)
		befores = append(befores, v.printed(r.Output[:found.Start]))
		c.reports = append(c.reports, r.Output[:found.Start])
		whole = whole && r.Dropped == 0
		c.Others = append(c.Others, crash.ParseAll(r.Output)...)
	}
	if c.hits == 0 {
		if c.alive > 0 && !v.Subject.Stop.LivesOn() && v.Subject.Run.Repro.Command == "" && v.Subject.Ran > 0 {
			c.Why += fmt.Sprintf("; when it was debugged it stopped after %s: the limit of time may be the reason, not the fix", Brief(v.Subject.Ran))
		}
		if c.runs > AtOnce {
			c.Why += fmt.Sprintf("; so in %d runs", c.runs)
		}
		return c
	}
	c.Why, c.Needs = "", nil
	c.Before = befores[0]
	var same bool
	c.varies, same = varying(befores)
	c.Agreed = whole && len(befores) > 1 && same
	c.defers = defers(ctx, v.Subject)
	v.Measured.Store(int64(c.Took))
	return c
}
