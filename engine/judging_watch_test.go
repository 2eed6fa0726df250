package engine

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/loop/looptest"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// crashStop is a panic at a statement.
func crashStop(fingerprint string) debugger.Stop {
	return debugger.Stop{Reason: debugger.ReasonPanic, Goroutine: 1, Goroutines: 1,
		Panic: &debugger.Panic{Class: debugger.NilDereference, Fingerprint: fingerprint, Culprit: -1}}
}

// judgingAlone judges without an engine around it; what it calls is noted.
func judgingAlone(t *testing.T) (jd *judging, calls *[]string) {
	t.Helper()
	calls = &[]string{}
	note := func(what string) func(string) { return func(id string) { *calls = append(*calls, what+" "+id) } }
	return &judging{Loop: looptest.New(t, options.Session{}), muting: &target.Muting{}, judged: func(*session.Judged) {}, helped: note("helped"), failed: note("failed")}, calls
}

func TestJudgedByTheEnd(t *testing.T) {
	clean, failed := debugger.Exit{}, debugger.Exit{Code: 1}
	race := crashStop("x")
	race.Panic.Class = debugger.ConcurrentMap
	for name, tt := range map[string]struct {
		watch watch
		exit  debugger.Exit
		line  target.LineSeen
		want  session.Judgement
		says  string
	}{
		"as proved":           {watch{passes: true, place: "a.go:4", ending: &verdict.Ending{Exit: 1}}, failed, target.LineSeen{Awaited: true}, session.Fixed, "no panic at a.go:4, exit 1"},
		"otherwise":           {watch{passes: true, ending: &verdict.Ending{Exit: 1}}, debugger.Exit{Code: 2}, target.LineSeen{Awaited: true}, session.NotReached, "does not show whether the panic is gone: exit 2"},
		"not proved, cleanly": {watch{unproved: true, crash: crashStop("x")}, clean, target.LineSeen{Awaited: true}, session.Fixed, "exit 0; it was applied before its proof had ended"},
		"not proved, badly":   {watch{unproved: true, crash: crashStop("x")}, failed, target.LineSeen{Awaited: true}, session.NotReached, "exit 1"},
		"not proved, a race":  {watch{unproved: true, crash: race}, clean, target.LineSeen{Awaited: true}, session.NotReached, "exit 0"},
		"typed again":         {watch{passes: true, typed: 3, ending: &verdict.Ending{}}, clean, target.LineSeen{Awaited: true, Come: true}, session.Fixed, "exit 0"},
		"typed past the line": {watch{passes: true, typed: 3, place: "a.go:4", ending: &verdict.Ending{}}, clean, target.LineSeen{Awaited: true}, session.NotReached, "exit 0, and it has not come to a.go:4"},
		"ended later":         {watch{passes: true, ending: &verdict.Ending{Alive: true}}, clean, target.LineSeen{Awaited: true, Come: true}, session.Fixed, "exit 0"},
		"ended without it":    {watch{passes: true, ending: &verdict.Ending{Alive: true}}, clean, target.LineSeen{Awaited: true}, session.NotReached, "exit 0"},
		"a check failed":      {watch{crash: crashStop("x")}, clean, target.LineSeen{Awaited: true}, session.NotReached, "exit 0"},
	} {
		if got, says := tt.watch.byEnd(tt.exit, tt.line); got != tt.want || !strings.Contains(says, tt.says) {
			t.Errorf("%s: %s, %q", name, got, says)
		}
	}
}

