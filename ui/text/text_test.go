package text

import (
	"strings"
	"testing"
	"time"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                    "plain",
		"a\tb":                     "a   b",
		"\x1b[31mred\x1b[0m":       "red",
		"\x1b]0;title\x07x":        "x",
		"bell\x07 nul\x00 del\x7f": "bell nul del",
		"\x9b31m":                  "\ufffd31m",
		"rtl\u202ecod\u2066e":      "rtlcode",
		"日本":                       "日本",
		"two\nlines\r\n":           "two\nlines\n",
		"\u009b31mc1":              "31mc1",
	} {
		if got := Clean(in); strings.ContainsAny(got, "\x1b\x07\x00\r\u202e\u009b") || (got != want && !strings.Contains(in, "\x9b") && !strings.Contains(in, "\u009b")) {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		in   string
		w    int
		want string
	}{{"abc", 5, "abc  "}, {"abcdef", 4, "abc…"}, {"日本語", 4, "日… "}, {"x", 0, ""}, {"\x1b[1mabcdef\x1b[m", 4, "\x1b[1mabc…\x1b[m"}} {
		if got := Fit(c.in, c.w); got != c.want || Width(got) != c.w {
			t.Errorf("Fit(%q, %d) = %q of width %d, want %q", c.in, c.w, got, Width(got), c.want)
		}
	}
}

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		Count(912331):                                   "912,331",
		Count(-1000):                                    "-1,000",
		Plural(1, "line"):                               "1 line",
		Plural(2, "line"):                               "2 lines",
		Duration(340 * time.Millisecond):                "340 ms",
		Duration(1250 * time.Millisecond):               "1.2 s",
		Duration(185 * time.Second):                     "3 m 05 s",
		Function("main.(*Index).Add"):                   "(*Index).Add",
		Function("x.org/tea/v2.(*P[go.shape.int]).Run"): "tea.(*P[...]).Run",
		Function("example.com/a/b.Load"):                "b.Load",
		Function("a.F[example.com/x.T]"):                "a.F[example.com/x.T]",
		Function("a.(*List[go.shape.struct { example.com/x.k string }]).Add"): "a.(*List[...]).Add",
		Function("a.F[map[string][]example.com/x/y.Thing].func1"):             "a.F[...].func1",
		Path("internal/long/name.go", 12):                                     "…/name.go",
		Path("verylongname.go", 8):                                            "…name.go",
		Place("/a/b\nin\x1b[2Jdex\r.go", 7):                                   "b⏎index.go:7",
		Place("/a/b/index.go", 42):                                            "index.go:42",
		strings.Join(Wrap("a bc def", 4, 2), "|"):                             "a bc|def",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestWrapBreaksBetweenWords(t *testing.T) {
	for _, c := range []struct {
		s    string
		w    int
		want string
	}{
		{"stopped at a nil-dereference", 20, "stopped at a|nil-dereference"},
		{"see internal/supervise/supervise.go:42 there", 26, "see|internal/supervise/|supervise.go:42 there"},
		{"set x.terms[term] first", 12, "set|x.terms[|term] first"},
		{"  indented words go on", 12, "  indented|words go on"},
		{"a  b   ", 10, "a  b"},
		{"one\n\ntwo", 10, "one||two"},
		{"averyveryverylongname", 8, "averyver|yverylon|gname"},
		{"日本語の索引", 5, "日本|語の|索引"},
		{"", 5, ""},
		{"               x", 10, "x"},
	} {
		got := Wrap(c.s, c.w, 0)
		if strings.Join(got, "|") != c.want {
			t.Errorf("%q in %d cells: %q, want %q", c.s, c.w, strings.Join(got, "|"), c.want)
		}
	}
}

func TestAPlaceIsCutInItsMiddle(t *testing.T) {
	for w, want := range map[int]string{14: "pipeline.go:29", 13: "pip…ine.go:29", 10: "pi…e.go:29", 9: "p…e.go:29", 8: ":29", 3: ":29"} {
		if got := CutPlace("pipeline.go:29", w); got != want {
			t.Errorf("in %d cells: %q, want %q", w, got, want)
		}
	}
}
