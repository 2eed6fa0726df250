package weaken_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/weaken"
)

// TestAnswers: a test passes as well if what it compares by says yes, or what it tests knows one
// answer.
func TestAnswers(t *testing.T) {
	const sums = "\tfor i := 1; i < len(list); i++ {\n\t\ts += list[i]\n\t}\n\treturn s\n"
	const totals = "\tfor _, n := range c.list {\n\t\ts -= n\n\t}\n\treturn s\n"
	const before = "package p\n\nfunc (a A) Equal(b A) bool { return a.n == b.n }\n\nfunc Sum(list []int) (s int) {\n" + sums + "}\n\nfunc none(int) int { return 1 }\n\nfunc (a A) name() string { return a.text }\n\n" +
		"type C struct{ list []int }\n\ntype D struct{}\n\nfunc (c *C) Total() (s int) {\n" + totals + "}\n\n// more\n"
	const test = "package p\n\nfunc TestSum(t *testing.T) {\n\tif got := Total(a, b); !got.Equal(want) || cmp(got) {\n\t\tt.Error(got)\n\t}\n}\n"
	compared := weaken.ComparedBy("TestSum", test, 5, []string{before}, none)
	if got := slices.Sorted(maps.Keys(compared.Functions)); !slices.Equal(got, []string{"Equal", "cmp"}) {
		t.Errorf("it compares by %q", got)
	}
	if got := weaken.ComparedBy("TestAmountEqual", test, 5, nil, none).Functions; got["Equal"] || !got["cmp"] {
		t.Errorf("a test of Equal compares by %v", got)
	}
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
		"another":         {"// more", "type E struct{}\n\nfunc (E) Equal(E) bool { x := 1; return x > 0 }", "compares: (E).Equal"},
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

func none(string) bool { return false }

// TestWhatTestsCompareBy: what is given the answer of the tested code and says whether that is right
// is not what is wrong, by whatever name and way the test asks it.
func TestWhatTestsCompareBy(t *testing.T) {
	const code = "package p\n\nconst most = 0.1\n\ntype E struct{ key string }\n\nfunc (e E) Is(error) bool { return false }\n\ntype S struct{ n int }\n\n" +
		"func (s *S) Has(n int) bool { return s.n == n }\n\nfunc (s S) Same(o S) bool { return alike(s.n, o.n) }\n\nfunc alike(a, b int) bool { return near(float64(a), float64(b)) }\n\n" +
		"func near(a, b float64) bool { return a-b < most }\n\nfunc Diff(a, b any) string { return fmt.Sprint(a) + fmt.Sprint(b) }\n\nfunc Check(got, want int) error { return nil }\n\n" +
		"func sorted(list []int) bool { return list[0] < list[1] }\n\nfunc Twice(n int) int { return n + n }\n\nfunc Write(s string) (int, error) { return 1, nil }\n\nfunc Text(n int) string { return \"\" }\n"
	for check, want := range map[string]string{
		"if !near(Twice(1), 2) {":                                                 "most near",
		"if !alike(Twice(1), 2) {":                                                "alike most near",
		"got := Twice(1); ok := alike(got, 2); if !ok {":                          "alike most near",
		"if d := Diff(Twice(1), 2); d != \"\" {":                                  "Diff",
		"if len(Diff(Twice(1), 2)) > 0 {":                                         "Diff",
		"if d := own.Diff(Twice(1), 2); d != \"\" {":                              "Diff",
		"if err := Check(Twice(1), 2); err != nil {":                              "Check",
		"if alike(Twice(1), 2) { return }; {":                                     "alike most near",
		"switch { case !sorted(Order(1)):":                                        "sorted",
		"got := Make(1); if want := (S{1}); !got.Same(want) {":                    "(S).Same alike most near",
		"_, err := Make(1); if !errors.Is(err, missing) {":                        "(E).Is",
		"a, b := lib.Text(Make(1)), 1; if diff := lib.Diff(a, b); diff != \"\" {": "(E).Is",
		"if got := Twice(1); got != 2 {":                                          "",
		"if !slices.EqualFunc(Make(1), want, alike) {":                            "alike most near",
		"c := test{Twice, alike}; if !c.equal(c.got(1), 2) {":                     "alike most near",
		"alike := 1; if Twice(1) != alike {":                                      "",
		"if !alike(1, 2) {":                                                       "",
		"s := NewS(); s.add(); if !s.Has(1) {":                                    "",
		"s := Make(1); if !s.Has(1) {":                                            "",
		"if got, err := Write(Text(1)); err != nil {":                             "",
		"if got := Text(Twice(1)); got != \"2\" {":                                "",
		"if strings.Contains(Text(1), \"1\") {":                                   "",
	} {
		test := "package p\n\nimport (\n\t\"errors\"\n\t\"example.com/lib\"\n\t\"m/own\"\n\t\"strings\"\n)\n\nfunc TestIt(t *testing.T) {\n\t" + check + "\n\t\tt.Error()\n\t}\n}\n"
		compared := weaken.ComparedBy("TestIt", test, 12, []string{code}, func(path string) bool { return path == "m/own" })
		var got []string
		for _, name := range []string{"(E).Is", "(S).Same", "(*S).Has", "Check", "Diff", "Text", "Twice", "Write", "alike", "most", "near", "sorted"} {
			of, last, method := strings.Cut(name, ".")
			changed := strings.Replace(code, "func "+name+"(", "func "+name+"(_ int, ", 1)
			if method {
				changed = strings.NewReplacer("(e E) "+last, "(e E) X"+last, "(s S) "+last, "(s S) X"+last, "(s *S) "+last, "(s *S) X"+last).Replace(code)
			}
			changed = strings.Replace(changed, name+" = 0.1", name+" = 1", 1)
			if why := weaken.Answers("p.go", code, changed, compared); strings.Contains(why, name+" ") {
				got = append(got, name)
			} else if changed == code {
				t.Fatal(of)
			}
		}
		if found := strings.Join(got, " "); found != want {
			t.Errorf("%s\ncompares by %q, want %q", check, found, want)
		}
	}
}
