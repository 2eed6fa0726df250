package proof

import (
	"testing"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// What a person looks at is compared first, also while others are being proved.
func TestWhatIsComparedNext(t *testing.T) {
	var ranked []session.CandidateRecord
	for _, id := range []string{"c1", "c2", "c3", "c4", "c5"} {
		ranked = append(ranked, session.CandidateRecord{Candidate: patch.Candidate{ID: id}, Verdict: &verdict.Verdict{Verified: id != "c2"}})
	}
	done := map[string]bool{}
	for _, test := range []struct {
		why, wanted string
		proving     int
		done, want  string
	}{
		{"nothing while others are being proved", "", 1, "", ""},
		{"the one that is looked at, all the same", "c4", 1, "", "c4"},
		{"the best", "", 0, "", "c1"},
		{"the best ones only, and those that pass", "", 0, "c1", "c3"},
		{"the last of the best", "", 0, "c3", "c4"},
		{"no other ones by themselves", "", 0, "c4", ""},
		{"one that does not pass is not compared", "c2", 0, "", ""},
		{"another one that is looked at", "c5", 0, "", "c5"},
	} {
		done[test.done] = true
		c := &Case{compared: done, wanted: test.wanted, proving: test.proving}
		if got, _ := c.nextCompared(ranked); got.ID != test.want {
			t.Errorf("%s: %q, want %q", test.why, got.ID, test.want)
		}
	}
}