// A candidate that was judged fixed while its target runs on is judged again when
// the same crash comes back, and only then.
func TestTheCrashComesBackLater(t *testing.T) {
	jd, calls := judgingAlone(t)
	jd.watch(&watch{candidate: "c1", crash: crashStop("x")})
	jd.judgeAlive("still running")
	jd.stopped(crashStop("other"))
	if j := jd.State().Judged; j == nil || j.Judgement != session.Fixed {
		t.Fatalf("judged %+v", j)
	}
	for _, end := range []func(){jd.lost, func() { jd.judge(session.NotReached, "the session ended first") }} {
		if end(); jd.watched == nil || jd.State().Judged.Judgement != session.Fixed {
			t.Fatalf("taken back: %+v", jd.State().Judged)
		}
	}
	jd.stopped(crashStop("x"))
	if j := jd.State().Judged; j.Judgement != session.CameBack {
		t.Errorf("judged %+v", j)
	}
	if got := strings.Join(*calls, ", "); got != "helped c1, failed c1" {
		t.Errorf("called %s", got)
	}
	jd.stopped(crashStop("x"))
	if len(*calls) != 2 {
		t.Error("it is still watched")
	}
}

// A fix that is approved while its tests run is judged by its rerun, which has ended.
func TestTheProofAsFarAsItCame(t *testing.T) {
	check := func(name string, s verdict.Status) verdict.Check { return verdict.Check{Name: name, Status: s} }
	begun := []verdict.Check{check(verdict.Scope, verdict.Pass), check(verdict.Parse, verdict.Pass), check(verdict.Build, verdict.Pass)}
	rerun := verdict.Check{Name: verdict.Rerun, Status: verdict.Warn, Ending: &verdict.Ending{Exit: 1}}
	for name, tt := range map[string]struct {
		checks []verdict.Check
		passes bool
		exit   int
	}{
		"before its rerun":   {begun, false, 0},
		"after its rerun":    {append(begun[:3:3], rerun), true, 1},
		"vet has a finding":  {append(begun[:3:3], rerun, check(verdict.Vet, verdict.Fail)), false, 1},
		"its tests may fail": {append(begun[:3:3], rerun, check(verdict.Tests, verdict.Fail)), false, 1},
	} {
		passes, ending := proofOf(session.CandidateRecord{Checks: tt.checks})
		if passes != tt.passes || ending == nil != (tt.exit == 0) || ending != nil && ending.Exit != tt.exit {
			t.Errorf("%s: passes %v, ending %+v", name, passes, ending)
		}
	}
	resumed := verdict.Verdict{Checks: append(begun[:3:3], rerun)} // cut off with the session
	if passes, ending := proofOf(session.CandidateRecord{Verdict: &resumed, Checks: resumed.Checks}); !passes || ending.Exit != 1 {
		t.Errorf("resumed: passes %v, ending %+v", passes, ending)
	}
	proved := verdict.Verdict{Checks: append(begun[:3:3], rerun), Ending: &verdict.Ending{Exit: 2}}
	if passes, ending := proofOf(session.CandidateRecord{Verdict: &proved}); !passes || ending.Exit != 2 {
		t.Errorf("proved: passes %v, ending %+v", passes, ending)
	}
}

// A restart that has taken what led to the crash, and then more, has come past it: the
// proof did on the same input.
func TestJudgedByWhatWasTypedAfterwards(t *testing.T) {
	for name, tt := range map[string]struct {
		passes bool
		typed  int
		stop   debugger.Stop
		want   session.Judgement
	}{
		"another panic":          {true, 3, crashStop("other"), session.Fixed},
		"before anything is new": {true, 2, crashStop("other"), session.NotReached},
		"not proved":             {false, 3, crashStop("other"), session.NotReached},
		"the same panic":         {true, 3, crashStop("x"), session.CameBack},
		"the end":                {true, 3, debugger.Stop{Reason: debugger.ReasonExited, Exit: &debugger.Exit{Code: 4}}, session.Fixed},
	} {
		jd, _ := judgingAlone(t)
		jd.runner = &target.Runner{Loop: jd.Loop, Round: &target.Round{Line: target.LineSeen{Come: true}}}
		for range tt.typed {
			jd.Append(session.EngineActor, &session.Input{Text: "j"})
		}
		jd.watch(&watch{candidate: "c1", crash: crashStop("x"), passes: tt.passes, typed: 2, ending: &verdict.Ending{Alive: true}})
		if jd.stopped(tt.stop); jd.State().Judged == nil || jd.State().Judged.Judgement != tt.want {
			t.Errorf("%s: %+v", name, jd.State().Judged)
		}
	}
}
