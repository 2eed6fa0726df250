package judge

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

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
func judgingAlone(t *testing.T) (jd *Judging, calls *[]string) {
	t.Helper()
	calls = &[]string{}
	note := func(what string) func(string) { return func(id string) { *calls = append(*calls, what+" "+id) } }
	return &Judging{Loop: looptest.New(t, options.Session{}), Muting: &target.Muting{}, Judged: func(*session.Judged) {}, Helped: note("helped"), Failed: note("failed")}, calls
}

func TestJudgedByTheEnd(t *testing.T) {
	clean, failed := debugger.Exit{}, debugger.Exit{Code: 1}
	race := crashStop("x")
	race.Panic.Class = debugger.ConcurrentMap
	for name, tt := range map[string]struct {
		watch Watch
		exit  debugger.Exit
		line  target.LineSeen
		want  session.Judgement
		says  string
	}{
		"as proved":           {Watch{passes: true, place: "a.go:4", ending: &verdict.Ending{Exit: 1}}, failed, target.LineSeen{Awaited: true}, session.Fixed, "no panic at a.go:4, exit 1"},
		"otherwise":           {Watch{passes: true, ending: &verdict.Ending{Exit: 1}}, debugger.Exit{Code: 2}, target.LineSeen{Awaited: true}, session.NotReached, "does not show whether the panic is gone: exit 2"},
		"not proved, cleanly": {Watch{unproved: true, crash: crashStop("x")}, clean, target.LineSeen{Awaited: true}, session.Fixed, "exit 0; it was applied before its proof had ended"},
		"not proved, badly":   {Watch{unproved: true, crash: crashStop("x")}, failed, target.LineSeen{Awaited: true}, session.NotReached, "exit 1"},
		"not proved, a race":  {Watch{unproved: true, crash: race}, clean, target.LineSeen{Awaited: true}, session.NotReached, "exit 0"},
		"typed again":         {Watch{passes: true, typed: 3, ending: &verdict.Ending{}}, clean, target.LineSeen{Awaited: true, Come: true}, session.Fixed, "exit 0"},
		"typed past the line": {Watch{passes: true, typed: 3, place: "a.go:4", ending: &verdict.Ending{}}, clean, target.LineSeen{Awaited: true}, session.NotReached, "exit 0, and it has not come to a.go:4"},
		"ended later":         {Watch{passes: true, ending: &verdict.Ending{Alive: true}}, clean, target.LineSeen{Awaited: true, Come: true}, session.Fixed, "exit 0"},
		"ended without it":    {Watch{passes: true, ending: &verdict.Ending{Alive: true}}, clean, target.LineSeen{Awaited: true}, session.NotReached, "exit 0"},
		"a check failed":      {Watch{crash: crashStop("x")}, clean, target.LineSeen{Awaited: true}, session.NotReached, "exit 0"},
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
	jd.Watch(&Watch{candidate: "c1", crash: crashStop("x")})
	jd.judgeAlive("still running")
	jd.Stopped(crashStop("other"))
	if j := jd.State().Judged; j == nil || j.Judgement != session.Fixed {
		t.Fatalf("judged %+v", j)
	}
	for _, end := range []func(){jd.Lost, func() { jd.Judge(session.NotReached, "the session ended first") }} {
		if end(); jd.Watched == nil || jd.State().Judged.Judgement != session.Fixed {
			t.Fatalf("taken back: %+v", jd.State().Judged)
		}
	}
	jd.Stopped(crashStop("x"))
	if j := jd.State().Judged; j.Judgement != session.CameBack {
		t.Errorf("judged %+v", j)
	}
	if got := strings.Join(*calls, ", "); got != "helped c1, failed c1" {
		t.Errorf("called %s", got)
	}
	jd.Stopped(crashStop("x"))
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
		jd.Runner = &target.Runner{Loop: jd.Loop, Round: &target.Round{Line: target.LineSeen{Come: true}}}
		for range tt.typed {
			jd.Append(session.EngineActor, &session.Input{Text: "j"})
		}
		jd.Watch(&Watch{candidate: "c1", crash: crashStop("x"), passes: tt.passes, typed: 2, ending: &verdict.Ending{Alive: true}})
		if jd.Stopped(tt.stop); jd.State().Judged == nil || jd.State().Judged.Judgement != tt.want {
			t.Errorf("%s: %+v", name, jd.State().Judged)
		}
	}
}

// A restart that runs on is not judged before what was typed is typed again.
func TestJudgedOnceAllIsTypedAgain(t *testing.T) {
	for name, tt := range map[string]struct {
		again int // so many are typed again, of two
		line  target.LineSeen
		want  session.Judgement
	}{"all": {2, target.LineSeen{Come: true}, session.Fixed}, "not all": {1, target.LineSeen{Come: true}, session.NotReached},
		"all, and nothing came of it": {2, target.LineSeen{Awaited: true}, session.NotReached}, "all, and nobody knows": {2, target.LineSeen{}, session.NotReached}} {
		synctest.Test(t, func(t *testing.T) {
			jd, _ := judgingAlone(t)
			r := &target.Round{Running: true, Line: tt.line, Pending: make([]session.Input, tt.again)}
			jd.Runner = &target.Runner{Loop: jd.Loop, Round: r}
			jd.Watch(&Watch{candidate: "c1", crash: crashStop("x"), passes: true, typed: 2, ending: &verdict.Ending{Alive: true, Ran: time.Second}})
			jd.WatchAlive(r)
			for ; len(r.Pending) > 0; r.Pending = r.Pending[1:] {
				if looptest.RunPosted(jd.Loop); jd.State().Judged != nil {
					t.Fatalf("%s: judged too early: %+v", name, jd.State().Judged)
				}
				jd.Append(session.EngineActor, &session.Input{Text: "j"})
			}
			if looptest.RunPosted(jd.Loop); jd.State().Judged == nil || jd.State().Judged.Judgement != tt.want {
				t.Errorf("%s: %+v", name, jd.State().Judged)
			}
		})
	}
}
