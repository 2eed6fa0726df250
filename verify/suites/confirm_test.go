package suites

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/gotest"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/verdict"
)

// What a busy machine does to a test, it does with a candidate and without.
func TestWhatIsSureToBeBroken(t *testing.T) {
	t.Parallel()
	fails, passes := gotest.Report{Tests: []gotest.Test{{Name: "ExampleClock", Status: gotest.Failed}}}, gotest.Report{Tests: []gotest.Test{{Name: "ExampleClock", Status: gotest.Passed}}}
	cut := gotest.Report{Tests: []gotest.Test{{Name: "ExampleClock", Status: gotest.Unfinished}}, Cut: "time was up", Late: true}
	ends, trouble := gotest.Report{Tests: passes.Tests}, gotest.Report{Tests: passes.Tests, Trouble: "exit code 3"}
	for _, tt := range []struct {
		name          string
		first         gotest.Report
		with, without []gotest.Report // one for each round; the last one again
		want          string
	}{
		{"it always fails", fails, list(fails), list(passes), "broken: ExampleClock; rounds: 5, 5"},
		{"it passes the second time", fails, list(passes), list(passes), "rounds: 1, 0"},
		{"it passes in the end", fails, list(fails, fails, fails, passes), list(passes), "rounds: 4, 3"},
		{"it fails without the candidate, too", fails, list(fails), list(passes, passes, fails), "rounds: 3, 3"},
		{"it had no time", fails, list(cut), list(passes), "unsure: ExampleClock; rounds: 1, 0"},
		{"it had no time without the candidate", fails, list(fails), list(cut), "unsure: ExampleClock; rounds: 1, 1"},
		{"it had no time for more than the least", fails, list(fails, fails, cut), list(passes), "broken: ExampleClock; rounds: 3, 2"},
		{"the end is always bad", trouble, list(trouble), list(ends), "trouble; rounds: 5, 5"},
		{"the end is bad at times", trouble, list(trouble, trouble, ends), list(ends), "rounds: 3, 2"},
		{"the end is bad without the candidate, too", trouble, list(trouble), list(ends, trouble), "rounds: 2, 2"},
	} {
		with, without := runs(tt.with), runs(tt.without)
		before := execute.Suite{Report: passes}
		sure, err := confirmBroken(before, compareSuites(before.Report, tt.first), with.run, without.run, func(done int) bool { return done < mostRounds })
		var got []string
		if len(sure.broken) > 0 {
			got = append(got, "broken: "+strings.Join(tops(sure.broken), " "))
		}
		for _, l := range sure.unsure {
			got = append(got, "unsure: "+strings.Join(l.names, " "))
		}
		if sure.trouble != "" {
			got = append(got, "trouble")
		}
		got = append(got, fmt.Sprintf("rounds: %d, %d", with.done, without.done))
		if text := strings.Join(got, "; "); text != tt.want || err != nil {
			t.Errorf("%s: %s, want %s (%v)", tt.name, text, tt.want, err)
		}
	}
}

// A part of a test that always failed is broken like any other.
func TestAPartOfAFailingTestIsBroken(t *testing.T) {
	t.Parallel()
	before, after := ran("TestEval failed, TestEval/power failed, TestEval/minus passed"), ran("TestEval failed, TestEval/power failed, TestEval/minus failed")
	with, without := runs(list(after)), runs(list(before))
	sure, err := confirmBroken(execute.Suite{Report: before}, compareSuites(before, after), with.run, without.run, func(done int) bool { return done < leastRounds })
	if err != nil || len(sure.broken) != 1 || sure.broken[0].Name != "TestEval/minus" {
		t.Errorf("broken are %+v, %v", sure.broken, err)
	}
}

