package history

import (
	"slices"
	"testing"
)

func TestTheLargestPartOfASumIsFirst(t *testing.T) {
	values := map[string]int64{"p": 0, "i": 256, "m.n": -3, "size": 100}
	number := func(expr string) (int64, bool) { n, ok := values[expr]; return n, ok }
	for _, c := range []struct {
		sum         string
		parts, want []string
	}{
		{"p+i", []string{"p", "i"}, []string{"i", "p"}},
		{"(p - m.n) - 1", []string{"p", "m.n"}, []string{"m.n", "p"}},
		{"p*size", []string{"p", "size"}, []string{"p", "size"}},
		{"p+unknown", []string{"p", "unknown"}, []string{"p", "unknown"}},
		{"f(p)+i", []string{"p", "i"}, []string{"p", "i"}},
	} {
		p := picker{marker: &marker{plan: &Plan{query: Query{Number: number}}}}
		if got := p.mostFirst(c.sum, c.parts); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.sum, got, c.want)
		}
	}
	if got := (picker{marker: &marker{plan: &Plan{}}}).mostFirst("p+i", []string{"p", "i"}); got[0] != "p" {
		t.Errorf("without a program that is paused: %q", got)
	}
}
