package pane

import (
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/verify/verdict"
)

// TestFixesAreSortedWhenAllAreProved: not before, while the person reads, and with the
// selection on the same fix.
func TestFixesAreSortedWhenAllAreProved(t *testing.T) {
	keys, err := keymap.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	fails := &verdict.Verdict{Checks: []verdict.Check{{Name: verdict.Build, Status: verdict.Fail}}}
	good := &verdict.Verdict{Verified: true, Effect: verdict.Repairs, Checks: []verdict.Check{{Name: verdict.Rerun, Status: verdict.Pass}}}
	c := &Context{State: session.NewState(), Candidate: "c1", Keys: keys, Reading: true}
	c.State.Stops = []session.StopRecord{{Stop: debugger.Stop{Panic: &debugger.Panic{}}}}
	p := NewFixes()
	p.Resize(40, 20)
	sync := func(verdicts ...*verdict.Verdict) []string {
		var list []session.CandidateRecord
		for i, v := range verdicts {
			list = append(list, session.CandidateRecord{Candidate: patch.Candidate{ID: []string{"c1", "c2", "c3"}[i]}, Verdict: v})
		}
		c.State.Stops[0].Candidates = list
		c.State.Seq++
		p.Sync(c)
		return p.Order()
	}
	if got := sync(nil, nil, nil); !slices.Equal(got, []string{"c1", "c2", "c3"}) {
		t.Errorf("they begin as %v", got)
	}
	if got := sync(fails, good, nil); !slices.Equal(got, []string{"c1", "c2", "c3"}) || p.Best() != "c2" {
		t.Errorf("meanwhile they are %v, the best is %s", got, p.Best())
	}
	if got := sync(fails, good, good); got[2] != "c1" {
		t.Errorf("at the end they are %v", got)
	}
	if e, _ := p.Key(keymap.Open); e != (OpenCandidate{"c1"}) {
		t.Errorf("the cursor is on %v", e)
	}
	c.State.Stops = append(c.State.Stops, session.StopRecord{Stop: debugger.Stop{Panic: &debugger.Panic{}}})
	c.State.Seq++
	if p.Sync(c); len(p.Order()) != 0 || p.Best() != "" {
		t.Errorf("another stop without fixes has %v", p.Order())
	}
}

// TestTheSelectedFixBegins: where it is higher than the pane, its verdict and title
// are in view, not its end.
func TestTheSelectedFixBegins(t *testing.T) {
	keys, err := keymap.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &Context{State: session.NewState(), Candidate: "c1", Keys: keys}
	skips := &verdict.Verdict{Effect: verdict.Skips, Masking: true, How: "returns m, nil when " + strings.Repeat("len(m.items) == 0 || ", 5) + "m == nil"}
	for _, name := range []string{verdict.Scope, verdict.Parse, verdict.Build, verdict.Rerun} {
		skips.Checks = append(skips.Checks, verdict.Check{Name: name, Status: verdict.Pass})
	}
	c.State.Stops = []session.StopRecord{{Stop: debugger.Stop{Panic: &debugger.Panic{}},
		Candidates: []session.CandidateRecord{{Candidate: patch.Candidate{ID: "c1", Title: "check m.items first"}, Verdict: skips}}}}
	c.State.Seq = 1
	p := NewFixes()
	p.Resize(26, 6)
	p.Sync(c)
	p.follow()
	if p.total <= p.height || p.top != 0 {
		t.Errorf("of %d lines in %d the first shown is %d", p.total, p.height, p.top)
	}
}

// That a proposer had nothing for a crash is not said at another stop, unless there is
// more about that crash.
func TestNothingProposedIsSaidAtItsStop(t *testing.T) {
	keys, err := keymap.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &Context{State: session.NewState(), Keys: keys}
	c.State.Stops = []session.StopRecord{{Stop: debugger.Stop{Panic: &debugger.Panic{}}}, {Stop: debugger.Stop{Reason: debugger.ReasonBreakpoint}}}
	c.State.Requests = []session.Request{{Asked: session.Asked{Source: patch.Source{Provider: patch.BuiltinProvider}}, Answered: &session.Answered{}}}
	p := NewFixes()
	p.Resize(60, 20)
	for current, want := range map[int]bool{0: true, 1: false} {
		c.State.Current = current
		p.Sync(c)
		said := strings.Contains(strings.Join(p.View(false), "\n"), "none of its rules fits here")
		if said != want || p.Empty(c) == want {
			t.Errorf("at stop %d: said %v, empty %v", current, said, p.Empty(c))
		}
	}
}

// What a proposer has said in vain again and again is one line.
func TestARefusalIsSaidOnce(t *testing.T) {
	c := &Context{State: session.NewState()}
	c.State.Stops = []session.StopRecord{{Stop: debugger.Stop{Panic: &debugger.Panic{}}}}
	for _, why := range []string{"it is busy", "it is busy", "", "it is busy"} {
		c.State.Requests = append(c.State.Requests, session.Request{Asked: session.Asked{Source: patch.Source{Provider: "ollama", Model: "a:7b"}}, Answered: &session.Answered{Err: why}})
	}
	p := NewFixes()
	p.Resize(60, 20)
	p.Sync(c)
	got := strings.Join(p.requests(), "\n")
	if strings.Count(got, "it is busy") != 1 || strings.Count(got, "nothing to propose") != 1 {
		t.Errorf("%s", got)
	}
}

// Why there is no fix is said as far as there is room.
func TestARefusalIsSaidInFull(t *testing.T) {
	const why = "github.com/julienschmidt/httprouter.(*node).insertChild is in module github.com/julienschmidt/httprouter, outside of this repository, where nothing is changed"
	c := &Context{State: session.NewState()}
	c.State.Stops = []session.StopRecord{{Stop: debugger.Stop{Panic: &debugger.Panic{}}}}
	c.State.Requests = []session.Request{{Asked: session.Asked{Source: patch.Source{Provider: patch.BuiltinProvider}}, Answered: &session.Answered{Err: why}}}
	for height, whole := range map[int]bool{20: true, 3: false} {
		p := NewFixes()
		p.Resize(50, height)
		p.Sync(c)
		if got := strings.Join(strings.Fields(strings.Join(p.requests(), " ")), " "); strings.Contains(got, "nothing is changed") != whole {
			t.Errorf("in %d rows: %s", height, got)
		}
	}
}
