package source

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

const declares = `package p

func f(m map[string]*T) (n int, err error) { // entry
	a, b := g(), 1 // plain
	if c := g(); c != nil { // if
	}
	if d := m["x"]; d.y > 0 { // unsure
	}
	for i, e := range m { // range
		_ = i + e.y
	}
	h := k( // multi
		a,
		b, // inside
	)
	func() { x := 1; use(x) }() // same
	var z = h / a // var
	run(func() {
		w := z // closure
	})
	return
}
`

func TestDeclaringFindsWhatHasNoValueYet(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", declares, 0)
	if err != nil {
		t.Fatal(err)
	}
	for mark, want := range map[string]string{
		"// entry": "n err", "// plain": "a b", "// if": "c", "// unsure": "", "// range": "", "// multi": "h", "// inside": "h", "// same": "", "// var": "z", "// closure": "w",
	} {
		line := 1 + strings.Count(declares[:strings.Index(declares, mark)], "\n")
		var names []string
		for _, d := range declaring(fset, file, line) {
			names = append(names, d.name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %q, want %q", mark, got, want)
		}
	}
}
