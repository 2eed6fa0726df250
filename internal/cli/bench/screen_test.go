package bench

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/bench/matrix"
	scores "github.com/pausetui/pausetui/bench/report"
	"github.com/pausetui/pausetui/internal/cli/clitest"
)

// Nothing of a single closed case comes out on the screen, and what has no result
// says why.
func TestWhatTheScreenShows(t *testing.T) {
	dir := clitest.StoredRun(t)
	s, err := scores.Summarize(dir)
	if err != nil {
		t.Fatal(err)
	}
	troubles, err := matrix.Troubles(dir)
	if err != nil {
		t.Fatal(err)
	}
	r := shownRun{s, dir, stillTroubled(dir, s.Plan, troubles)}
	m := r.Matrix("right", "")
	if m.Rows[0].Name != "ollama/good:7b minimal" || m.Rows[0].Figures[0].Words != "–" || strings.Contains(m.Rows[0].About, "pass@") ||
		len(m.Classes) != 2 || m.Classes[0].Figures[0].Good != -1 || m.Classes[1].Figures[0].Words != "50" {
		t.Errorf("%+v", m)
	}
	if m := r.Matrix("usable", "BUILTIN builtin class:nil"); len(m.Rows) != 1 || len(m.Classes) != 1 || m.Scores[0].Key != "usable" {
		t.Errorf("%+v", m)
	}
	cases := r.Cases(1, "")
	if len(cases.List) != 2 || cases.List[1].Figures[0].Words != "1/1" || cases.List[0].Figures[0].Words != "2/2" {
		t.Errorf("%+v", cases)
	}
	if list := r.Cases(1, "class:dead nil").List; len(list) != 0 {
		t.Errorf("%+v", list)
	}
	details, err := r.Details(t.Context(), 1, cases.List[1].Number)
	if err != nil || len(details) != 2 || !details[0].Good || !strings.Contains(details[1].Word, "the server went away") || len(details[0].Candidates[0].Edits) != 1 {
		t.Errorf("%+v %v", details, err)
	}
	for i, c := range s.Plan.Cases {
		if _, err := r.Details(t.Context(), 1, i); (err != nil) != c.Closed {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
}
