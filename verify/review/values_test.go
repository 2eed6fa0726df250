package review_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/review"
)

// What a function value does no name tells: uses of it are counted.
func TestMoreValues(t *testing.T) {
	const text = "package p\n\nimport \"net/http\"\n\ntype store struct {\n\tdone func()\n\tby map[string]func(*store)\n\thandle map[string]http.HandlerFunc\n\tc chan func()\n}\n\nfunc (s *store) reset() {}\n\nfunc each[T any](list []T, f func(T)) {}\n\nfunc f(s *store, name string, v any) {\n\tCALL\n}\n"
	files := func(call string) func(string) map[string]string {
		return func(path string) map[string]string {
			if path != "example.com/m" {
				return nil
			}
			return map[string]string{"p.go": strings.Replace(text, "CALL", call, 1)}
		}
	}
	for call, want := range map[string]bool{
		"s.by[name](s)":                true,
		"defer s.by[\"re\" + name](s)": true,
		"go s.done()":                  true,
		"(<-s.c)()":                    true,
		"for _, begin := range s.by {\n\t\tbegin(s)\n\t}": true,
		"each([]*store{s}, s.by[name])":                   true,
		"v.(func())()":                                    true,
		"s.handle[name](nil, nil)":                        true,
		"s.reset()":                                       false,
		"each([]int{1}, func(int) {})":                    false,
		"each[int](nil, nil)":                             false,
		"func() { s.reset() }()":                          false,
		"defer s.reset()":                                 false,
		"http.HandlerFunc(nil).ServeHTTP(nil, nil)":       false,
		"delete(s.by, name)":                              false,
	} {
		if got := review.MoreValues(files(""), files(call), "example.com/m"); got != want {
			t.Errorf("%s: %t", call, got)
		}
	}
}
