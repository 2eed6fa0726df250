package bench

import "testing"

// The split is by name alone, and stays as it is when cases join.
func TestOpen(t *testing.T) {
	for name, want := range map[string]bool{"nil-dereference-playlist": true, "nil-dereference-org-chart": false} {
		if c := (&Case{Name: name}); c.Open() != want {
			t.Errorf("%s: open is %v", name, c.Open())
		}
	}
}
