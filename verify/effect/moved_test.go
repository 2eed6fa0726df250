package effect_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/syntax"
)

// TestMoves finds the statements that are in other places only.
func TestMoves(t *testing.T) {
	const before = "package p\n\nfunc f(m map[int]int) {\n\tfor i := range 3 {\n\t\tm[i] = 1\n\t}\n\tg()\n}\n\nfunc g() { h() }\n"
	for name, tt := range map[string]struct{ old, new, want string }{
		"an if":         {"\t\tm[i] = 1\n", "\t\tif m != nil {\n\t\t\tm[i] = 1\n\t\t}\n", ""},
		"no loop":       {"\tfor i := range 3 {\n\t\tm[i] = 1\n\t}\n", "\ti := 2\n\tm[i] = 1\n", ""},
		"a literal":     {"\t\tm[i] = 1\n", "\t\tlater(func() {\n\t\t\tm[i] = 1\n\t\t})\n", "m[i] = 1"},
		"another loop":  {"\t\tm[i] = 1\n", "\t\tfor range limit {\n\t\t\tm[i] = 1\n\t\t}\n", "m[i] = 1"},
		"a function":    {"\t\tm[i] = 1\n\t}\n\tg()\n}\n", "\t\tuse(i)\n\t}\n\tg()\n}\n\nfunc k() {\n\tm[i] = 1\n}\n", "m[i] = 1"},
		"the call":      {"\tg()\n}\n", "\tdefer func() {\n\t\tg()\n\t}()\n}\n", "g()"},
		"a copy":        {"\t\tm[i] = 1\n", "\t\tif i == 0 {\n\t\t\tgo func() {\n\t\t\t\tm[i] = 1\n\t\t\t}()\n\t\t\tcontinue\n\t\t}\n\t\tm[i] = 1\n", "m[i] = 1"},
		"its call":      {"\tg()\n}\n", "\tif m == nil {\n\t\tlater(func() {\n\t\t\tg()\n\t\t})\n\t\treturn\n\t}\n\tg()\n}\n", "g()"},
		"no literal":    {"\t\tm[i] = 1\n", "\t\tif i == 0 {\n\t\t\tm[i] = 1\n\t\t\tcontinue\n\t\t}\n\t\tm[i] = 1\n", ""},
		"another value": {"m[i] = 1", "m[i] = 2", ""},
	} {
		after := strings.Replace(before, tt.old, tt.new, 1)
		var got []string
		for _, m := range effect.Compare([]effect.Change{{Change: syntax.Change{File: "p.go", Before: before, After: after}, Line: 5, Callers: []int{7}}}).Moves {
			got = append(got, m.Text)
		}
		if strings.Join(got, "; ") != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// TestWhatHasToRun: a statement that failed and stands as it did has to run, unless
// something is done in its place, or the condition around it is grouped in another way.
func TestWhatHasToRun(t *testing.T) {
	const before = "package p\n\nfunc unwrap(s string) string {\n\tif len(s) >= 2 && s[0] == '[' || s[0] == '{' {\n\t\ts = s[1 : len(s)-1]\n\t}\n\treturn s\n}\n"
	const cond = "len(s) >= 2 && s[0] == '[' || s[0] == '{'"
	for name, tt := range map[string]struct {
		now    string
		stands bool
	}{
		"grouped":           {"len(s) >= 2 && (s[0] == '[' || s[0] == '{')", false},
		"another condition": {"len(s) >= 9 && s[0] == '['", true},
		"never":             {"len(s) >= 2 && s[0] == '[' && false", true},
	} {
		after := strings.Replace(before, cond, tt.now, 1)
		r := effect.Compare([]effect.Change{{Change: syntax.Change{File: "p.go", Before: before, After: after}, Line: 5, Runs: true}})
		if stands := len(r.Moves) == 1 && r.Moves[0].Stays; stands != tt.stands {
			t.Errorf("%s: %+v", name, r.Moves)
		}
	}
}
