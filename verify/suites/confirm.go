package suites

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/gotest"
)

// A test that goes by the clock fails or passes as the machine is busy. One that
// passed without a candidate and fails with it is broken only if it does both again and
// again, in turns: what else the machine does is then the same for both.
const (
	leastRounds = 2
	mostRounds  = 5
	// roundsTime is how long tests may run for more than the least rounds.
	roundsTime = 10 * time.Second
)

// rounds returns whether there is to be another round after so many.
func rounds(b *execute.Budget) func(done int) bool {
	began := b.Rest()
	return func(done int) bool {
		return done < leastRounds || done < mostRounds && began-b.Rest() < roundsTime && b.Rest() >= execute.LeastTests
	}
}

// confirmation is what is sure of the tests of a package that seem to be broken.
type confirmation struct {
	in      execute.Suite // as it was run last with the candidate
	broken  []gotest.Test // they fail in each run with the candidate and pass in each without
	trouble string        // as for the tests
	unsure  []late        // there was no time to run them again
}

// confirmBroken runs the broken tests in turns with and without the candidate, as long
// as any may be broken. Without names all tests are run.
func confirmBroken(before execute.Suite, c comparison, with, without func(only []string) (execute.Suite, error), more func(done int) bool) (sure confirmation, err error) {
	sure.broken, sure.trouble = c.broken, c.trouble
	for done := 0; (len(sure.broken) > 0 || sure.trouble != "") && more(done); done++ {
		next := sure
		if next.in, err = with(tops(sure.broken)); err != nil {
			return sure, err
		}
		still := compareSuites(before.Report, next.in.Report)
		next.ran(next.in, still.broken)
		if only := tops(next.broken); len(only) > 0 || next.trouble != "" {
			once, err := without(only)
			if err != nil {
				return sure, err
			}
			next.passed(once)
		}
		if done >= leastRounds && len(next.unsure) > 0 {
			break // it was one round too many
		}
		sure = next
	}
	return sure, nil
}

// ran keeps of what may be broken what failed again.
func (sure *confirmation) ran(s execute.Suite, failed []gotest.Test) {
	only := sure.unrun(s)
	sure.broken = slices.DeleteFunc(slices.Clone(failed), func(t gotest.Test) bool { return !slices.Contains(only, gotest.Top(t.Name)) })
	if s.Report.Trouble == "" {
		sure.trouble = ""
	} else if sure.trouble != "" {
		sure.trouble = s.Report.Trouble
	}
}

// passed keeps of what may be broken what passed again without the candidate.
func (sure *confirmation) passed(s execute.Suite) {
	only, was := sure.unrun(s), gotest.ByName(s.Report.Tests)
	sure.broken = slices.DeleteFunc(slices.Clone(sure.broken), func(t gotest.Test) bool {
		top := gotest.Top(t.Name)
		it, known := was[t.Name] // the subtest may pass although its test fails
		if !known {
			it = was[top]
		}
		return !slices.Contains(only, top) || it.Status != gotest.Passed
	})
	if s.Report.Trouble != "" {
		sure.trouble = ""
	}
}

// unrun notes which of the tests had no time to run again, and returns the names of the
// others.
func (sure *confirmation) unrun(s execute.Suite) (ran []string) {
	if s.Late == "" && s.Report.Cut == "" {
		return tops(sure.broken)
	}
	if s.Late != "" {
		sure.trouble = ""
	}
	l := late{why: "failed once and then " + cmp.Or(s.Late, s.Lateness())}
	results := gotest.ByName(s.Report.Tests)
	for _, name := range tops(sure.broken) {
		if s.Late != "" || notEnded(results[name]) {
			l.names = append(l.names, name)
		} else {
			ran = append(ran, name)
		}
	}
	if len(l.names) > 0 {
		sure.unsure = append(sure.unsure, l)
	}
	return ran
}

// confirmFixed runs again, without the candidate, the tests that failed so and pass
// with it: those that pass in one of the runs are flaky, and speak for no candidate.
func confirmFixed(c *comparison, without func(only []string) (execute.Suite, error), more func(done int) bool) (flaky []string, err error) {
	for done := 0; len(c.fixed) > 0 && more(done); done++ {
		once, err := without(c.fixed)
		if err != nil {
			return nil, err
		}
		was := gotest.ByName(once.Report.Tests)
		passes := func(name string) bool { return was[name].Status == gotest.Passed }
		for _, name := range c.fixed {
			if passes(name) {
				flaky = append(flaky, name)
			}
		}
		c.fixed = slices.DeleteFunc(slices.Clone(c.fixed), passes)
	}
	return flaky, nil
}

// Compare adds one package. What fails now, or failed before
// and passes, is run again, to tell flaky tests.
func (o *Outcome) Compare(ctx context.Context, before, after execute.Suite, limits execute.TestLimits) error {
	switch {
	case after.Late != "":
		o.isLate(after.Late, "the tests of "+o.where(after.Pkg))
		return nil
	case after.Unbuilt != "":
		o.refused = append(o.refused, after)
		return nil
	}
	c := compareSuites(before.Report, after.Report)
	fresh := func() *execute.Budget { // what fails is to have its second chance
		return limits.Of(after.Pkg).AtLeast(leastRounds * (after.Silence + time.Second))
	}
	rerun := func(s execute.Suite, left *execute.Budget) func([]string) (execute.Suite, error) {
		return func(only []string) (execute.Suite, error) {
			err := o.v.RunSuite(ctx, &s, left, only, nil)
			return s, err
		}
	}
	left := fresh()
	flaky, err := confirmFixed(&c, rerun(before, left), rounds(left))
	if err != nil {
		return err
	}
	o.flaky = append(o.flaky, o.names(before.Pkg, flaky...)...)
	o.add(before, after, c)
	left = fresh()
	sure, err := confirmBroken(before, c, rerun(after, left), rerun(before, left), rounds(left))
	if err != nil {
		return err
	}
	o.judge(c, sure)
	return nil
}
