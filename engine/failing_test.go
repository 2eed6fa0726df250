package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// totals has a test that fails in one case, and another that always does.
const totals = `
-- go.mod --
module example.org/totals

go 1.26
-- totals.go --
// Package totals adds up.
package totals

// Sum adds the amounts up.
func Sum(amounts []int) int {
	total := 0
	for i := 1; i < len(amounts); i++ {
		total += amounts[i]
	}
	return total
}
-- totals_test.go --
package totals

import "testing"

func TestOther(t *testing.T) { t.Error("nobody knows why") }

func TestSum(t *testing.T) {
	for name, tt := range map[string]struct {
		amounts []int
		want    int
	}{"two": {[]int{3, 4}, 7}} {
		t.Run(name, func(t *testing.T) {
			if got := Sum(tt.amounts); got != tt.want {
				t.Errorf("Sum is %d, want %d", got, tt.want)
			}
		})
	}
}

func TestAfter(t *testing.T) { t.Error("nobody knows why either") }
`

func sumOf(body string) string {
	return "It is fixed.\n\n```go\nfunc Sum(amounts []int) int {\n\t" + body + "\n}\n```\n"
}

// atTest reports whether the target is held where a test fails.
func atTest(name string) func(session.State) bool {
	return func(s session.State) bool {
		stop, ok := s.CurrentStop()
		return ok && s.Phase == session.PhaseStopped && stop.Stop.Test != nil && stop.Stop.Test.Name == name
	}
}

// goOn lets the target go on from a test that is of no concern.
func (p *player) goOn(name string) {
	p.t.Helper()
	p.until("it stops at "+name, atTest(name))
	p.engine.Do(intent.Run{Motion: debugger.Continue})
}

func TestACandidateForAFailingTestIsJudgedByThatTest(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	opts, model := askingOptions(module(t, totals), -1, sumOf("total := 0\n\tfor _, a := range amounts {\n\t\ttotal += a\n\t}\n\treturn total"))
	opts.Target.Test = true
	p := play(t, opts)
	p.goOn("TestOther")
	s := p.until("it stops at the case", atTest("TestSum/two"))
	stop, _ := s.CurrentStop()
	if stop.Stop.Panic.Class != debugger.TestFailure || stop.Stop.Panic.Message != "Sum is 3, want 7" && stop.Stop.Panic.Message != "Sum is 4, want 7" {
		t.Errorf("stopped at %+v", stop.Stop.Panic)
	}
	test := stop.Stop.Test
	if len(test.Case) != 1 || test.Case[0].Name != "tt" || len(test.Compared) < 2 || test.Compared[0].Name != "got" || test.Compared[1].Value != "7" {
		t.Errorf("case %+v, compared %+v", test.Case, test.Compared)
	}
	s = p.until("the fix is proved", settled(1))
	c := ofModel(s)[0]
	if rerun, _ := verdict.Find(c.Checks, verdict.Rerun); !c.Verified() || rerun.Detail != "TestSum/two passes" {
		t.Errorf("proved: %+v", c.Checks)
	}
	asked := model.prompts()
	for _, want := range []string{"the test TestSum/two fails", "func Sum(amounts []int) int {", "amounts: "} {
		if !strings.Contains(asked[len(asked)-1], want) {
			t.Errorf("the prompt does not say %q:\n%s", want, asked[len(asked)-1])
		}
	}
	p.engine.Do(intent.Approve{Candidate: c.ID})
	p.goOn("TestOther")
	s = p.until("it is judged", func(s session.State) bool { return s.Judged != nil })
	if s.Judged.Judgement != session.Fixed || s.Judged.Evidence != "TestSum/two passed" {
		t.Errorf("judged %+v", s.Judged)
	}
	p.until("the next test fails", atTest("TestAfter"))
	if text, err := os.ReadFile(filepath.Join(opts.Target.Dir, "totals_test.go")); err != nil || !strings.Contains(totals, string(text)) {
		t.Errorf("the tests were changed: %v\n%s", err, text)
	}
}

func TestAFailingTestThatFailsAgainCameBack(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	opts, _ := askingOptions(module(t, totals), -1, sumOf("return len(amounts)"))
	opts.Target.Test, opts.Target.Args = true, []string{"-test.run=TestSum"}
	p := play(t, opts)
	s := p.until("the fix is proved", settled(1))
	c := ofModel(s)[0]
	if rerun, _ := verdict.Find(c.Checks, verdict.Rerun); c.Verified() || rerun.Status != verdict.Fail || !strings.Contains(rerun.Detail, "TestSum/two still fails") {
		t.Errorf("proved: %+v", c.Checks)
	}
	p.engine.Do(intent.Mute{}) // which must not make it look fixed
	p.engine.Do(intent.Approve{Candidate: c.ID})
	s = p.until("it is judged", func(s session.State) bool { return s.Judged != nil })
	if s.Judged.Judgement != session.CameBack || s.Judged.Evidence != "TestSum/two fails again at totals_test.go:14" {
		t.Errorf("judged %+v", s.Judged)
	}
}

// A step from a failure is one of the test's code, not of package testing's.
func TestStepsFromAFailure(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]struct {
		stops    int
		function string
		line     int // 0: any
	}{
		"next":    {1, "example.org/totals.TestSum.func1", 16},
		"next 2":  {2, "testing.tRunner", 0}, // the second in the frame that the first has come to
		"stepout": {1, "testing.tRunner", 0},
	} {
		t.Run(line, func(t *testing.T) {
			p := play(t, options.Session{Target: options.Target{Dir: module(t, totals), Test: true, Args: []string{"-test.run=TestSum"}}})
			s := p.until("it stops at the case", atTest("TestSum/two"))
			stop, _ := s.CurrentStop()
			stops := len(s.Stops) + want.stops
			p.engine.Do(intent.Evaluate{At: debugger.FrameRef{Goroutine: stop.Stop.Goroutine, Frame: max(stop.Stop.Selected, 0)}, Input: line})
			s = p.until("it has stepped", func(s session.State) bool { return len(s.Stops) == stops && s.Phase == session.PhaseStopped })
			stop, _ = s.CurrentStop()
			f, ok := stop.Stop.SelectedFrame()
			if !ok || f.Index != 0 || f.Function != want.function || want.line != 0 && f.Line != want.line || stop.Stop.Reason != debugger.ReasonStep {
				t.Errorf("leads to %+v (%s)", f, stop.Stop.Reason)
			}
		})
	}
}

func TestFailuresDoNotStopWhereTheyShallNot(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*options.Session){
		"no failures": func(o *options.Session) { o.Target.NoFailures = true },
		"fatal":       func(o *options.Session) { o.Target.Panics = debugger.PanicsFatal },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts := options.Session{Target: options.Target{Dir: module(t, totals), Test: true}}
			change(&opts)
			s := play(t, opts).until("the tests have ended", func(s session.State) bool { return s.Phase == session.PhaseExited })
			if stop, _ := s.CurrentStop(); len(s.Stops) != 1 || stop.Stop.Exit.Code != 1 {
				t.Errorf("stops %+v", s.Stops)
			}
		})
	}
}
