package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
)

// checkedLate moves the statement that fails below the check of what makes it fail, where
// that comes right after it and leaves.
func (f *fixer) checkedLate() {
	s := f.chosen
	if s.expr == nil || s.anchor() == nil {
		return
	}
	anchor := s.anchor()
	switch anchor.(type) {
	case *ast.AssignStmt, *ast.ExprStmt, *ast.DeclStmt:
	default:
		return
	}
	var list []ast.Stmt
	for i := range len(s.path) - 1 {
		if s.path[i] == ast.Node(anchor) {
			list = statements(s.path[i+1])
		}
	}
	_, at := within(list, anchor.Pos())
	if at < 0 || at+1 >= len(list) {
		return
	}
	check, ok := list[at+1].(*ast.IfStmt)
	if !ok || check.Init != nil || check.Else != nil || !s.endsHere(check.Body) || !s.shares(check.Cond, s.bad) || s.needs(check, anchor) {
		return
	}
	text := brief(f.text(check.Cond))
	f.offer(idea{rule: "order/checked-late", title: fmt.Sprintf("check %s before it is used", text), weight: origin,
		change:  f.change().remove(anchor).after(check, f.text(anchor)),
		why:     fmt.Sprintf("The check of %s came after the statement that needs it.", text),
		grounds: "what makes it fail is checked after it (" + f.relWhere(check.Pos()) + ")"})
}

// endsHere reports whether a block leaves the list that it stands in.
func (p place) endsHere(block *ast.BlockStmt) bool {
	if len(block.List) == 0 {
		return false
	}
	switch last := block.List[len(block.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		call, ok := last.X.(*ast.CallExpr)
		return ok && neverReturns(p, call)
	}
	return false
}

// shares reports whether two expressions have a variable in common.
func (p place) shares(a, b ast.Expr) (found bool) {
	ast.Inspect(a, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			v, isVar := p.info().ObjectOf(id).(*types.Var)
			found = found || isVar && !v.IsField() && mentionsObject(p, b, v)
		}
		return !found
	})
	return found
}

// needs reports whether a statement uses what another one defines or assigns.
func (p place) needs(s, other ast.Stmt) (found bool) {
	ast.Inspect(other, func(n ast.Node) bool {
		if as, ok := n.(*ast.AssignStmt); ok {
			for _, l := range as.Lhs {
				found = found || mentionsObject(p, s, p.object(l))
			}
		}
		return !found
	})
	return found
}
