package scan

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/patch"
)

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
		if why := TooLarge([]patch.Edit{c.edit}); (why != "") != c.large {
			t.Errorf("%s: %q", name, why)
		}
	}
}
