package review_test

import (
	"testing"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/review"
	"github.com/pausetui/pausetui/verify/syntax"
)

// An answer that a guard makes up is given in other calls, too.
func TestShared(t *testing.T) {
	const text = "package p\n\nfunc Compare(a, b any) int {\n\tGUARDreturn a.(int) - b.(int)\n}\n\nfunc least(a, b int) int { return Compare(a, b) }\n\n"
	calls := func(file string, line int) []review.Call {
		return []review.Call{{File: file, Line: line, Called: "Compare"}}
	}
	const once, value = "package q\n\nimport \"m/p\"\n\nfunc f() { p.Compare(1, 2) }\n", "package q\n\nimport \"m/p\"\n\nvar by = p.Compare\n"
	for _, tt := range []struct {
		name, answer, more, other string
		calls                     []review.Call
		want                      string
	}{
		{"called once", "return 0", "", "", calls("p.go", 7), ""},
		{"called twice", "return 0", "func most(a, b int) int { return -Compare(a, b) }\n", "", calls("p.go", 7), "p.go:9"},
		{"a value", "return 0", "var by = Compare\n", "", calls("heap.go", 3), "p.go:7"},
		{"called in another package", "return 0", "", once, calls("p.go", 7), "q.go:5"},
		{"a value in another package", "return 0", "", value, calls("p.go", 7), "q.go:5"},
		{"by another name of the import", "return 0", "", "package q\n\nimport by \"m/p\"\n\nvar f = by.Compare\n", calls("p.go", 7), "q.go:5"},
		{"a namesake in a third package", "return 0", "", "package q\n\nimport (\n\t\"m/p\"\n\t\"strings\"\n)\n\nvar n, _ = strings.Compare(\"\", \"\"), p.T{}\n", calls("p.go", 7), ""},
		{"a namesake of a variable", "return 0", "", "package q\n\nimport \"m/p\"\n\nfunc f(t p.T) { p := t; p.Compare() }\n", calls("p.go", 7), ""},
		{"not on the stack", "return 0", "", "", nil, ""},
		{"a test gets the answer", "return 0", "var by = Compare\n", value, calls("p_test.go", 7), ""},
		{"an answer that is computed", "return len(name)", "var by = Compare\n", value, calls("p.go", 7), ""},
	} {
		before := edited(t, text+tt.more, "GUARD", "")
		after := edited(t, text+tt.more, "GUARD", "if b == nil {\n\t\t"+tt.answer+"\n\t}\n\t")
		r := effect.Compare([]effect.Change{{Change: syntax.Change{File: "p.go", Before: before, After: after}}})
		if len(r.Points) != 1 {
			t.Fatalf("%s: points %+v", tt.name, r.Points)
		}
		if got := review.Shared(map[string]string{"p.go": before}, []map[string]string{{"q.go": tt.other}}, "m/p", r.Points[0], tt.calls); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A method is used only where types show that it is that one.
func TestSharedMethod(t *testing.T) {
	const text = "package p\n\ntype Box[T any] struct{ next *Box[T]; n int }\n\nfunc (b *Box[T]) Len() int {\n\tGUARDreturn b.next.n\n}\n\nfunc New() *Box[int] { return &Box[int]{} }\n"
	before, after := edited(t, text, "GUARD", ""), edited(t, text, "GUARD", "if b.next == nil {\n\t\treturn 0\n\t}\n\t")
	r := effect.Compare([]effect.Change{{Change: syntax.Change{File: "p.go", Before: before, After: after}}})
	if len(r.Points) != 1 {
		t.Fatalf("points %+v", r.Points)
	}
	const head = "package q\n\nimport (\n\t\"bytes\"\n\t\"m/p\"\n\t\"m/r\"\n)\n\n"
	for _, tt := range []struct{ name, other, want string }{
		{"of what a function returns", "var n = p.New().Len()\n", "q.go:9"},
		{"of a parameter", "func f(b *p.Box[string]) int { return b.Len() }\n", "q.go:9"},
		{"of an embedded value", "type t struct{ *p.Box[int] }\n\nfunc f(v t) func() int { return v.Len }\n", "q.go:11"},
		{"of another type", "type t struct{ b *p.Box[int] }\n\nfunc (t) Len() int { return 0 }\n\nfunc f(v t) int { return v.Len() }\n", ""},
		{"of another package's type", "func f(b *bytes.Buffer) int { return b.Len() + r.Of(p.New()).Len() }\n", ""},
	} {
		calls := []review.Call{{File: "main.go", Line: 3, Called: "Len"}}
		if got := review.Shared(map[string]string{"p.go": before}, []map[string]string{{"q.go": head + tt.other}}, "m/p", r.Points[0], calls); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
