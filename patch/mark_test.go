package patch

import (
	"strings"
	"testing"
)

// marked shows a line with its marks in brackets.
func marked(text string, spans []Span) string {
	var b strings.Builder
	at := 0
	for _, s := range spans {
		b.WriteString(text[at:s.Start] + "[" + text[s.Start:s.End] + "]")
		at = s.End
	}
	return b.String() + text[at:]
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ a, b, wantA, wantB string }{
		{"return &Index{docs: docs}", "return &Index{docs: docs, terms: make(map[string]int)}",
			"return &Index{docs: docs}", "return &Index{docs: docs[, terms: make(map[string]int)]}"},
		{"if i < len(xs) {", "if i <= len(xs) {", "if i < len(xs) {", "if i <[=] len(xs) {"},
		{"x.count++", "x.total++", "x.[count]++", "x.[total]++"},
		{"日本 = 語", "日本 = 誤", "日本 = [語]", "日本 = [誤]"},
		{"alpha", "beta", "alpha", "beta"}, // nothing in common: no marks
		{"", "x", "", "x"},
		{"bad \xff here", "bad \xfe here", "bad [\xff] here", "bad [\xfe] here"},
		{strings.Repeat("a", 3000), strings.Repeat("a", 2999), strings.Repeat("a", 3000), strings.Repeat("a", 2999)},
	} {
		inA, inB := words(c.a, c.b)
		if gotA, gotB := marked(c.a, inA), marked(c.b, inB); gotA != c.wantA || gotB != c.wantB {
			t.Errorf("%.80q → %.80q: %.80q, %.80q; want %.80q, %.80q", c.a, c.b, gotA, gotB, c.wantA, c.wantB)
		}
	}
}

func TestMarkPairsLinesInOrder(t *testing.T) {
	all := lines("a := one(x)\nb := two(x)\n", "a := one(y)\nb := two(y)\nc := three(y)\n")
	mark(all)
	var got []string
	for _, l := range all {
		got = append(got, string(l.Op)+marked(l.Text, l.Marks))
	}
	want := "-a := one([x])|-b := two([x])|+a := one([y])|+b := two([y])|+c := three(y)"
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}

// TestMarkIsBounded marks lines whose comparison would take hours.
func TestMarkIsBounded(t *testing.T) {
	line := func(seed int) string {
		var b strings.Builder
		for i := range 900 {
			b.WriteByte("abcdefgh"[(i*i+seed*i)%8])
			b.WriteByte(' ')
		}
		return b.String() + "\n"
	}
	var before, after strings.Builder
	for i := range 20000 {
		before.WriteString(line(i))
		after.WriteString(line(i + 3))
	}
	Hunks(Edit{Before: before.String(), After: after.String()})
}
