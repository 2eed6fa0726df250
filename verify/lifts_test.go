package verify

import (
	"testing"

	"github.com/pausetui/pausetui/verify/verdict"
)

func TestWhatEvidenceLifts(t *testing.T) {
	for _, tt := range []struct {
		why         string
		kind        verdict.EvidenceKind
		effect      verdict.Effect
		unexplained bool
		want        bool
	}{
		{"a test speaks for the whole", verdict.ByTests, verdict.Skips, true, true},
		{"a test speaks for a refusal", verdict.ByTests, verdict.Declines, false, true},
		{"siblings do all of it", verdict.BySibling, verdict.Skips, false, true},
		{"siblings do some of it", verdict.BySibling, verdict.Skips, true, false},
		{"the balance says nothing of a guard next to it", verdict.Balanced, verdict.Skips, true, false},
		{"a refusal is one in siblings, too", verdict.BySibling, verdict.Declines, false, false},
		{"nothing lifts what hides", verdict.ByTests, verdict.Hides, false, false},
	} {
		a := &attempt{unexplained: tt.unexplained}
		a.note(tt.kind, "evidence")
		if _, got := a.lifts(tt.effect); got != tt.want {
			t.Errorf("%s: %t", tt.why, got)
		}
	}
}
