package text

import "testing"

func TestNames(t *testing.T) {
	known := func(word string) bool { return word == "seen" || word == "New" }
	mark := func(s string) string { return "<" + s + ">" }
	for line, want := range map[string]string{
		"x.terms is nil because New (index.go:18) never sets terms": "<x.terms> is nil because <New> (index.go:18) never sets terms",
		"seen is nil; seen is declared here.":                       "<seen> is nil; <seen> is declared here.",
		"len(m.choices) is 2, one past the last index":              "<len(m.choices)> is 2, one past the last index",
		"list[i+1] is read; maxRows was 1.5 at main.go:7":           "<list[i+1]> is read; <maxRows> was 1.5 at main.go:7",
		"Every Index built in New":                                  "Every Index built in <New>",
		"it starts (with no name), and ends. Then":                  "it starts (with no name), and ends. Then",
	} {
		if got := Names(line, known, mark); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
