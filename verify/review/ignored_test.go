package review_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/review"
)

func TestErrorsThatACallerIgnores(t *testing.T) {
	const text = "package p\n\nimport \"r\"\n\ntype T struct{}\n\nfunc (x *T) f() (int, error) { return 0, nil }\n\nfunc g(x *T, other r.Router, o O) {\n\tCALL\n}\n\ntype O struct{}\n\nfunc (O) f() (int, error) { return 0, nil }\n"
	for call, want := range map[string]int{
		"v, _ := x.f()\n\tuse(v)":        10,
		"x.f()":                          10,
		"(x.f())":                        10,
		"go x.f()":                       10,
		"defer x.f()":                    10,
		"other.f()":                      0,
		"o.f()":                          0,
		"v, err := x.f()\n\tuse(v, err)": 0,
		"v, _ := f()\n\tuse(v)":          0,
	} {
		files := map[string]string{"p.go": edited(t, text, "CALL", call)}
		if _, _, line := review.Ignored(files, effect.Point{Function: "(*T).f", Exit: true}, nil); line != want {
			t.Errorf("%s: line %d, want %d", call, line, want)
		}
	}
	if _, _, line := review.Ignored(map[string]string{"p.go": edited(t, text, "CALL", "x.f()")}, effect.Point{Function: "(*T).f"}, nil); line != 0 {
		t.Error("a return that is no error cannot be ignored")
	}
}

// What a caller returns, its own caller may ignore, in another package and through an
// interface.
func TestErrorsThatACallerOfACallerIgnores(t *testing.T) {
	const inner = "package p\n\ntype T struct{}\n\nfunc (x *T) f() (int, error) { return 0, nil }\n\nfunc (x *T) F() (n int, err error) {\n\tCALL\n}\n"
	const outer = "package main\n\nfunc main() {\n\tCALL\n}\n"
	for _, tt := range []struct {
		inner, outer string
		want         int
	}{
		{"return x.f()", "x.F()", 4},
		{"n, err := x.f()\n\treturn n, err", "v, _ := x.F()\n\tuse(v)", 4},
		{"n, err := x.f()\n\tif err != nil {\n\t\treturn 0, fmt.Errorf(\"f: %w\", err)\n\t}\n\treturn n, nil", "x.F()", 4},
		{"n, err = x.f()\n\treturn", "x.F()", 4},
		{"n, err := x.f()\n\tlog.Print(err)\n\treturn n, err", "x.F()", 0},
		{"n, err := x.f()\n\tif err != nil {\n\t\tn = 1\n\t}\n\treturn n, nil", "x.F()", 0},
		{"return x.f()", "v, err := x.F()\n\tuse(v, err)", 0},
		{"return x.f()", "if _, err := x.F(); err != nil {\n\t\tpanic(err)\n\t}", 0},
	} {
		p := edited(t, inner, "CALL", tt.inner)
		calls := []review.Call{{File: "p.go", Text: p, Line: 8, Called: "f"}, {File: "main.go", Text: edited(t, outer, "CALL", tt.outer), Line: 4, Called: "F"}}
		if _, _, line := review.Ignored(map[string]string{"p.go": p}, effect.Point{Function: "(*T).f", Exit: true}, calls); line != tt.want {
			t.Errorf("%s; %s: line %d, want %d", tt.inner, tt.outer, line, tt.want)
		}
	}
}

// A caller that the candidate changes does something else with the error now.
func TestACallerThatIsChangedIsNotTheOldOne(t *testing.T) {
	const text = "package p\n\nfunc process() {\n\tadd()\n}\n\nfunc other() {}\n"
	call := review.Call{File: "p.go", Text: text, Line: 4, Called: "add"}
	for after, want := range map[string]bool{
		text:                         false,
		"// New.\n" + text:           false,
		text + "\nfunc third() {}\n": false,
		strings.Replace(text, "add()", "if err := add(); err != nil {\n\t\tpanic(err)\n\t}", 1): true,
		"package p\n": true,
	} {
		if got := call.Changed(after); got != want {
			t.Errorf("%q: %v", after, got)
		}
	}
}
