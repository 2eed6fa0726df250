package session

import (
	"slices"
	"testing"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/proof"
)

// The origin comes before the place where it shows, however small a guard is;
// being proved comes before both.
func TestRankPutsTheOriginFirst(t *testing.T) {
	record := func(id string, confidence, lines int, verdict *proof.Verdict) CandidateRecord {
		after := ""
		for range lines {
			after += "x\n"
		}
		return CandidateRecord{Verdict: verdict, Candidate: patch.Candidate{ID: id, Confidence: confidence, Edits: []patch.Edit{{File: "a.go", After: after}}}}
	}
	mends := &proof.Verdict{Verified: true, Checks: []proof.Check{{Name: proof.Tests, Status: proof.Pass, Count: 9, Mended: 1}}}
	proved, failed := &proof.Verdict{Verified: true}, &proof.Verdict{}
	ranked := Rank([]CandidateRecord{
		record("copes", -10, 1, proved), record("mends a test", -5, 4, mends), record("unproved origin", 10, 1, failed), record("guard", 0, 3, proved),
		record("large origin", 10, 9, proved), record("origin", 10, 5, proved), record("masks", 10, 1, &proof.Verdict{Verified: true, Masking: true}),
	})
	var ids []string
	for _, c := range ranked {
		ids = append(ids, c.ID)
	}
	if want := []string{"mends a test", "origin", "large origin", "guard", "copes", "masks", "unproved origin"}; !slices.Equal(ids, want) {
		t.Errorf("ranked %q, want %q", ids, want)
	}
}
