package verdict

import (
	"slices"
	"testing"
)

func TestBadgeAndLabel(t *testing.T) {
	passed := []Check{{Name: Scope, Status: Pass}, {Name: Parse, Status: Pass}, {Name: Build, Status: Pass}, {Name: Rerun, Status: Pass}}
	unfinished := append(passed[:4:4], Check{Name: Vet, Status: Pass}, Check{Name: Tests, Status: Inconclusive})
	failed := []Check{{Name: Build, Status: Fail}}
	for _, c := range []struct {
		v                   Verdict
		badge, short, label string
	}{
		{Verdict{Checks: failed}, "✗ failed", "✗ failed", "✗ failed"},
		{Verdict{Checks: []Check{{Name: Build, Status: Pass}, {Name: Rerun, Status: Inconclusive}}}, "? unproved", "? unproved", "? unproved"},
		{Verdict{}, "? unproved", "? unproved", "? unproved"},
		{Verdict{Checks: unfinished, Verified: true, Effect: Repairs}, "✓ verified · repairs · tests unfinished", "✓ repairs", "✓ verified · repairs · tests unfinished"},
		{Verdict{Checks: passed, Verified: true, Effect: Repairs}, "✓ verified · repairs", "✓ repairs", "✓ verified · repairs"},
		{Verdict{Checks: passed, Verified: true, Effect: Repairs, Caution: "of 3, 1 was right"},
			"⚠ verified · repairs · often wrong", "⚠ repairs", "⚠ verified · repairs · often wrong: of 3, 1 was right"},
		{Verdict{Checks: passed, Verified: true, Effect: Declines, How: "returns an error when n < 0"},
			"✓ verified · declines", "✓ declines", "✓ verified · declines: returns an error when n < 0"},
		{Verdict{Checks: passed, Verified: true, Effect: Declines, How: "returns an error when n < 0", OtherErrors: true},
			"⚠ verified · another error · declines", "⚠ declines", "⚠ verified · another error · declines: returns an error when n < 0"},
		{Verdict{Checks: passed, Effect: Declines, How: "exits when n < 0"}, "✓ no panic · declines", "✓ declines", "✓ no panic · declines: exits when n < 0"},
		{Verdict{Checks: passed, Effect: Skips, Masking: true, How: "returns nil when x == nil"}, "✓ no panic · skips · confirm", "✓ skips?", "✓ no panic · returns nil when x == nil · confirm"},
		{Verdict{Checks: passed, Effect: Skips, Masking: true, Confirmed: true, How: "returns nil"}, "✓ no panic · skips · confirmed", "✓ skips", "✓ no panic · skips · confirmed: returns nil"},
		{Verdict{Checks: passed, Effect: Skips, Verified: true, Support: "b does the same", How: "returns nil"}, "✓ verified · skips", "✓ skips", "✓ verified · skips: returns nil"},
		{Verdict{Checks: append(slices.Clone(passed), Check{Name: Masking, Status: Inconclusive}), Effect: Skips, How: "returns nil"},
			"? no panic · effect not seen", "? no panic · effect not seen", "? no panic · effect not seen"},
		{Verdict{Checks: passed, Effect: Hides, Masking: true, How: "recovers the panic"}, "⚠ hides", "⚠ hides", "⚠ hides: recovers the panic"},
	} {
		if got := c.v.Badge(); got != c.badge {
			t.Errorf("Badge() = %q, want %q", got, c.badge)
		}
		if got := c.v.Short(); got != c.short {
			t.Errorf("Short() = %q, want %q", got, c.short)
		}
		if got := c.v.Label(); got != c.label {
			t.Errorf("Label() = %q, want %q", got, c.label)
		}
	}
}
