package verify

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/verdict"
)

// TestALargeCandidateHoldsNothingUp: what is compared with the code before is
// bounded, in number and in depth.
func TestALargeCandidateHoldsNothingUp(t *testing.T) {
	needSandbox(t)
	f := crashing(t, "index")
	v := f.verifier(t, execute.Options{})
	for name, code := range map[string]string{
		"many":   strings.Repeat("\tif true {\n\t\t_ = 1\n\t}\n", 25_000),
		"a line": strings.Repeat("if true { _ = 1 };", 25_000) + "\n",
		"deep":   "\t_ = 1" + strings.Repeat(" + 1", 4_900) + "\n",
		"nested": strings.Repeat("if true {\n", 1_500) + strings.Repeat("}\n", 1_500),
	} {
		got := check(t, v, f.edits(t, "index.go", "\treturn &Index{}", code+makeMap))
		if got.Verified || len(got.Checks) < 2 || got.Checks[1].Status != verdict.Fail {
			t.Errorf("%s: %q, %+v", name, got.Label(), got.Checks)
		}
	}
}

// TestWhatCountsAsLarge: what was there does not count, nor does its place.
func TestWhatCountsAsLarge(t *testing.T) {
	body := strings.Repeat("\tx = y(1, 2, 3)\n", 4_000)
	large := "package p\n\nfunc f() {\n" + body + "}\n"
	deep := "package p\n\nvar x = 1" + strings.Repeat(" + 1", 1_000) + "\n"
	for name, c := range map[string]struct {
		edit  patch.Edit
		large bool
	}{
		"a large file":   {patch.Edit{File: "a.go", Before: large, After: large + "\nvar z = 1\n"}, false},
		"a moved body":   {patch.Edit{File: "a.go", Before: large, After: strings.Replace(large, "func f() {\n", "func g() {}\n\nfunc f() {\n", 1)}, false},
		"twice as much":  {patch.Edit{File: "a.go", Before: large, After: strings.Replace(large, body, body+body, 1)}, true},
		"in a comment":   {patch.Edit{File: "a.go", Before: "/* was\n*/\npackage p\n", After: "/* is\n*/\n" + large}, true},
		"out of one":     {patch.Edit{File: "a.go", Before: "package p\n/*\nfunc f() {\n" + body + "}\n*/\n", After: large}, true},
		"a new file":     {patch.Edit{File: "a.go", After: large, Create: true}, true},
		"no Go":          {patch.Edit{File: "a.txt", After: large, Create: true}, false},
		"deep as before": {patch.Edit{File: "a.go", Before: deep, After: deep + "\nvar z = 1\n"}, false},
		"deeper":         {patch.Edit{File: "a.go", Before: "package p\n", After: deep}, true},
	} {
		if why := tooLarge([]patch.Edit{c.edit}); (why != "") != c.large {
			t.Errorf("%s: %q", name, why)
		}
	}
}
