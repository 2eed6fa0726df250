package glob

import "testing"

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"", "", true}, {"", "a", false}, {"*", "", true}, {"*", "a/b", true}, {"a*b", "ab", true}, {"a*b", "a/x/b", true},
		{"a*b", "abc", false}, {"qwen?-*", "qwen3-coder:30b", true}, {"?", "", false}, {"*a*b*", "xxaxxbxx", true}, {"*a*b*", "xxbxxaxx", false},
		{"patient*", "patient", true}, {"[a]", "a", false}, {"a**", "a", true},
	} {
		if got := Match(c.pattern, c.name); got != c.want {
			t.Errorf("Match(%q, %q) = %v", c.pattern, c.name, got)
		}
	}
}
