package judge

import (
	"context"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// A stop that shows nothing waits for the proof, until the session goes on.
func TestAStopThatWaitsForTheProof(t *testing.T) {
	exit := debugger.Stop{Reason: debugger.ReasonExited, Exit: &debugger.Exit{}}
	passed := []verdict.Check{{Name: verdict.Scope, Status: verdict.Pass}, {Name: verdict.Parse, Status: verdict.Pass}, {Name: verdict.Build, Status: verdict.Pass},
		{Name: verdict.Rerun, Status: verdict.Pass, Ending: &verdict.Ending{}}}
	failed := append(passed[:3:3], verdict.Check{Name: verdict.Rerun, Status: verdict.Fail, Ending: &verdict.Ending{Exit: 2}})
	served := crashStop("x")
	served.Panic.Recovered = true
	for name, tt := range map[string]struct {
		stop   debugger.Stop
		checks []verdict.Check // nil: the session ends first
		want   session.Judgement
		says   string
	}{
		"it passes":             {exit, passed, session.Fixed, "no panic at a.go:4, exit 0"},
		"it fails":              {exit, failed, session.NotReached, "does not show whether the panic is gone: exit 0"},
		"the session goes on":   {exit, nil, session.NotReached, "does not show whether the panic is gone: exit 0"},
		"the same panic":        {served, passed, session.CameBack, "again at"},
		"another stop":          {crashStop("other"), failed, session.NotReached, "another stop came"},
		"another, goes on then": {crashStop("other"), nil, session.NotReached, "another stop came"},
	} {
		jd, _ := judgingAlone(t)
		jd.Runner = &target.Runner{}
		ctx, cancel := context.WithCancel(t.Context())
		late := &lateProof{begun: true, cancel: cancel}
		jd.Watch(&Watch{candidate: "c1", place: "a.go:4", unproved: true, crash: served, late: late})
		jd.Stopped(tt.stop)
		if tt.want != session.CameBack && jd.State().Judged != nil {
			t.Errorf("%s: judged at once: %+v", name, jd.State().Judged)
		}
		switch {
		case jd.Watched == nil:
		case tt.checks == nil:
			jd.Judge(session.NotReached, "the session ended first")
		default:
			jd.provedLate(late, tt.checks, nil)
		}
		if j := jd.State().Judged; j == nil || j.Judgement != tt.want || !strings.Contains(j.Evidence, tt.says) {
			t.Errorf("%s: judged %+v", name, j)
		}
		if ctx.Err() == nil {
			t.Errorf("%s: the proof goes on", name)
		}
	}
}
