package engine

import (
	"testing"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

func TestWhenTheRecordOfTheProposerCounts(t *testing.T) {
	alone, agreed := session.CandidateRecord{}, session.CandidateRecord{Also: []patch.Source{{Provider: "ollama"}}}
	tested := verdict.Verdict{Verified: true, Evidence: []verdict.Evidence{{Kind: verdict.ByTests}}}
	origin := verdict.Verdict{Verified: true, Evidence: []verdict.Evidence{{Kind: verdict.AtOrigin}}}
	for _, c := range []struct {
		name   string
		record session.CandidateRecord
		v      verdict.Verdict
		want   bool
	}{
		{"verified by its run", alone, verdict.Verdict{Verified: true}, true},
		{"with evidence that is no test", alone, origin, true},
		{"a failing test passes", alone, tested, false},
		{"a second proposer agrees", agreed, verdict.Verdict{Verified: true}, false},
		{"not verified", alone, verdict.Verdict{}, false},
	} {
		if got := recordCounts(c.record, c.v); got != c.want {
			t.Errorf("%s: recordCounts = %t, want %t", c.name, got, c.want)
		}
	}
}
