package waits

import (
	"fmt"
	"strings"
	"testing"
)

func TestDeedsAfter(t *testing.T) {
	for name, test := range map[string]struct{ body, want string }{
		"deferred":          {"defer b.wg.Done()\n HERE()", "b.wg finishes"},
		"in a literal":      {"defer func() {\n close(out)\n wg.Done()\n }()\n HERE()", "out closes, wg finishes"},
		"after":             {"c <- 1\n HERE()\n b.done <- 2", "b.done sends"},
		"in a loop":         {"for {\n c <- 1\n HERE()\n }", "c sends"},
		"of a loop before":  {"for {\n c <- 1\n }\n HERE()", ""},
		"ranges":            {"HERE()\n for r := range results {\n _ = r\n }", "results receives"},
		"in a select":       {"HERE()\n select {\n case v := <-a:\n _ = v\n case b <- 1:\n }", "a receives, b sends"},
		"starts another":    {"HERE()\n go func() { c <- 1 }()", "c sends"},
		"literal on a line": {"c <- 1\n go func() { defer wg.Done(); HERE1() }()\n d <- 2", "wg finishes"},
		"of a callback":     {"HERE()\n f(func() { c <- 1 })", ""},
	} {
		src := "package p\n\nfunc f() {\n" + test.body + "\n}\n"
		var got []string
		for _, d := range deedsAfter([]byte(src), placeIn(src)) {
			got = append(got, fmt.Sprintf("%s %s", d.Expr, [...]string{"", "sends", "receives", "closes", "finishes"}[d.Does]))
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