// A test that failed at times before speaks for no candidate.
func TestWhatIsSureToBeFixed(t *testing.T) {
	t.Parallel()
	was := func(lucky gotest.Status) gotest.Report {
		return gotest.Report{Tests: []gotest.Test{{Name: "TestFixed", Status: gotest.Failed}, {Name: "TestLucky", Status: lucky}}}
	}
	without := runs(list(was(gotest.Failed), was(gotest.Failed), was(gotest.Passed)))
	c := comparison{fixed: []string{"TestFixed", "TestLucky"}}
	flaky, err := confirmFixed(&c, without.run, func(done int) bool { return done < mostRounds })
	if err != nil || !slices.Equal(flaky, []string{"TestLucky"}) || !slices.Equal(c.fixed, []string{"TestFixed"}) || without.done != mostRounds {
		t.Errorf("flaky are %q, fixed %q after %d rounds, %v", flaky, c.fixed, without.done, err)
	}
}

func TestRoundsEnd(t *testing.T) {
	t.Parallel()
	b := execute.NewBudget(10 * time.Minute)
	more := rounds(b)
	if !more(mostRounds-1) || more(mostRounds) {
		t.Error("fast tests have other rounds than the most")
	}
	b.Spend(2 * roundsTime * time.Duration(runtime.NumCPU()))
	if !more(leastRounds-1) || more(leastRounds) {
		t.Error("slow tests have other rounds than the least")
	}
}

func list(reports ...gotest.Report) []gotest.Report { return reports }

// scripted are the runs of a package's tests that a test expects.
type scripted struct {
	reports []gotest.Report
	done    int
}

func runs(reports []gotest.Report) *scripted { return &scripted{reports: reports} }

func (s *scripted) run([]string) (execute.Suite, error) {
	s.done++
	return execute.Suite{Report: s.reports[min(s.done, len(s.reports))-1]}, nil
}

func TestWhatIsSureOfAFailingTest(t *testing.T) {
	t.Parallel()
	run := func(target, other gotest.Status) []gotest.Test {
		return []gotest.Test{{Name: "TestIt", Status: target}, {Name: "TestIt/part", Status: other}, {Name: "TestIt/it", Status: target}}
	}
	good, bad := gotest.Passed, gotest.Failed
	for _, tt := range []struct {
		name          string
		now           []gotest.Test
		with, without [][]gotest.Test // one for each round; the last one again
		status        verdict.Status
		detail        string
	}{
		{"it still fails", run(bad, good), [][]gotest.Test{run(bad, good)}, nil, verdict.Fail, "TestIt/it still fails"},
		{"it passes the third time", run(bad, good), [][]gotest.Test{run(bad, good), run(good, good)}, nil, verdict.Inconclusive, "passes in one run with it, and fails in another"},
		{"another is broken", run(good, bad), [][]gotest.Test{run(good, bad)}, [][]gotest.Test{run(bad, good)}, verdict.Fail, "now TestIt/part fails"},
		{"another passes again", run(good, bad), [][]gotest.Test{run(good, bad), run(good, good)}, [][]gotest.Test{run(bad, good)}, verdict.Warn, "TestIt/it passes; failed once, and passed when run again: TestIt/part"},
		{"another fails without it, too", run(good, bad), [][]gotest.Test{run(good, bad)}, [][]gotest.Test{run(bad, bad)}, verdict.Warn, "TestIt/it passes; failed once"},
		{"it fails again", run(good, bad), [][]gotest.Test{run(bad, bad)}, nil, verdict.Inconclusive, "passes in one run with it, and fails in another"},
	} {
		played := func(all [][]gotest.Test) func() ([]gotest.Test, error) {
			done := 0
			return func() ([]gotest.Test, error) {
				done++
				return all[min(done, len(all))-1], nil
			}
		}
		check, err := SureOf(execute.New(subject.Subject{}, execute.Options{}), debugger.FailingTest{Name: "TestIt/it"}, run(bad, good), tt.now, played(tt.with), played(tt.without))
		if err != nil || check.Status != tt.status || !strings.Contains(check.Detail, tt.detail) {
			t.Errorf("%s: %s %q, %v", tt.name, check.Status, check.Detail, err)
		}
	}
}
