package fix

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/verdict"
)

// Candidates whose runs print the same are named together.
func TestWhatRunsPrintIsSaidOnce(t *testing.T) {
	var out strings.Builder
	writePrinted(&out, []Candidate{{Rank: 1, prints: "box 1"}, {Rank: 2, prints: "box 0\nbox 2"}, {Rank: 3}, {Rank: 4, prints: "box 0\nbox 2"}})
	want := "\n1 prints:\n   box 1\n\n2, 4 print:\n   box 0\n   box 2\n"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

// A run with --apply that does not apply says which flag is missing.
func TestADeclineSaysWhichFlagAppliesIt(t *testing.T) {
	for effect, flag := range map[verdict.Effect]bool{verdict.Repairs: false, verdict.Declines: true} {
		got := outcomeText(Report{Outcome: Verified, Candidates: []Candidate{{Verified: true, Effect: effect}}})
		if strings.Contains(got, "--allow-declines") != flag {
			t.Errorf("%s: %q", effect, got)
		}
	}
}
