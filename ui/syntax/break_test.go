package syntax

import (
	"slices"
	"testing"
)

func TestRowsEndWhereWordsDo(t *testing.T) {
	for _, c := range []struct {
		line string
		room int
		want []string
	}{
		{"short", 20, []string{"short"}},
		{"x.Add(strings.ToLower(term), i)", 30, []string{"x.Add(strings.ToLower(term), ", "i)"}},
		{"return &Index{docs: docs, terms: make(map[string][]int)}", 52, []string{"return &Index{docs: docs, terms: make(", "map[string][]int)}"}},
		{"averyveryverylongname", 8, []string{"averyver", "yverylon", "gname"}},
		{"if s.redirects.previous.statement {", 20, []string{"if s.redirects.", "previous.statement {"}},
		{"    a.veryverylongname()", 18, []string{"    a.", "veryverylongname()"}},
		{"ab[cdefghijklmnop]", 8, []string{"ab", "[cdefghi", "jklmnop]"}},
		{"日本語の索引", 5, []string{"日本", "語の", "索引"}},
	} {
		var got []string
		spans := Lines(c.line)[0]
		for from := 0; from < Width(spans); {
			end := Break(c.line, from, c.room)
			if end <= from {
				t.Fatalf("%q: no progress at %d", c.line, from)
			}
			got = append(got, Text(Cut(spans, from, end-from)))
			from = end
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q in %d cells: %q, want %q", c.line, c.room, got, c.want)
		}
	}
}
