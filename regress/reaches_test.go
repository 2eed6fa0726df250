package regress

import (
	"strconv"
	"strings"
	"testing"
)

// A call that does not run the function where the bad value comes from passes
// with a guard at the symptom alone.
func TestTestsRunTheOrigin(t *testing.T) {
	p, _ := extract(t, "testdata/cases/nil-map.txtar")
	c := p.pause(t)
	names := func() string {
		m := makeAll(t.Context(), c, p.run())
		var list []string
		for _, made := range m.tests {
			list = append(list, made.Calls)
		}
		return strings.Join(list, "; ")
	}
	all := names()
	if !strings.HasPrefix(all, "(*Index).Add, as it was called in frame 3; (*Index).Add, as it was called in frame 3, with values made by NewIndex") {
		t.Fatalf("without an origin: %s", all)
	}
	at := c.Code.Fset.Position(c.Code.Packages[len(c.Code.Packages)-1].Types.Scope().Lookup("NewIndex").Pos())
	c.Diagnosis.Origin = c.Workspace.Rel(at.Filename) + ":" + strconv.Itoa(at.Line)
	if got := names(); got != strings.TrimPrefix(all, "(*Index).Add, as it was called in frame 3; ") {
		t.Errorf("with the constructor for an origin: %s", got)
	}
	f := c.Stop.Frames[c.Stop.Panic.Culprit]
	c.Diagnosis.Origin = c.Workspace.Rel(f.File) + ":" + strconv.Itoa(f.Line)
	if got := names(); got != all {
		t.Errorf("with the statement itself for an origin: %s", got)
	}
}
