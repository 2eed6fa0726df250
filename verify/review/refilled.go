package review

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"

	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
)

// Refilled says which field a change gives a value that code elsewhere has set to nil: whether
// it may be used again after that, the code does not tell. It is empty where there is none.
func Refilled(before, after map[string]string) string {
	was, now := load(before), load(after)
	known := map[string]bool{}
	was.assigned(func(fn *ast.FuncDecl, field ast.Expr, value ast.Expr) {
		known[syntax.NameOf(fn)+" "+types.ExprString(field)+" = "+types.ExprString(value)] = true
	})
	found := ""
	now.assigned(func(fn *ast.FuncDecl, field ast.Expr, value ast.Expr) {
		name, slot := syntax.NameOf(fn), now.slot(field)
		if found != "" || slot == "" || match.IsNil(value) || known[name+" "+types.ExprString(field)+" = "+types.ExprString(value)] {
			return
		}
		was.assigned(func(other *ast.FuncDecl, o ast.Expr, v ast.Expr) {
			if found == "" && match.IsNil(v) && was.slot(o) == slot && syntax.NameOf(other) != name {
				at := was.fset.Position(o.Pos())
				found = fmt.Sprintf("fills %s again, which %s sets to nil (%s:%d)", types.ExprString(field), syntax.NameOf(other), filepath.Base(at.Filename), at.Line)
			}
		})
	})
	return found
}

// assigned visits the fields that are assigned to, with their values.
func (t typed) assigned(visit func(fn *ast.FuncDecl, field, value ast.Expr)) {
	for _, f := range t.files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			for a := range syntax.All[*ast.AssignStmt](fn) {
				for i, l := range a.Lhs {
					if _, isField := l.(*ast.SelectorExpr); isField && a.Tok == token.ASSIGN && len(a.Lhs) == len(a.Rhs) {
						visit(fn, l, a.Rhs[i])
					}
				}
			}
		}
	}
}
