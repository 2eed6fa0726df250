package quits_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/quits"
)

// TestOtherMeaningsAreSeen: a predeclared name that a candidate declares changes what
// the statements around it, and the tests, do.
func TestOtherMeaningsAreSeen(t *testing.T) {
	for name, tt := range map[string]struct {
		before, after string
		want          string
	}{
		"a function":         {"", "package p\n\nfunc len(any) int { return 0 }\n", "another len than Go's (p.go:3)"},
		"that panics not":    {"", "package p\n\nfunc panic(any) {}\n", "another panic"},
		"a type":             {"", "package p\n\ntype string struct{}\n", "another string"},
		"a constant":         {"", "package p\n\nconst true = false\n", "another true"},
		"in a function":      {"", "package p\n\nfunc f() {\n\tpanic := func(any) {}\n\tpanic(1)\n}\n", "another panic than Go's (p.go:4)"},
		"another one":        {"", "package p\n\nfunc f() {\n\tlen := func(any) int { return 0 }\n\t_ = len\n}\n", "another len"},
		"a parameter":        {"", "package p\n\nfunc f(panic func(any)) { panic(1) }\n", "another panic"},
		"of a literal":       {"", "package p\n\nvar f = func(len func(any) int) int { return len(1) }\n", "another len"},
		"a local type":       {"", "package p\n\nfunc f() {\n\ttype int int8\n}\n", "another int"},
		"a loop's":           {"", "package p\n\nfunc f() {\n\tfor nil := range 3 {\n\t\t_ = nil\n\t}\n}\n", "another nil"},
		"a method's value":   {"", "package p\n\nfunc (s S) f() {\n\tappend := s.app\n\ts.l = append(s.l, 1)\n}\n", "another append than Go's (p.go:4)"},
		"what a call gives":  {"", "package p\n\nfunc f(s []int) int {\n\tvar len = zero()\n\treturn len(s)\n}\n", "another len"},
		"of a list":          {"", "package p\n\nfunc f(s []int) {\n\tfor _, len := range []func([]int) int{zero} {\n\t\tprint(len(s))\n\t}\n}\n", "another len"},
		"of a named type":    {"", "package p\n\nfunc f(s []int, cap counter) int { return (cap)(s) }\n", "another cap"},
		"a length elsewhere": {"", "package p\n\nfunc f(s []int) int {\n\tif len := len(s); len > 0 {\n\t\tfor _, new := range s {\n\t\t\tprint(new)\n\t\t}\n\t}\n\treturn len(s) + *new(int)\n}\n", ""},
		"that was there":     {"package p\n\nfunc len(any) int { return 0 }\n", "package p\n\nfunc len(any) int { return 1 }\n", ""},
		"a length":           {"", "package p\n\nfunc f(s []int) int {\n\tlen := len(s)\n\treturn len\n}\n", ""},
		"a common argument":  {"", "package p\n\nfunc f(new, cap int, error string) int { return new }\n", ""},
		"a method":           {"", "package p\n\ntype q struct{ len int }\n\nfunc (q) cap() int { return 0 }\n", ""},
		"for older Go":       {"", "package p\n\nfunc max(a, b int) int { return a }\n", ""},
		"which is used":      {"", "package p\n\nfunc min(a, b int) int { return a }\n", "another min"},
	} {
		used := func(name string) bool { return name == "min" }
		got := quits.Redeclared("p.go", tt.before, tt.after, used)
		if (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	if !quits.Uses("package p\n\nvar x = min(1, 2)\n", "min") || quits.Uses("package p\n\nvar x = stats.min\n", "min") {
		t.Error("a field or method of the name counts as a use of it")
	}
}

// TestQuestionsAreSeen: code that knows when a test runs it can answer what that expects.
func TestQuestionsAreSeen(t *testing.T) {
	const reads = "package p\n\nimport \"os\"\n\nvar x, _ = os.ReadFile(\"testdata/want.txt\")\n"
	for name, tt := range map[string]struct{ before, after, want string }{
		"testing":        {"", "package p\n\nimport \"testing\"\n\nvar x = testing.Testing()\n", "testing.Testing (p.go:5)"},
		"by a dot":       {"", "package p\n\nimport . \"testing\"\n\nvar x = Testing()\n", "testing.Testing"},
		"its caller":     {"", "package p\n\nimport \"strings\"\n\nfunc f(file string) bool { return strings.HasSuffix(file, \"_test.go\") }\n", `"_test.go"`},
		"its expected":   {"", reads, `"testdata"`},
		"its program":    {"", "package p\n\nimport (\n\t\"os\"\n\t\"strings\"\n)\n\nvar x = strings.HasSuffix(os.Args[0], \".test\")\n", `".test"`},
		"its stack":      {"", "package p\n\nimport \"runtime/debug\"\n\nvar x = string(debug.Stack())\n", "runtime/debug.Stack"},
		"what calls it":  {"", "package p\n\nimport \"runtime\"\n\nfunc f() { runtime.Caller(1) }\n", "runtime.Caller (p.go:5)"},
		"what it is in":  {"", "package p\n\nimport \"runtime/debug\"\n\nvar x, _ = debug.ReadBuildInfo()\n", "runtime/debug.ReadBuildInfo"},
		"in parts":       {"", "package p\n\nvar x = \"te\" + (\"st\" + `data`) + \"/a\"\n", `"testdata"`},
		"parts of a sum": {"", "package p\n\nvar x = \"a\" + b + \"c\" + f(\"te\"+\"stdata\")\n", `"testdata"`},
		"as before":      {reads, reads + "\nvar y, _ = os.ReadFile(\"testdata/other.txt\")\n", ""},
		"something else": {"", "package p\n\nvar x = \"a.tests\"\n", ""},
	} {
		got := quits.Asks("p.go", tt.before, tt.after)
		if (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
