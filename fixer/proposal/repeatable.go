package proposal

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// Functions whose code is not the user's are judged by name: methods whose name begins with
// goingOn return the next value or remove it, and functions of the packages in drawing return
// random values.
var (
	goingOn = []string{"Accept", "CompareAndSwap", "Do", "LoadAndDelete", "Next", "Pop", "Read", "Recv", "Remove", "Scan", "Store", "Swap", "Token", "Write"}
	drawing = []string{"crypto/rand", "math/rand", "math/rand/v2"}
)

// repeatable reports whether the calls in a condition can be made once more before the
// statement at p that makes them: none of them is seen to change anything.
func (f *Proposal) repeatable(p syntax.Place, cond string) bool {
	e, err := parser.ParseExpr(cond)
	if err != nil {
		return true
	}
	calls := map[string]bool{}
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			calls[types.ExprString(call)] = true
		}
		return true
	})
	same := true
	ast.Inspect(p.Node(), func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && calls[types.ExprString(call)] {
			same = same && !f.hasEffect(p, call, 3)
		}
		return same
	})
	return same
}

// hasEffect reports whether a call is seen to change something that outlives it, or to
// depend on something that changes. depth is how many functions down it looks.
func (f *Proposal) hasEffect(p syntax.Place, call *ast.CallExpr, depth int) bool {
	fn := p.Callee(call)
	switch name, _ := p.Builtin(call); {
	case p.Info().Types[call.Fun].IsType(), depth == 0:
		return false
	case name != "":
		return slices.Contains([]string{"clear", "close", "copy", "delete"}, name)
	case fn == nil: // a function value, which may do anything
		return true
	}
	d, ok := f.DeclarationOf(fn)
	if !ok || d.Declaration().Body == nil {
		path := ""
		if fn.Pkg() != nil {
			path = fn.Pkg().Path()
		}
		begins := func(word string) bool { return strings.HasPrefix(fn.Name(), word) }
		return slices.Contains(drawing, path) || path == "sync/atomic" && !begins("Load") || slices.ContainsFunc(goingOn, begins)
	}
	found := false
	ast.Inspect(d.Declaration().Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = found || slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return outlives(d, e) })
		case *ast.IncDecStmt:
			found = found || outlives(d, n.X)
		case *ast.SendStmt, *ast.GoStmt:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.CallExpr:
			found = found || f.hasEffect(d, n, depth-1)
		}
		return !found
	})
	return found
}

// outlives reports whether what is assigned to is there after the function has returned:
// a package's variable, or what a parameter, the receiver or another pointer leads to.
func outlives(p syntax.Place, e ast.Expr) bool {
	v, ok := p.Info().ObjectOf(firstName(e)).(*types.Var)
	if _, plain := ast.Unparen(e).(*ast.Ident); plain || !ok || syntax.IsGlobal(v) {
		return ok && syntax.IsGlobal(v)
	}
	body := p.Declaration().Body
	return v.Pos() < body.Pos() || v.Pos() > body.End()
}

// firstName is the name that an expression that can be assigned to begins with: "d" of
// "d.left[i].n"; empty without one.
func firstName(e ast.Expr) *ast.Ident {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return &ast.Ident{}
		}
	}
}
