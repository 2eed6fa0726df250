package printable

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"a\x1b[31mb\x1b[0m":                         "ab",
		"a\x1b]0;title\ab":                          "ab",
		"a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\": "alink",
		"a\x1b]52;c;aGk=\nnext":                     "a\nnext", // an open sequence ends with its line
		"a\u009b31mb":                               "a31mb",
		"a\x9b31mb":                                 "a\ufffd31mb",
		"user\u202e\u2066gpj.exe":                   "usergpj.exe",
		"z\u200be\u200dr\ufeffo\u00ad\u2060":        "zero",
		"\U000e0041\U000e0100tag":                   "tag",
		"a\r\b\x7f\x00b\u2028c\u0085":               "abc",
		"one\ttwo\n✓ ⚠️ é 日本":                       "one\ttwo\n✓ ⚠️ é 日本",
	} {
		if got := Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Line(" a\n\tb\x1b[2J\r c "); got != "a b c" {
		t.Errorf("Line = %q", got)
	}
}

func TestScreenKeepsStylesOnly(t *testing.T) {
	in := "\x1b[1;38:2:1:2:3mbold\x1b[m\n\x1b[2J\x1b]52;c;x\a\u009b1m\u202e\ttab\r"
	if got, want := Screen(in), "\x1b[1;38:2:1:2:3mbold\x1b[m\n[2J]52;c;x1mtab"; got != want {
		t.Errorf("Screen = %q, want %q", got, want)
	}
}

func TestWriters(t *testing.T) {
	in := "a\u009bb\u202ec\U000e0041\nü\t\u007f"
	for size := 1; size < 8; size++ {
		var text, js strings.Builder
		write(t, NewWriter(&text).Write, in, size)
		if got := text.String(); got != "abc\nü\t" {
			t.Errorf("pieces of %d: %q", size, got)
		}
		encoded, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		write(t, NewJSONWriter(&js).Write, string(encoded), size)
		var back string
		if err := json.Unmarshal([]byte(js.String()), &back); err != nil || back != in {
			t.Errorf("pieces of %d: %q reads as %q, %v", size, js.String(), back, err)
		}
		if strings.ContainsFunc(js.String(), Hidden) {
			t.Errorf("JSON holds what is hidden: %q", js.String())
		}
	}
}

func write(t *testing.T, to func([]byte) (int, error), s string, size int) {
	t.Helper()
	for len(s) > 0 {
		n := min(size, len(s))
		if _, err := to([]byte(s[:n])); err != nil {
			t.Fatal(err)
		}
		s = s[n:]
	}
}

func FuzzText(f *testing.F) {
	f.Add("a\x1b[31mb\u202e\x9b")
	f.Fuzz(func(t *testing.T, s string) {
		for _, r := range Text(s) {
			if r != '\n' && r != '\t' && Hidden(r) {
				t.Fatalf("%q gave %q", s, r)
			}
		}
		if !utf8.ValidString(Text(s)) {
			t.Fatalf("%q is no valid UTF-8", Text(s))
		}
	})
}
