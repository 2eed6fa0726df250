package masking

import (
	"strings"
	"testing"
)

const file = `package p

import "errors"

func f(m map[string]int, x *T) (int, error) {
	total := 0
	for _, k := range keys {
		m[k] = x.v
		total += m[k]
	}
	v := x.any.(int)
	return total + v, nil
}

func newT() *T {
	return &T{}
}
`

const faulting = 8

func TestFind(t *testing.T) {
	for _, tt := range []struct {
		name    string
		changes []string // old, new, …
		want    string
	}{
		{"at the origin", []string{"return &T{}", "return &T{any: 1}"}, ""},
		{"the map is made", []string{"\ttotal := 0\n", "\ttotal := 0\n\tif m == nil {\n\t\tm = map[string]int{}\n\t}\n"}, ""},
		{"an error", []string{"\ttotal := 0\n", "\tif x == nil {\n\t\treturn 0, errors.New(\"no x\")\n\t}\n\ttotal := 0\n"}, ""},
		{"zero values", []string{"\ttotal := 0\n", "\tif x == nil {\n\t\treturn 0, nil\n\t}\n\ttotal := 0\n"}, "returns zero values"},
		{"zero values, logged", []string{"\ttotal := 0\n", "\tif x == nil {\n\t\tlog.Println(\"no x\")\n\t\treturn 0, nil\n\t}\n\ttotal := 0\n"}, "returns zero values"},
		{"a default is no zero value", []string{"\ttotal := 0\n", "\tif x == nil {\n\t\treturn 7, nil\n\t}\n\ttotal := 0\n"}, ""},
		{"continue", []string{"\t\tm[k] = x.v\n", "\t\tif m == nil {\n\t\t\tcontinue\n\t\t}\n\t\tm[k] = x.v\n"}, "skips the work"},
		{"wrapped", []string{"\t\tm[k] = x.v\n", "\t\tif m != nil {\n\t\t\tm[k] = x.v\n\t\t}\n"}, "skips the statement that fails"},
		{"removed", []string{"\t\tm[k] = x.v\n", ""}, "removes the statement"},
		{"recover", []string{"\ttotal := 0\n", "\tdefer func() {\n\t\t_ = recover()\n\t}()\n\ttotal := 0\n"}, "recovers from the panic"},
		{"recover, said in an error", []string{"(int, error)", "(n int, err error)", "\ttotal := 0\n", "\tdefer func() {\n\t\tif r := recover(); r != nil {\n\t\t\terr = fmt.Errorf(\"%v\", r)\n\t\t}\n\t}()\n\ttotal := 0\n"}, ""},
		{"assertion with a zero value", []string{"v := x.any.(int)", "v, _ := x.any.(int)"}, "zero value when the type is another"},
		{"assertion with an error", []string{"v := x.any.(int)", "v, ok := x.any.(int)\n\tif !ok {\n\t\treturn 0, errors.New(\"no int\")\n\t}"}, ""},
		{"exit", []string{"\ttotal := 0\n", "\tif x == nil {\n\t\tos.Exit(0)\n\t}\n\ttotal := 0\n"}, "ends the program"},
		{"a guard and the origin", []string{"\ttotal := 0\n", "\tif x == nil {\n\t\treturn 0, nil\n\t}\n\ttotal := 0\n", "return &T{}", "return &T{any: 1}"}, ""},
		{"an import beside it", []string{"import \"errors\"", "import (\n\t\"errors\"\n\t\"log\"\n)", "\t\tm[k] = x.v\n", ""}, "removes the statement"},
		{"a printed word beside it", []string{"\ttotal := 0\n", "\tif x == nil {\n\t\treturn 0, nil\n\t}\n\tfmt.Println(\"on\")\n\ttotal := 0\n"}, "zero values when x == nil, without an error"},
		{"wrapped with an else that prints", []string{"\t\tm[k] = x.v\n", "\t\tif m != nil {\n\t\t\tm[k] = x.v\n\t\t} else {\n\t\t\tlog.Println(k)\n\t\t}\n"}, "skips the statement that fails"},
		{"another statement removed", []string{"\t\ttotal += m[k]\n", ""}, "only removes a statement: total += m[k]"},
		{"documented", []string{"func f(", "// f adds up, and returns 0 if there is no x.\nfunc f(", "\ttotal := 0\n", "\tif x == nil {\n\t\treturn 0, nil\n\t}\n\ttotal := 0\n"}, "returns zero values"}, // the comment came with the edit
		{"changed", []string{"m[k] = x.v", "m[k] = x.w"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			after := file
			for i := 0; i < len(tt.changes); i += 2 {
				changed := strings.Replace(after, tt.changes[i], tt.changes[i+1], 1)
				if changed == after {
					t.Fatalf("%q is not there", tt.changes[i])
				}
				after = changed
			}
			got := Find([]Change{{Before: file, After: after, Line: faulting}})
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestWhatWasMeantIsNoMask(t *testing.T) {
	for name, tt := range map[string][2]string{
		"the base case of a recursion": {
			"package p\n\nfunc (n *node) height() int {\n\treturn 1 + max(n.left.height(), n.right.height())\n}\n",
			"package p\n\nfunc (n *node) height() int {\n\tif n == nil {\n\t\treturn 0\n\t}\n\treturn 1 + max(n.left.height(), n.right.height())\n}\n"},
		"documented": {
			"package p\n\n// mean is the average, 0 for no samples.\nfunc mean(s []int) int {\n\treturn sum(s) / len(s)\n}\n",
			"package p\n\n// mean is the average, 0 for no samples.\nfunc mean(s []int) int {\n\tif len(s) == 0 {\n\t\treturn 0\n\t}\n\treturn sum(s) / len(s)\n}\n"},
		"a word on usage": {
			"package main\n\nfunc main() {\n\tpath := os.Args[1]\n\tread(path)\n}\n",
			"package main\n\nfunc main() {\n\tif len(os.Args) < 2 {\n\t\tfmt.Fprintln(os.Stderr, \"usage: read FILE\")\n\t\tos.Exit(2)\n\t}\n\tpath := os.Args[1]\n\tread(path)\n}\n"},
	} {
		if got := Find([]Change{{Before: tt[0], After: tt[1], Line: 5}}); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestASecondCloseMayGo(t *testing.T) {
	before := "package p\n\nfunc work(ch chan int) {\n\tsend(ch)\n\tclose(ch)\n}\n"
	after := "package p\n\nfunc work(ch chan int) {\n\tsend(ch)\n}\n"
	if got := Find([]Change{{Before: before, After: after, Line: 5, Removable: true}}); got != "" {
		t.Errorf("removable: %q", got)
	}
	if got := Find([]Change{{Before: before, After: after, Line: 5}}); got == "" {
		t.Error("not removable: no mask")
	}
}

func TestASwallowedError(t *testing.T) {
	before := "package p\n\nfunc f() error {\n\tv, err := g()\n\tif err != nil {\n\t\treturn err\n\t}\n\treturn use(v)\n}\n"
	after := "package p\n\nfunc f() error {\n\tv, err := g()\n\tif err != nil {\n\t\tlog.Print(err)\n\t}\n\treturn use(v)\n}\n"
	if got := Find([]Change{{Before: before, After: after, Line: 8}}); !strings.Contains(got, "swallows the error") {
		t.Errorf("got %q", got)
	}
}

func TestWeakened(t *testing.T) {
	const test = "package p\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) {\n\tif got := f(1); got != 2 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n"
	for name, tt := range map[string]struct{ old, new, want string }{
		"removed":  {"func TestF(t *testing.T) {\n\tif got := f(1); got != 2 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n", "", "removes the test TestF"},
		"skipped":  {"\tif got", "\tt.Skip(\"flaky\")\n\tif got", "skips the test TestF"},
		"less":     {"\t\tt.Errorf(\"got %d\", got)\n", "\t\tt.Log(got)\n", "looks at less"},
		"expected": {"got != 2", "got != 0", "changes what TestF expects"},
		"built":    {"package p", "//go:build ignore\n\npackage p", "when a test file is built"},
		"added":    {"func TestF", "func TestG(t *testing.T) { g() }\n\nfunc TestF", ""},
	} {
		got := Weakened(test, strings.Replace(test, tt.old, tt.new, 1))
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	if Weakened(test, "") == "" {
		t.Error("a file taken away is nothing")
	}
}
