package syntax_test

import (
	"go/ast"
	"maps"
	"slices"
	"testing"

	"github.com/pausetui/pausetui/verify/syntax"
)

const text = `package p

import (
	"os"
	. "strings"
	other "example.com/m/util"
)

//line elsewhere.y:100
func (b *box[T]) get(i int) T {
	if i < 0 { // below
		panic("i")
	}
	return b.items[ i ]
}

func outside()

func main() { other.Quit(os.Args[0]) }
`

func TestFile(t *testing.T) {
	f := syntax.Parse(text)
	if f == nil || syntax.Parse("not go") != nil {
		t.Fatal("it does not parse, or all does")
	}
	get := f.At(14)
	if get == nil || f.NameOf(get) != "(*box[T]).get" || syntax.Key(get) != "box.get" || f.Functions()["outside"] == nil || f.Function("outside") != nil || f.Function("get") != nil || f.At(17) != nil {
		t.Errorf("functions: %v", f.Functions())
	}
	if n := len(f.Declared()); n != 2 {
		t.Errorf("%d functions with bodies", n)
	}
	last := get.Body.List[1]
	if code := f.Code(last); code != "return b.items[ i ]" || f.Line(last.Pos()) != 14 || f.Text[f.Offset(last.Pos()):][:6] != "return" {
		t.Errorf("%q, line %d", code, f.Line(last.Pos()))
	}
	if got, want := f.Imports(), map[string]string{"os": "os", ".strings": "strings", "other": "example.com/m/util"}; !maps.Equal(got, want) {
		t.Errorf("imports %v", got)
	}
	if f.Cgo() || !syntax.Parse("package p\n\nimport `C`\n").Cgo() {
		t.Error("cgo")
	}
}

func TestNodes(t *testing.T) {
	f := syntax.Parse("package p\n\nfunc f(t T) {\n\tpanic(1)\n\ts.inner.mu.Lock()\n\tnew[int](2)\n\tfor {\n\t}\n\tif t {\n\t}\n}\n")
	fn := f.Function("f")
	list := fn.Body.List
	call := func(i int) *ast.CallExpr { return list[i].(*ast.ExprStmt).X.(*ast.CallExpr) }
	if syntax.Parameter(fn) != "t" || !syntax.IsPanic(list[0]) || syntax.IsPanic(list[1]) ||
		syntax.Called(call(1)) != "Lock" || syntax.LastName(call(1).Fun.(*ast.SelectorExpr).X) != "mu" || syntax.Called(call(2)) != "new" ||
		syntax.Body(list[3]) == nil || syntax.Body(list[4]) != nil {
		t.Error(f.Code(fn))
	}
}

func TestLiteralsAndAll(t *testing.T) {
	f := syntax.Parse("package p\n\nfunc f() {\n\tgo func() { func() {}() }()\n\tdefer func() {}()\n}\n")
	if outer, all := len(syntax.Literals(f.AST)), len(slices.Collect(syntax.All[*ast.FuncLit](f.AST))); outer != 2 || all != 3 {
		t.Errorf("%d literals that are in no other, %d in all", outer, all)
	}
}
