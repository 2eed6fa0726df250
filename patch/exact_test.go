package patch

import (
	"strings"
	"testing"
)

func TestReplacements(t *testing.T) {
	const text = "a\n\tb\nc\nb\n"
	for name, c := range map[string]struct {
		r        Replacement
		in, want string
	}{
		"once":      {Replacement{Old: "\tb\n", New: "\tx\n"}, text, "a\n\tx\nc\nb\n"},
		"twice":     {Replacement{Old: "b\n", New: "x\n"}, text, ""},
		"not there": {Replacement{Old: "  b\n", New: "x\n"}, text, ""},
		"empty":     {Replacement{New: "x\n"}, text, ""},
		"CRLF":      {Replacement{Old: "a\nb\n", New: "x\ny\n"}, "a\r\nb\r\nc\r\n", "x\r\ny\r\nc\r\n"},
	} {
		if got, err := c.r.In(c.in); (err == nil) != (c.want != "") || err == nil && got != c.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// What Unified writes is read again, also where a removed line begins as a header does.
func TestADiffIsReplacements(t *testing.T) {
	before := "one\n-- two\n\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n"
	after := "one\n-- zwei\n\nthree\nfour\nfive\nsix\nseven\neight\nnine\nzehn\n"
	list, err := FromDiff(Unified(Edit{File: "x.go", Before: before, After: after}) + Unified(Edit{File: "new.go", Create: true, After: "package x\n"}))
	if err != nil || len(list) != 3 || list[0].File != "x.go" || list[2] != (Replacement{"new.go", "", "package x\n"}) {
		t.Fatalf("%+v, %v", list, err)
	}
	got := before
	for _, r := range list[:2] {
		if got, err = r.In(got); err != nil {
			t.Fatal(err)
		}
	}
	if got != after {
		t.Errorf("%q", got)
	}
	for _, diff := range []string{"", "@@ -1 +1 @@\n-a\n+b\n", "--- a/x.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"} {
		if list, err := FromDiff(diff); err == nil {
			t.Errorf("%q: %+v", diff, list)
		}
	}
}

// TestWhatIsHiddenIsNotReplaced: neither what comes of a replacement nor what is said of it
// depends on what is hidden.
func TestWhatIsHiddenIsNotReplaced(t *testing.T) {
	for _, secret := range []string{"winter", "autumn"} {
		text := "pw: " + secret + "\nw: 1\nw: 2 winter\n"
		for old, want := range map[string]string{
			"pw: w": "is not in", "pw: a": "is not in", "winter\nw: 1": "is not in", "r": "", "e": "",
			"w: ": "3 times", "winter": "", "pw: ": "", "\nw: 1": "", "tu": "is not in",
		} {
			m := Masked{Text: text, Hidden: []Part{{4, 10}}}
			err := m.Replace(Replacement{File: "x", Old: old, New: "longer than it was"})
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%q with %s: %v", old, secret, err)
			}
			if got := m.Text[m.Hidden[0].From:m.Hidden[0].To]; got != secret {
				t.Errorf("%q: %q is where %s was", old, got, secret)
			}
		}
	}
}
