package weaken_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/weaken"
)

// TestShows: a new method says what a value looks like, also from another file.
func TestShows(t *testing.T) {
	const test = "package p\n\nimport \"fmt\"\n\nfunc TestSorted(t *testing.T) {\n\tif got := fmt.Sprint(Sorted(l)); got != \"[1 2]\" {\n\t\tt.Error(got)\n\t}\n}\n"
	before := map[string]string{"p.go": "package p\n\ntype List []int\n\ntype None struct{}\n\nfunc (l *List) GoString() string { return \"\" }\n"}
	for name, tt := range map[string]struct{ test, imports, method, want string }{
		"String":                  {"TestSorted", "fmt", "func (l List) String() string { return \"[1 2]\" }", "List.String"},
		"of a pointer":            {"TestSorted", "fmt", "func (l *List) Format(s fmt.State, r rune) {}", "List.Format"},
		"which the test is about": {"TestString", "fmt", "func (l List) String() string { return \"[1 2]\" }", ""},
		"by another library":      {"TestSorted", "encoding/json", "func (l List) String() string { return \"[1 2]\" }", ""},
		"by that":                 {"TestSorted", "encoding/json", "func (l List) MarshalJSON() ([]byte, error) { return nil, nil }", "List.MarshalJSON"},
		"by one for tests":        {"TestSorted", "example.com/assert", "func (l List) Error() string { return \"\" }", "List.Error"},
		"by one of the person's":  {"TestSorted", "example.com/m", "func (l List) Error() string { return \"\" }", ""},
		"another method":          {"TestSorted", "fmt", "func (l List) Len() int { return len(l) }", ""},
		"a new type":              {"TestSorted", "fmt", "type Set []int\n\nfunc (s Set) String() string { return \"\" }", ""},
		"what holds nothing":      {"TestSorted", "fmt", "func (None) String() string { return \"\" }", ""},
	} {
		after := map[string]string{"p.go": before["p.go"], "more.go": "package p\n\n" + tt.method + "\n"}
		own := func(path string) bool { return path == "example.com/m" }
		if got := weaken.Shows(tt.test, strings.Replace(test, "fmt", tt.imports, 1), before, after, own); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
