package syntax

import "testing"

func TestCodeInSentencesIsShort(t *testing.T) {
	for code, want := range map[string]string{
		"a.b":                 "a.b",
		"T{a: 1}":             "T{a: 1}",
		"v.(interface{})":     "v.(interface{})",
		`T{a: "}", b: "{{{"}`: `T{a: "}", b: "{{{"}`,
		"f(T{name: \"a name that is long\", n: 1}).x":                                           "f(T{…}).x",
		"sort.Slice(xs, func(i, j int) bool { return xs[i].name < xs[j].name && xs[i].n > 0 })": "sort.Slice(xs, func(i, j int) bool {…})",
		"path.Join(strings.ToLower(one.two.three), strings.ToUpper(four.five.six)).value":       "path.Join(…).value",
		"T{a: {b: 1, c: 2, d: 3, e: 4, f: 5}":                                                   "T{a: {b: 1, c: 2, d: 3, e: 4, f: 5}",
	} {
		if got := Brief(code); got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
}

func TestATextMentionsWholeWords(t *testing.T) {
	for _, c := range []struct {
		text, name string
		want       bool
	}{
		{"main waits for done", "done", true},
		{"main waits for done", "do", false},
		{"undone, then done", "done", true},
		{"main waits in a select", "", false},
	} {
		if got := Mentions(c.text, c.name); got != c.want {
			t.Errorf("%q, %q: %v", c.text, c.name, got)
		}
	}
}
