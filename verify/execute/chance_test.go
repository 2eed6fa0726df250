package execute

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// What may do another thing in each run is found in the source of a package.
func TestChance(t *testing.T) {
	for name, test := range map[string]struct {
		body string
		want bool
	}{
		"a map is ranged over":      {"for range map[string]int{} {}", true},
		"a named map":               {"var h header; for range h {}", true},
		"keys of a map":             {"for range maps.Keys(map[string]int{}) {}", true},
		"random numbers":            {"_ = rand.IntN(3)", true},
		"the clock":                 {"_ = time.Now()", true},
		"several channels":          {"select { case <-c: case <-d: }", true},
		"one channel":               {"select { case <-c: }", false},
		"a list, and a map's entry": {"for range []int{} {}; _ = map[string]int{}[\"a\"]", false},
		"a map of package sync":     {"var m sync.Map; m.Range(nil)", true},
		"another Now":               {"_ = clock{}.Now()", false},
	} {
		t.Run(name, func(t *testing.T) {
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, "p.go", `package p
				import ("maps"; "math/rand/v2"; "sync"; "time")
				var c, d chan int
				type header map[string]int
				type clock struct{}
				func (clock) Now() int { return 0 }
				var _ = maps.Clone[map[int]int]
				var _ rand.Rand
				var _ sync.Mutex
				var _ time.Time
				func f() { `+test.body+` }`, 0)
			if err != nil {
				t.Fatal(err)
			}
			info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
			if _, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{file}, info); err != nil {
				t.Fatal(err)
			}
			if got := variesIn(info, file, true); got != test.want {
				t.Errorf("%t, want %t", got, test.want)
			}
			if name == "the clock" && variesIn(info, file, false) {
				t.Error("the clock counts")
			}
		})
	}
}
