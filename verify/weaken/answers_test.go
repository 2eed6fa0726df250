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
	const sums = "\tfor i := 1; i < len(list); i++ {\n\t\ts += list[i]\n\t}\n\treturn s\n"
	const totals = "\tfor _, n := range c.list {\n\t\ts -= n\n\t}\n\treturn s\n"
	const before = "package p\n\nfunc (a A) Equal(b A) bool { return a.n == b.n }\n\nfunc Sum(list []int) (s int) {\n" + sums + "}\n\nfunc none(int) int { return 1 }\n\nfunc (a A) name() string { return a.text }\n\n" +
		"type C struct{ list []int }\n\ntype D struct{}\n\nfunc (c *C) Total() (s int) {\n" + totals + "}\n\n// more\n"
	for name, tt := range map[string]struct{ old, new, want string }{
		"yes":             {"return a.n == b.n", "return true", "changes how the failing test compares: (A).Equal"},
		"almost":          {"return a.n == b.n", "return a.n-b.n < 9", "changes how"},
		"one answer":      {sums, "\t_ = list\n\treturn 7\n", "answers the same whatever it is given: Sum (p.go)"},
		"the fix":         {"i := 1", "i := 0", ""},
		"as before":       {"return 1 }", "return 2 }", ""},
		"a name":          {"return a.text", "return \"a\"", ""},
		"of a method":     {totals, "\treturn 350\n", "answers the same whatever it is given: (*C).Total (p.go)"},
		"by a helper":     {totals, "\treturn fixed()\n", "answers the same"},
		"a method's fix":  {"s -= n", "s += n", ""},
		"a new Is":        {"// more", "func (c *C) Is(error) bool { return true }", "answers the same whatever it is given: (*C).Is"},
		"a new String":    {"// more", "func (c C) String() string { return \"{3 4}\" }", "answers the same"},
		"a new Format":    {"// more", "func (c C) Format(s fmt.State, _ rune) { s.Write([]byte(\"{3 4}\")) }", "answers the same"},
		"that asks":       {"// more", "func (c *C) Is(err error) bool { return err == errMissing }", ""},
		"of nothing":      {"// more", "func (D) String() string { return \"idle\" }", ""},
		"that looks":      {"// more", "func (c C) String() string { return fmt.Sprint(c.list) }", ""},
		"of a new type":   {"// more", "type E struct{ n int }\n\nfunc (E) Is(error) bool { return true }", "answers the same whatever it is given: (E).Is"},
		"another":         {"// more", "type E struct{}\n\nfunc (E) Equal(E) bool { x := 1; return x > 0 }", "answers the same"},
		"of a new type's": {"// more", "type E struct{ err error }\n\nfunc (e E) Is(to error) bool { return to == errMissing }\n\nfunc (E) String() string { return \"idle\" }", ""},
		"never":           {"// more", "type E struct{}\n\nfunc (E) Is(error) bool { return false }", ""},
		"of another name": {"// more", "func (c C) Kind() string { return \"cart\" }", ""},
		"in a helper":     {sums, "\treturn add(list)\n", ""},
	} {
		got := weaken.Answers("p.go", before, strings.Replace(before, tt.old, tt.new, 1), compared)
		if (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
