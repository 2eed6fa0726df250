package effect_test

import (
	"testing"

	"github.com/pausetui/pausetui/verify/effect"
)

// An answer that a guard makes up is given in other calls, too.
func TestShared(t *testing.T) {
	const text = "package p\n\nfunc Compare(a, b any) int {\n\tGUARDreturn a.(int) - b.(int)\n}\n\nfunc least(a, b int) int { return Compare(a, b) }\n\n"
	calls := func(file string, line int) []effect.Call {
		return []effect.Call{{File: file, Line: line, Called: "Compare"}}
	}
	const once, value = "package q\n\nfunc f() { p.Compare(1, 2) }\n", "package q\n\nvar by = p.Compare\n"
	for _, tt := range []struct {
		name, answer, more, other string
		calls                     []effect.Call
		want                      string
	}{
		{"called once", "return 0", "", "", calls("p.go", 7), ""},
		{"called twice", "return 0", "func most(a, b int) int { return -Compare(a, b) }\n", "", calls("p.go", 7), "p.go:9"},
		{"a value", "return 0", "var by = Compare\n", "", calls("heap.go", 3), "p.go:7"},
		{"called in another package", "return 0", "", once, calls("p.go", 7), "q.go:3"},
		{"a value in another package", "return 0", "", value, calls("p.go", 7), "q.go:3"},
		{"not on the stack", "return 0", "", "", nil, ""},
		{"a test gets the answer", "return 0", "var by = Compare\n", value, calls("p_test.go", 7), ""},
		{"an answer that is computed", "return len(name)", "var by = Compare\n", value, calls("p.go", 7), ""},
	} {
		before := changed(t, text+tt.more, "GUARD", "")
		after := changed(t, text+tt.more, "GUARD", "if b == nil {\n\t\t"+tt.answer+"\n\t}\n\t")
		r := effect.Compare([]effect.Change{{File: "p.go", Before: before, After: after}})
		if len(r.Points) != 1 {
			t.Fatalf("%s: points %+v", tt.name, r.Points)
		}
		if got := effect.Shared(map[string]string{"p.go": before}, map[string]string{"q.go": tt.other}, r.Points[0], tt.calls); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
