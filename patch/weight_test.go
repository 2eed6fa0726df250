package patch

import "testing"

func TestWeightIgnoresAlignment(t *testing.T) {
	e := Edit{Before: "x{\n\ta: 1,\n\tb: 2,\n}\n", After: "x{\n\ta:    1,\n\tb:    2,\n\tlong: 3,\n}\n"}
	if got := Weight(e); got != 1 {
		t.Errorf("weight = %d, want 1: one line is new, the others are only aligned", got)
	}
	if added, removed := Count(e); added != 3 || removed != 2 {
		t.Errorf("count = +%d −%d, want +3 −2", added, removed)
	}
}
