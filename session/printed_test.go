package session

import (
	"maps"
	"testing"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/verdict"
)

func TestPrintedIsWhereVerifiedCandidatesDiffer(t *testing.T) {
	one := func(id, printed string, verified bool) CandidateRecord {
		return CandidateRecord{Candidate: patch.Candidate{ID: id}, Verdict: &verdict.Verdict{Verified: verified, Printed: printed, Ending: &verdict.Ending{}}}
	}
	for _, tt := range []struct {
		name string
		all  []CandidateRecord
		want map[string]string
	}{
		{"alone", []CandidateRecord{one("c1", "a", true), one("c2", "b", false)}, nil},
		{"alike", []CandidateRecord{one("c1", "a\nb", true), one("c2", "a\nb", true)}, nil},
		{"differ", []CandidateRecord{one("c1", "a\nb\nc", true), one("c2", "a\nx", true), one("c3", "a\nb\nc", true)}, map[string]string{"c1": "b\nc", "c2": "x", "c3": "b\nc"}},
		{"more", []CandidateRecord{one("c1", "a", true), one("c2", "a\nb", true)}, map[string]string{"c1": "", "c2": "b"}},
		{"less", []CandidateRecord{one("c1", "a\nb", true), one("c2", "a", true)}, map[string]string{"c1": "b", "c2": ""}},
	} {
		if got := Printed(tt.all); !maps.Equal(got, tt.want) {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}
