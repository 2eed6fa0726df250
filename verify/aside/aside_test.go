package aside

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/instrument"
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
	for line, want := range map[int]string{3: "func add(list []int, n int) []int { if pausetuiHolds", 4: "	 if pausetuiHolds", 6: "pausetuiLook([]func() any{}, func() any { return n }) }; list = nil", 8: "pausetuiLook([]func() any{}, func() any { return n }) }; list = append", 11: "}; return list", 5: "", 12: "", 99: ""} {
		o, err := Mark(source, Look{File: "/m/main.go", Line: line, Cond: "n > 1 /* } */", Values: []string{"n // x"}, Times: 1})
		if want == "" {
			if !errors.Is(err, ErrNoStatement) {
				t.Errorf("line %d: %v", line, err)
			}
			continue
		}
		text := o["/m/main.go"]
		if err != nil || !strings.Contains(text, want) || !strings.Contains(text, "return n > 1 })") || strings.Count(text, "\n") != strings.Count(source, "\n") || o["/m/"+instrument.First] == "" {
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
	deep := `{"Values":[{"Value":"` + strings.Repeat("x", 10) + `","Children":` + strings.Repeat(`[{"Children":`, 1000) + "null" + strings.Repeat("}]", 1000) + "}]}"
	for text, want := range map[string]int{`{"Values":[{"Value":"1"}]}{"Values":[{"Value":"2"}]}`: 2, `{"Values":[{"Value":"1"}]}{"Values":[{"Val`: 1, `{}`: 0, `[{}]`: 0, `{"Values":[{},{}]}`: 0, `{"Values":[{}],"Parts":[{}]}`: 0,
		`{"Decided":[{}]}`: 0, `{"Many":true}{"Values":[{}]}`: 0, "null": 0, "x": 0, deep: 1, strings.Repeat(`{"Values":[{}]}`, 100): 3} {
		got, _ := ReadFrom(strings.NewReader(text), l)
		if len(got.Rows) != want {
			t.Errorf("%.60q: %d rows", text, len(got.Rows))
		}
	}
	if got, _ := ReadFrom(strings.NewReader(strings.Repeat(" ", maxRead)+`{"Values":[{}]}`), l); !got.Many {
		t.Error("what was not read to its end is taken for all")
	}
}

// What expressions are made of is known from the types of their place: constants are not read,
// but for texts.
func TestParts(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "/m/main.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("main", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for expr, want := range map[string]string{"list[n]": "list n", "int64(list[n+1]) == 2": "int64(list[n+1]) list[n+1] list n+1 n", "n": "", `"a"+"b"`: `"a" "b"`, "len(list[1:n])": "list[1:n] list n", "(list)[0]": "(list) list", "nowhere": "?", "add": ""} {
		l := Look{File: "/m/main.go", Line: 11, Values: []string{expr}, Cond: expr}
		err := l.Parts(source, Types{fset, pkg, file})
		got := strings.Join(l.parts, " ")
		if errors.Is(err, ErrParts) {
			got = "?"
		}
		if got != want || !slices.Equal(l.parts, l.condParts) {
			t.Errorf("%s: %q, %q, %v", expr, got, l.condParts, err)
		}
	}
	l := Look{File: "/m/main.go", Line: 11, Values: []string{"n" + strings.Repeat("+n", 100)}}
	if err := l.Parts(source, Types{fset, pkg, file}); !errors.Is(err, ErrParts) {
		t.Errorf("many parts: %v", err)
	}
}
