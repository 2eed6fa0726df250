package fixer

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// inOtherBranches lists the statements in other branches that use the same
// expression and stop as well: to guard one of them is not enough. ok is false
// where they cannot be left in the same way.
func (f *proposal) inOtherBranches(p syntax.Place) (list []ast.Stmt, ok bool) {
	var others []ast.Node
	for i := 1; i < len(p.Path)-1; i++ {
		switch n := p.Path[i].(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			i = len(p.Path)
		case *ast.IfStmt:
			if p.Path[i-1] == ast.Node(n.Body) && n.Else != nil {
				others = append(others, n.Else)
			} else if p.Path[i-1] == n.Else {
				others = append(others, n.Body)
			}
		case *ast.CaseClause:
			if body, isBlock := p.Path[i+1].(*ast.BlockStmt); isBlock {
				for _, c := range body.List {
					if c != ast.Stmt(n) {
						others = append(others, c)
					}
				}
			}
		}
	}
	ok = true
	for _, other := range others {
		ast.Inspect(other, func(n ast.Node) bool {
			e, isExpr := n.(ast.Expr)
			if !isExpr || !f.stopsAlike(p, e) {
				return ok
			}
			at := p.Of(e)
			stmt := at.Anchor()
			ok = ok && stmt != nil && at.Function() == p.Function() && at.Loop() == p.Loop()
			if !slices.Contains(list, stmt) {
				list = append(list, stmt)
			}
			return false
		})
	}
	return list, ok
}

// stopsAlike reports whether an expression stops where the place's does: it is the
// same one, or divides by the same.
func (f *proposal) stopsAlike(p syntax.Place, e ast.Expr) bool {
	own, isExpr := p.Node().(ast.Expr)
	if !isExpr {
		return false
	}
	if d, ok := divisor(own); ok {
		if other, divides := divisor(e); divides {
			own, e = d, other
		}
	}
	names := func(n ast.Node) (list []types.Object) {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				list = append(list, p.Info().ObjectOf(id))
			}
			return true
		})
		return list
	}
	return f.Text(own) == f.Text(e) && slices.Equal(names(own), names(e))
}

// divisor is what an expression divides by.
func divisor(e ast.Expr) (ast.Expr, bool) {
	b, ok := e.(*ast.BinaryExpr)
	if !ok || b.Op != token.QUO && b.Op != token.REM {
		return nil, false
	}
	return b.Y, true
}
