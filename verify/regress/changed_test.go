package regress

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/pausetui/pausetui/source/workspace"
)

// Values of a stop are those of the call unless the function may have changed them before.
func TestValuesMayHaveChangedSinceTheCall(t *testing.T) {
	for body, want := range map[string]bool{
		"_ = d.items[n] // here":                                          false,
		"d.tail--\n\t_ = d.items[d.tail] // here":                         true,
		"n++\n\t_ = d.items[n] // here":                                   true,
		"d.turn()\n\t_ = d.items[n] // here":                              true,
		"x := len(d.items)\n\t_ = d.items[x] // here":                     false,
		"if slices.Contains(d.items, n) {\n\t}\n\t_ = d.items[n] // here": false,
		"slices.Sort(d.items)\n\t_ = d.items[n] // here":                  true,
		"_ = d.items[n] // here\n\td.tail++":                              false,
		"for {\n\t\t_ = d.items[n] // here\n\t\tn++\n\t}":                 true,
	} {
		src := "package p\n\nimport \"slices\"\n\nvar _ = slices.Max[[]int]\n\ntype deque struct {\n\titems []int\n\ttail int\n}\n\nfunc (d *deque) turn() {}\n\nfunc (d *deque) pop(n int) {\n\t" + body + "\n}\n"
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, "p.go", src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
		pkg, err := (&types.Config{Importer: importer.ForCompiler(set, "source", nil)}).Check("p", set, []*ast.File{file}, info)
		if err != nil {
			t.Fatal(err)
		}
		decl := file.Decls[len(file.Decls)-1].(*ast.FuncDecl)
		fn := workspace.Func{Decl: decl, Object: info.Defs[decl.Name].(*types.Func), Package: &packages.Package{Fset: set, Types: pkg, TypesInfo: info}}
		line := 1 + strings.Count(src[:strings.Index(src, "// here")], "\n")
		if got := mayHaveChanged(fn, line); got != want {
			t.Errorf("%q: %v", body, got)
		}
	}
}
