package session

import (
	"testing"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/verdict"
)

// A comparison that finds another error in place of a right one has the badge warn, also of a
// later proof; one that only finds some does not.
func TestOtherErrorsInTheBadge(t *testing.T) {
	proved := &Proved{Candidate: "c1", Verdict: verdict.Verdict{Verified: true, Effect: verdict.Declines}}
	for status, want := range map[verdict.Status]string{verdict.Warn: "⚠ verified · another error · declines", verdict.Pass: "✓ verified · declines"} {
		s := State{Stops: []StopRecord{{Candidates: []CandidateRecord{{Candidate: patch.Candidate{ID: "c1"}}}}}}
		compared := &Compared{Candidate: "c1", Behavior: verdict.Behavior{Status: status, Errors: 1, ErrorsBreak: status == verdict.Warn}}
		for _, body := range []Body{proved, compared, proved} {
			s = s.Apply(Event{Body: body})
		}
		r, _ := s.Candidate("c1")
		if r.Verdict.Badge() != want || r.Warns() != (status == verdict.Warn) {
			t.Errorf("%s: %s", status, r.Verdict.Badge())
		}
	}
	if proved.Verdict.OtherErrors {
		t.Error("the verdict of the log has changed")
	}
}
