package review_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/review"
)

// What a fix writes to a copy that nobody gets is lost, and nothing speaks for that.
func TestLost(t *testing.T) {
	const types = "package p\n\nimport \"example.com/web\"\n\ntype seen map[string]bool\n\ntype stop struct {\n\tby map[string]int\n\tat seen\n\trows []int\n}\n\ntype base struct{ in map[string]int }\n\ntype tram struct {\n\t*base\n\tstops []stop\n\tfirst stop\n\tgroups map[string]seen\n\thead web.Header\n}\n\nvar all []stop\n\nfunc keep(stop) {}\n\nfunc (s *stop) grow() {}\n\n"
	for _, tt := range []struct{ name, head, before, made, after, want string }{
		{"a value receiver", "(s stop) f()", "", "s.by = map[string]int{}\n", "\ts.by[\"a\"] = 1\n", "s.by"},
		{"a pointer", "(s *stop) f()", "", "s.by = map[string]int{}\n", "\ts.by[\"a\"] = 1\n", ""},
		{"a pointer in a value", "(t tram) f()", "", "t.in = map[string]int{}\n", "\tt.in[\"a\"] = 1\n", ""},
		{"a parameter", "f(m map[string]int)", "", "m = map[string]int{}\n", "\tm[\"a\"] = 1\n", "m"},
		{"a field of a parameter", "f(t tram)", "", "t.first.by = map[string]int{}\n", "\tt.first.by[\"a\"] = 1\n", "t.first.by"},
		{"a type that is not loaded", "f(t tram)", "", "t.head = make(web.Header)\n", "\tt.head[\"a\"] = nil\n", "t.head"},
		{"a slice", "(s stop) f(n int)", "", "s.rows = make([]int, n)\n", "\ts.rows[0] = 1\n", "s.rows"},
		{"the copy of a loop", "(t *tram) f()", "\tfor _, s := range t.stops {\n", "s.by = map[string]int{}\n", "\ts.by[\"a\"]++\n\t}\n", "s.by"},
		{"the copy of a loop is put back", "(t *tram) f()", "\tfor i, s := range t.stops {\n", "s.by = map[string]int{}\n", "\ts.by[\"a\"]++\n\tt.stops[i] = s\n\t}\n", ""},
		{"an element", "(t *tram) f()", "\tfor i := range t.stops {\n", "t.stops[i].by = map[string]int{}\n", "\tt.stops[i].by[\"a\"]++\n\t}\n", ""},
		{"a local copy", "(t *tram) f()", "\ts := t.stops[0]\n", "s.by = map[string]int{}\n", "\ts.by[\"a\"]++\n", "s.by"},
		{"a local map", "(t *tram) f()", "\tg := t.groups[\"a\"]\n", "g = seen{}\n", "\tg[\"a\"] = true\n", "g"},
		{"a local map that is put back", "(t *tram) f()", "\tg := t.groups[\"a\"]\n", "g = seen{}\n", "\tg[\"a\"] = true\n\tt.groups[\"a\"] = g\n", ""},
		{"a local map that the function reads", "(t *tram) f() bool", "\tg := t.groups[\"a\"]\n", "g = seen{}\n", "\tg[\"a\"] = true\n\treturn g[\"b\"]\n", ""},
		{"a local map that is no copy", "f()", "\tvar g seen\n", "g = seen{}\n", "\tg[\"a\"] = true\n", ""},
		{"it is returned", "(s stop) f() stop", "", "s.by = map[string]int{}\n", "\ts.by[\"a\"] = 1\n\treturn s\n", ""},
		{"it is handed on", "(s stop) f()", "", "s.by = map[string]int{}\n", "\ts.by[\"a\"] = 1\n\tkeep(s)\n", ""},
		{"it is stored", "(s stop) f()", "", "s.by = map[string]int{}\n", "\ts.by[\"a\"] = 1\n\tall = append(all, s)\n", ""},
		{"its address is taken", "(s stop) f()", "\tp := &s\n", "s.by = map[string]int{}\n", "\ts.by[\"a\"] = 1\n\tp.grow()\n", ""},
		{"a method takes its address", "(s stop) f()", "", "s.by = map[string]int{}\n", "\ts.by[\"a\"] = 1\n\ts.grow()\n", ""},
		{"a closure has it", "(s stop) f() func() int", "", "s.by = map[string]int{}\n", "\ts.by[\"a\"] = 1\n\treturn func() int { return s.by[\"a\"] }\n", ""},
		{"in a closure, its parameter", "f() func(stop)", "\treturn func(s stop) {\n", "s.by = map[string]int{}\n", "\ts.by[\"a\"] = 1\n\t}\n", "s.by"},
	} {
		text := types + "func " + tt.head + " {\n" + tt.before + "MADE" + tt.after + "}\n"
		before, after := edited(t, text, "MADE", ""), edited(t, text, "MADE", tt.made)
		points := review.Lost(map[string]string{"p.go": before}, map[string]string{"p.go": after})
		got := ""
		for _, p := range points {
			if why := effect.Support(map[string]string{"p.go": before}, map[string]string{"p.go": after}, p); why != "" {
				t.Errorf("%s: supported by %q", tt.name, why)
			}
			got += strings.TrimSuffix(strings.TrimPrefix(p.How, "works on a copy, so that what is written to "), " is lost")
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
