package pane

import (
	"slices"
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
}
