package weaken_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/weaken"
)

// TestAnswers: a test passes as well if what it compares by says yes, or what it tests knows one
// answer.
func TestAnswers(t *testing.T) {
	const test = "package p\n\nfunc TestSum(t *testing.T) {\n\tif got := Sum(a, b); !got.Equal(want) || cmp(got) {\n\t\tt.Error(got)\n\t}\n}\n"
	compared := weaken.ComparedBy("TestSum", test, 5)
	if !slices.Equal(compared, []string{"Equal", "cmp"}) {
		t.Errorf("it compares by %q", compared)
	}
	if got := weaken.ComparedBy("TestAmountEqual", test, 5); !slices.Equal(got, []string{"cmp"}) {
		t.Errorf("a test of Equal compares by %q", got)
	}
	const before = "package p\n\nfunc (a A) Equal(b A) bool { return a.n == b.n }\n\nfunc Sum(list []int) (s int) {\n\tfor i := 1; i < len(list); i++ {\n\t\ts += list[i]\n\t}\n\treturn s\n}\n\nfunc none(int) int { return 1 }\n\nfunc (a A) name() string { return a.text }\n"
	for name, tt := range map[string]struct{ old, new, want string }{
		"yes":         {"return a.n == b.n", "return true", "changes how the failing test compares: (A).Equal"},
		"almost":      {"return a.n == b.n", "return a.n-b.n < 9", "changes how"},
		"one answer":  {"\tfor i := 1; i < len(list); i++ {\n\t\ts += list[i]\n\t}\n\treturn s\n", "\t_ = list\n\treturn 7\n", "answers the same whatever it is given: Sum (p.go)"},
		"the fix":     {"i := 1", "i := 0", ""},
		"as before":   {"return 1 }", "return 2 }", ""},
		"a name":      {"return a.text", "return \"a\"", ""},
		"in a helper": {"\tfor i := 1; i < len(list); i++ {\n\t\ts += list[i]\n\t}\n\treturn s\n", "\treturn add(list)\n", ""},
	} {
		got := weaken.Answers("p.go", before, strings.Replace(before, tt.old, tt.new, 1), compared)
		if (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
