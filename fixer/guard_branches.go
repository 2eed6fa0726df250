package fixer

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// inOtherBranches lists the statements in other branches that use the same
// expression and stop as well: to guard one of them is not enough. ok is false
// where they cannot be left in the same way.
func (f *proposal) inOtherBranches(p place) (list []ast.Stmt, ok bool) {
	var others []ast.Node
	for i := 1; i < len(p.path)-1; i++ {
		switch n := p.path[i].(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			i = len(p.path)
		case *ast.IfStmt:
			if p.path[i-1] == ast.Node(n.Body) && n.Else != nil {
				others = append(others, n.Else)
			} else if p.path[i-1] == n.Else {
				others = append(others, n.Body)
			}
		case *ast.CaseClause:
			if body, isBlock := p.path[i+1].(*ast.BlockStmt); isBlock {
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
			at := p.of(e)
			stmt := at.anchor()
			ok = ok && stmt != nil && at.function() == p.function() && at.loop() == p.loop()
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
func (f *proposal) stopsAlike(p place, e ast.Expr) bool {
	own, isExpr := p.node().(ast.Expr)
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
				list = append(list, p.info().ObjectOf(id))
			}
			return true
		})
		return list
	}
	return f.text(own) == f.text(e) && slices.Equal(names(own), names(e))
}

// divisor is what an expression divides by.
func divisor(e ast.Expr) (ast.Expr, bool) {
	b, ok := e.(*ast.BinaryExpr)
	if !ok || b.Op != token.QUO && b.Op != token.REM {
		return nil, false
	}
	return b.Y, true
}
