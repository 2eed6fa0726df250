package aside

import (
	"errors"
	"strings"
	"testing"
)

const source = `package main

func add(list []int, n int) []int {
	switch {
	case n < 0:
		list = nil
	default:
		list = append(list, n)
	}
	if n > 3 { list = nil }
	return list
}
`

func TestPlaces(t *testing.T) {
	for line, want := range map[int]string{3: "func add(list []int, n int) []int { if pausetuiHolds", 4: "	 if pausetuiHolds", 6: "pausetuiLook(func() any { return n }) }; list = nil", 8: "pausetuiLook(func() any { return n }) }; list = append", 11: "}; return list", 5: "", 12: "", 99: ""} {
		o, err := Mark(source, Look{File: "/m/main.go", Line: line, Cond: "n > 1 /* } */", Values: []string{"n // x"}, Times: 1})
		if want == "" {
			if !errors.Is(err, ErrNoStatement) {
				t.Errorf("line %d: %v", line, err)
			}
			continue
		}
		text := o["/m/main.go"]
		if err != nil || !strings.Contains(text, want) || !strings.Contains(text, "return n > 1 })") || strings.Count(text, "\n") != strings.Count(source, "\n") || o["/m/pausetui_marks.go"] == "" {
			t.Errorf("line %d: %v\n%s", line, err, text)
		}
	}
	for _, expr := range []string{"n }; panic(1); {", "n\nm", "`a\nb`", ""} {
		if _, err := Mark(source, Look{File: "/m/main.go", Line: 4, Values: []string{expr}}); err == nil {
			t.Errorf("%q is taken", expr)
		}
	}
}

// What a run writes may be anything.
func TestWhatARunWritesIsNotTrusted(t *testing.T) {
	l := Look{Values: []string{"x"}, Times: 3}
	deep := `[{"Value":"` + strings.Repeat("x", 10) + `","Children":` + strings.Repeat(`[{"Children":`, 1000) + "null" + strings.Repeat("}]", 1000) + "}]"
	for text, want := range map[string]int{`[{"Value":"1"}][{"Value":"2"}]`: 2, `[{"Value":"1"}][{"Val`: 1, `[]`: 0, `[{},{}]`: 0, "null": 0, "x": 0, deep: 1, strings.Repeat(`[{}]`, 100): 3} {
		rows, _ := Read(strings.NewReader(text), l)
		if len(rows) != want {
			t.Errorf("%.60q: %d rows", text, len(rows))
		}
	}
}
