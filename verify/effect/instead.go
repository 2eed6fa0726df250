package effect

import (
	"go/ast"
	"slices"
)

// instead returns where the branches begin, as byte offsets, that do something in the
// place of a statement: those of new ifs and switches around it, and of new ifs before
// it that leave. What they are worth, points tell.
func (s source) instead(stmt ast.Stmt, before source) (offsets []int) {
	there := map[string]bool{}
	for n := range ast.Preorder(before.ast) {
		if isBranching(n) {
			there[before.code(n)] = true
		}
	}
	for n := range ast.Preorder(s.declarationOf(stmt)) {
		if !isBranching(n) || there[s.code(n)] {
			continue
		}
		around := n.Pos() <= stmt.Pos() && stmt.End() <= n.End()
		for _, b := range branchesOf(n) {
			last := len(b) - 1
			switch {
			case last < 0, b[0].Pos() <= stmt.Pos() && stmt.End() <= b[last].End():
			case around && s.acts(b), n.End() <= stmt.Pos() && isLeave(b[last]) && s.acts(b[:last]):
				offsets = append(offsets, s.offset(b[0].Pos()))
			}
		}
	}
	return offsets
}

// declarationOf is the function that a statement is in.
func (s source) declarationOf(stmt ast.Stmt) ast.Node {
	i := slices.IndexFunc(s.ast.Decls, func(d ast.Decl) bool { return d.Pos() <= stmt.Pos() && stmt.End() <= d.End() })
	return s.ast.Decls[i]
}

func isBranching(n ast.Node) bool {
	switch n.(type) {
	case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt:
		return true
	}
	return false
}

// branchesOf are the statements that a condition may lead to.
func branchesOf(n ast.Node) (branches [][]ast.Stmt) {
	var clauses []ast.Stmt
	switch n := n.(type) {
	case *ast.IfStmt:
		branches = append(branches, n.Body.List)
		if other, ok := n.Else.(*ast.BlockStmt); ok {
			branches = append(branches, other.List)
		}
		return branches
	case *ast.SwitchStmt:
		clauses = n.Body.List
	case *ast.TypeSwitchStmt:
		clauses = n.Body.List
	}
	for _, c := range clauses {
		branches = append(branches, clauseBody(c))
	}
	return branches
}

func isLeave(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// acts reports whether statements do more than print.
func (s source) acts(list []ast.Stmt) bool {
	return slices.ContainsFunc(list, func(stmt ast.Stmt) bool {
		switch stmt := stmt.(type) {
		case *ast.EmptyStmt, *ast.ReturnStmt, *ast.BranchStmt:
			return false
		case *ast.AssignStmt:
			return !blank(stmt)
		case *ast.ExprStmt:
			return !prints(s, stmt)
		}
		return true
	})
}
