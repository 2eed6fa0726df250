package fix

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/verdict"
)

// A race need not show in the runs that there were.
func TestWhatOneRunDoesNotShow(t *testing.T) {
	stops := []Stop{{Class: "nil-map-write", Function: "main.(*Index).Add", File: "main.go", Line: 3}, {Class: "index-out-of-range", Function: "main.last", File: "main.go", Line: 9}}
	for _, tt := range []struct {
		r    Report
		want string
		hint bool
	}{
		{Report{Outcome: Clean}, "clean: nothing stopped; --repeat N runs it up to N times, if it stops only in some runs: a race may not show in one", true},
		{Report{Outcome: Clean, Target: Target{Runs: 4}}, "clean: nothing stopped in 4 runs; --repeat N with a larger N", true},
		{Report{Outcome: Fixed, Stops: stops[:1], Applied: &Applied{ID: "c1"}, mayRace: true}, "fixed: the fix is applied and the same run went past the stop. --repeat N runs it N times", true},
		{Report{Outcome: Fixed, Stops: stops[:1], Applied: &Applied{ID: "c3"}, Candidates: []Candidate{{ID: "c1", Rank: 1}, {ID: "c3", Rank: 2}}}, "fixed: fix 2 is applied and the same run went past the stop", false},
		{Report{Outcome: Fixed, Stops: stops[:1], Applied: &Applied{ID: "c1"}, Candidates: []Candidate{{ID: "c1", Rank: 1, Effect: verdict.Declines, How: "returns an error when n == 0"}}}, "fixed: fix 1 is applied, and where the same run panicked it returns an error when n == 0", false},
		{Report{Outcome: Fixed, Stops: stops[:1], Applied: &Applied{ID: "c1"}, Candidates: []Candidate{{ID: "c1", Rank: 1, Confirm: true, Effect: verdict.Declines, How: "returns an error when n == 0"}}}, "applied, unconfirmed: fix 1 returns an error when n == 0 where the same run panicked, and nothing shows that this is right", false},
		{Report{Outcome: Masking, Candidates: []Candidate{{Rank: 1, Effect: verdict.Skips}, {Rank: 2, Effect: verdict.Declines, declines: true}}}, "not fixed: fix 2 declines: --apply --allow-declines writes it", false},
		{Report{Outcome: Fixed, Stops: stops, Applied: &Applied{ID: "c1"}}, "went past the stop. Next stop: index-out-of-range at main.go:9 in last; pausetui fix proposes fixes for it", false},
		{Report{Outcome: Unverified, mayRace: true}, "nothing could be verified", false},
	} {
		if got := outcomeText(tt.r); !strings.Contains(got, tt.want) {
			t.Errorf("%q, want %q", got, tt.want)
		}
		if got := hint(tt.r); (got != "") != tt.hint {
			t.Errorf("%s: hint %q", tt.want, got)
		}
	}
}
