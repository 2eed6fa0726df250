package engine

import (
	"context"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// recovering goes on after its panic, and ends well with the panic and without it.
const recovering = `
-- go.mod --
module example.org/recovering

go 1.26
-- main.go --
package main

import "fmt"

type order struct{ seen map[string]int }

func (o *order) check(word string) { o.seen[word]++ }

func try(o *order, word string) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println("recovered:", r)
		}
	}()
	o.check(word)
}

func main() {
	o := &order{}
	try(o, "a")
	try(o, "b")
	fmt.Println(len(o.seen))
}
`

// A fix of a panic that somebody recovers is judged by its proof, though it is approved
// before that has ended.
func TestAFixApprovedBeforeItsProof(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := module(t, recovering)
	p := play(t, options.Session{Target: options.Target{Dir: dir, Panics: debugger.PanicsAll}, Fixes: options.Fixes{MaxRounds: -1}})
	s := p.until("a fix is proposed", proposed(1))
	c := s.Stops[s.CaseIndex()].Candidates[0]
	p.engine.Do(intent.Approve{Candidate: c.ID, WithoutTest: true})
	s = p.until("it is judged", func(s session.State) bool { return s.Judged != nil })
	if j := s.Judged; j.Judgement != session.Fixed || !strings.Contains(j.Evidence, "no panic at main.go:7, exit 0") {
		t.Errorf("judged %+v", j)
	}
	if c, _ := s.Candidate(c.ID); c.Verdict != nil {
		t.Log("its proof had ended: nothing was tried")
	}
}

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
		jd.runner = &target.Runner{}
		ctx, cancel := context.WithCancel(t.Context())
		late := &lateProof{begun: true, cancel: cancel}
		jd.watch(&watch{candidate: "c1", place: "a.go:4", unproved: true, crash: served, late: late})
		jd.stopped(tt.stop)
		if tt.want != session.CameBack && jd.State().Judged != nil {
			t.Errorf("%s: judged at once: %+v", name, jd.State().Judged)
		}
		switch {
		case jd.watched == nil:
		case tt.checks == nil:
			jd.judge(session.NotReached, "the session ended first")
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
