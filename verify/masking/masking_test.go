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
