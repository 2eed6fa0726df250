package exits

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/packages"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// What a test compares a variable with before, or after it has another value, is not wanted of a call.
func TestAVariableIsComparedUntilItIsSetAgain(t *testing.T) {
	const source = `package p

func half(n int) int { return n / 2 }

func test() bool {
	m := half(8)
	if m != 4 {
		return false
	}
	m = half(6)
	if m != 3 {
		return false
	}
	m = half(4)
	return m == 2
}
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	lines := []int{}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		path, _ := astutil.PathEnclosingInterval(file, call.Pos(), call.End())
		p := syntax.Place{Pkg: &packages.Package{Types: pkg, TypesInfo: info, Fset: fset}, File: file, Path: path}
		assign := path[1].(*ast.AssignStmt)
		lines = append(lines, fset.Position(nextValue(p, p.Object(assign.Lhs[0]))).Line)
		return true
	})
	if len(lines) != 3 || lines[0] != 10 || lines[1] != 14 || lines[2] != 16 {
		t.Errorf("the variable is set again in lines %v", lines)
	}
}
