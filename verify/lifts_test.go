package verify

import (
	"testing"

	"github.com/pausetui/pausetui/proof"
)

func TestWhatEvidenceLifts(t *testing.T) {
	for _, tt := range []struct {
		why         string
		kind        proof.EvidenceKind
		effect      proof.Effect
		unexplained bool
		want        bool
	}{
		{"a test speaks for the whole", proof.ByTests, proof.Skips, true, true},
		{"a test speaks for a refusal", proof.ByTests, proof.Declines, false, true},
		{"siblings do all of it", proof.BySibling, proof.Skips, false, true},
		{"siblings do some of it", proof.BySibling, proof.Skips, true, false},
		{"the balance says nothing of a guard beside it", proof.Balanced, proof.Skips, true, false},
		{"a refusal is one in siblings, too", proof.BySibling, proof.Declines, false, false},
		{"nothing lifts what hides", proof.ByTests, proof.Hides, false, false},
	} {
		a := &attempt{unexplained: tt.unexplained}
		a.note(tt.kind, "evidence")
		if _, got := a.lifts(tt.effect); got != tt.want {
			t.Errorf("%s: %t", tt.why, got)
		}
	}
}
