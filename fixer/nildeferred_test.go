package fixer_test

import (
	"testing"

	"github.com/pausetui/pausetui/fixer"
)

// A nil function that is deferred fails at the brace that ends the function.
func TestANilFunctionIsDeferred(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ code, why, expr, origin string }{
		"function": {"func main() {\n\tdone, err := open()\n\tdefer done()\n\tif err != nil {\n\t\treturn\n\t}\n}\n",
			"the deferred function done is nil because open (main.go:8) returned nil", "done", "main.go:8"},
		"literal": {"func main() {\n\tdone := func() {}\n\tfunc() {\n\t\tdone, err := open()\n\t\tdefer done()\n\t\tprintln(err)\n\t}()\n\tdone()\n}\n",
			"the deferred function done is nil because open (main.go:10) returned nil", "done", "main.go:10"},
		"one of two": {"func main() {\n\tdone, _ := open()\n\tgood := func() {}\n\tdefer good()\n\tdefer done()\n\tprintln(1)\n}\n",
			"the deferred function done is nil because open (main.go:8) returned nil, and its error is ignored", "done", "main.go:8"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := program{dir: t.TempDir(), pkg: "."}
			write(t, p.dir+"/go.mod", "module example.com/fixture\n\ngo 1.25\n")
			write(t, p.dir+"/main.go", "package main\n\nimport \"errors\"\n\nfunc open() (func(), error) { return nil, errors.New(\"no\") }\n\n"+test.code)
			d, list, err := fixer.Propose(t.Context(), p.pause(t).Case)
			if err != nil || d.Sentence != test.why || d.Expr != test.expr || d.Origin != test.origin || len(list) > 0 {
				t.Errorf("%+v, %d fixes, %v; want %q", d, len(list), err, test.why)
			}
		})
	}
}
