package effect_test

import (
	"testing"

	"github.com/pausetui/pausetui/verify/effect"
)

func TestErrorsThatACallerIgnores(t *testing.T) {
	const text = "package p\n\nimport \"r\"\n\ntype T struct{}\n\nfunc (x *T) f() (int, error) { return 0, nil }\n\nfunc g(x *T, other r.Router, o O) {\n\tCALL\n}\n\ntype O struct{}\n\nfunc (O) f() (int, error) { return 0, nil }\n"
	for call, want := range map[string]int{
		"v, _ := x.f()\n\tuse(v)":        10,
		"x.f()":                          10,
		"(x.f())":                        10,
		"other.f()":                      0,
		"o.f()":                          0,
		"v, err := x.f()\n\tuse(v, err)": 0,
		"v, _ := f()\n\tuse(v)":          0,
	} {
		files := map[string]string{"p.go": changed(t, text, "CALL", call)}
		if _, _, line := effect.Ignored(files, effect.Point{Function: "(*T).f", Exit: true}); line != want {
			t.Errorf("%s: line %d, want %d", call, line, want)
		}
	}
	if _, _, line := effect.Ignored(map[string]string{"p.go": changed(t, text, "CALL", "x.f()")}, effect.Point{Function: "(*T).f"}); line != 0 {
		t.Error("a return that is no error cannot be ignored")
	}
}
