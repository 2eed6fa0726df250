package printable

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestReadings(t *testing.T) {
	for in, want := range map[string][]string{
		"plain, é\t☃ \\d C:\\x\\y\nz":                {},
		"\x1b[36mpass=\x1b[0mword":                   {"pass=word"},
		`\x1b[36mpass\u200b=\\u001b[0m\\\\033[1mw\\`: {`pass=w\\`},
		`a\n\x1b]0;t\nb\ud83d\ude00\udb40\udc41c`:    {`a\n\nb\ud83d\ude00c`, `a\n0;t\nb\ud83d\ude00c`},
		"a\x1b]8;;http://x\x1b\\b\x1b]8;;\ac":        {"abc", "a8;;http://xb8;;c"},
		"a\x1b]0;open\nb\x00\u00ad\u202ec":           {"a\nbc", "a0;open\nbc"},
		"a\u009b0mb\x9b0mc":                          {"a0mb0mc", "abc"},
		`\u0070a\\x73\b\164`:                         {`\u0070a\\x73\164`, `\u0070a\\x7\164`},
		`a\x1b]8;;u\x1b\\\x1b[0mb`:                   {"ab", "a8;;ub"},
		`a\\x1b]0;t\\x1b\\\\\\x1b[0mb`:               {"ab", "a0;tb"},
		"a\x1b]0;t\x1b\\\\x1b[0mb":                   {"ab", "a0;tb"},
		`a\x1b]0;t\x1b\\admin\x1b\x1b[0mb`:           {"aadminb", "a0;tadminb"},
		`a\x1b]0;t\\\x1b\\adm\x1b]0;t\u009cin`:       {"aadmin", `a0;tadm0;tin`},
		"\b\nab\bc\xff":                              {"\nabc", "\nac"},
	} {
		got := []string{}
		for _, r := range Readings(in) {
			got = append(got, r.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q reads as %q, want %q", in, got, want)
		}
	}
}

func TestDecoded(t *testing.T) {
	for in, want := range map[string][2]string{
		"plain % &\\":      {"plain % &\\", "plain % &\\"},
		`\u0070a\\x73\164`: {"past", "past"},
		`a&#43;&#x2b;%2b\u002b\/&quot;&apos;&amp;b;`: {`a++++/"'&b;`, `a++++/"'&b;`},
		`\"a\\b\nc\'\\\"`:                            {`\"a\\b\nc\'\\\"`, "\"a\\b\nc'\""},
		`\u0026#43;%2526%26lt%3B`:                    {"+&<", "+&<"},
		`\ud83d\ude00%C3%A4\xc3\244&auml;\U0001F600`: {"😀äää😀", "😀äää😀"},
		`\u00g0 %5 %u002B &nosuch; &#;`:              {`\u00g0 %5 + &nosuch; &#;`, `\u00g0 %5 + &nosuch; &#;`},
	} {
		for i, quotes := range []bool{false, true} {
			if got, changed := Decoded(in, quotes); got.Text != want[i] || changed != (in != want[i]) {
				t.Errorf("%q reads as %q (%v), want %q", in, got.Text, changed, want[i])
			}
		}
	}
	r, _ := Decoded(`pass%26amp%3Bword=%C3%A4b`, true)
	if from, to := r.Origin(strings.Index(r.Text, "&"), strings.Index(r.Text, "b")); from != len("pass") || to != len(`pass%26amp%3Bword=%C3%A4`) {
		t.Errorf("%q: %d, %d", r.Text, from, to)
	}
}

// A text that is nothing but backslashes and a letter takes no longer than others.
func TestManyBackslashes(t *testing.T) {
	if r, _ := Decoded(strings.Repeat(`\`, 1<<20)+"u0070", false); r.Text != "p" {
		t.Errorf("%d bytes", len(r.Text))
	}
}

// FuzzReadings: what a person or an agent gets of a text, Text, is one of the readings, each part
// of a reading stands in its origin, and a text that is quoted, once or twice, reads as it does.
func FuzzReadings(f *testing.F) {
	for _, s := range []string{"a\x1b[31mb\u202e\x9b", "a\x1b]0;ü\x1b\\b\u009cü\x1bPq\u0085\x1b^é\x18z", "\\x1b[\\\\u200bm\b\\", "\x1b\x1b(\tB\x1b[ 1\x7fm", "a\x1b]8;;u\x1b\\\x1b[0mb"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if quotable(s) {
			quoted := func(s string) string { q := strconv.Quote(s); return q[1 : len(q)-1] }
			if got, want := Seen(quoted(s)), quoted(Seen(s)); got != want {
				t.Errorf("%q, quoted, is seen as %q, want %q", s, got, want)
			}
			if got, want := Seen(quoted(quoted(s))), quoted(quoted(Seen(s))); got != want {
				t.Errorf("%q, quoted twice, is seen as %q, want %q", s, got, want)
			}
		}
		if !utf8.ValidString(s) || strings.ContainsAny(s, "\\\ufffd") {
			return
		}
		list := Readings(s)
		if text := Text(s); text != s && !slices.ContainsFunc(list, func(r Reading) bool { return r.Text == text }) {
			t.Errorf("nothing reads %q as %q", s, text)
		}
		for _, r := range list {
			for i, c := range r.Text {
				from, to := r.Origin(i, i+utf8.RuneLen(c))
				if s[from:to] != string(c) {
					t.Errorf("%q in the reading %q of %q is %q", c, r.Text, s, s[from:to])
				}
			}
		}
	})
}

// quotable reports whether only what is hidden is written out in the text when it is quoted, and
// the backslashes that end a sequence.
func quotable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsAny(strings.ReplaceAll(s, "\x1b\\", ""), "\\\"\t\ufffd") &&
		!strings.ContainsFunc(s, func(r rune) bool { return !Hidden(r) && !strconv.IsPrint(r) })
}
