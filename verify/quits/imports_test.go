package quits_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/quits"
)

// TestReimported: what an unchanged statement calls is another function, if the name of the
// package means something else.
func TestReimported(t *testing.T) {
	const before = `package p

import (
	"net/url"
	"strings"
)

func f(s string) []string { return strings.Fields(s) }

func g(s string) (*url.URL, error) { return url.Parse(s) }
`
	for name, tt := range map[string]struct{ old, new, want string }{
		"another package":     {`"strings"`, `"example.com/m/strings"`, "has strings mean another package: example.com/m/strings (p.go)"},
		"by a name":           {`"strings"`, `strings "example.com/m/text"`, "has strings mean another package"},
		"another's":           {`"strings"`, `strings "golang.org/x/text"`, ""},
		"a package more":      {`"strings"`, "\"strings\"\n\ttext \"example.com/m/strings\"", ""},
		"a variable":          {"{ return strings.F", "{ strings := fake{}; return strings.F", "declares a strings in the place of the package (p.go:8)"},
		"a parameter":         {"func f(s string)", "func f(s string, strings fake)", "declares a strings"},
		"in a literal":        {"{ return strings.F", "{ return func(strings fake) []string { return strings.Fields(s) }(fake{}) }; func h(s string) []string { return strings.F", "declares a strings"},
		"what a call gives":   {"{ return url.Parse(s)", "{ url, err := url.Parse(s); _ = url.Query(); return url, err", ""},
		"no call":             {"{ return strings.F", "{ url := s; return strings.F", ""},
		"in another function": {"{ return strings.F", "{ url := fake{}; _ = url; return strings.F", ""},
	} {
		after := strings.Replace(before, tt.old, tt.new, 1)
		got := quits.Reimported("p.go", before, after, func(path string) bool { return strings.HasPrefix(path, "example.com/m/") })
		if after == before || (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
