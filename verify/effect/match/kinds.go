package match

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/pausetui/pausetui/verify/syntax"
)

// IsComparison reports whether an operator compares.
func IsComparison(op token.Token) bool {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}

// IsLeave reports whether a statement leaves the function, or the block, that it is in.
func IsLeave(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// Listed are the statements of all lists in a node.
func Listed(in ast.Node) (list []ast.Stmt) {
	for n := range ast.Preorder(in) {
		list = append(list, ListOf(n)...)
	}
	return list
}

// ListOf returns the statements that a node holds as a list.
func ListOf(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case ast.Stmt:
		return syntax.ClauseBody(n)
	}
	return nil
}

// WorkedOut reports whether an expression does something, or makes a value: a name
// alone is nothing to look for.
func WorkedOut(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CallExpr, *ast.TypeAssertExpr, *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.ARROW || e.Op == token.AND
	}
	return false
}

// Blank reports whether an assignment keeps nothing.
func Blank(a *ast.AssignStmt) bool {
	return !slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return !ok || id.Name != "_"
	})
}

// Constants reports whether a return gives constants only.
func Constants(r *ast.ReturnStmt) bool {
	return !slices.ContainsFunc(r.Results, func(e ast.Expr) bool { return !Constant(e) })
}

// Constant reports whether an expression is a literal, true, or written as a zero value.
func Constant(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return e.Name == "true" || ZeroValue(e)
	case *ast.UnaryExpr:
		return e.Op == token.SUB && Constant(e.X) || ZeroValue(e)
	}
	return ZeroValue(e)
}

// Bare reports whether a statement is a return that computes nothing: it
// replaces no work.
func Bare(s ast.Stmt) bool {
	r, ok := s.(*ast.ReturnStmt)
	if !ok {
		return false
	}
	computes := false
	for _, e := range r.Results {
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr, *ast.BinaryExpr, *ast.IndexExpr, *ast.FuncLit:
				computes = true
			case *ast.CompositeLit:
				computes = computes || len(n.Elts) > 0
			}
			return !computes
		})
	}
	return !computes
}

// bareLeave reports whether a statement leaves, with names and constants at most.
func bareLeave(s ast.Stmt) bool {
	r, ok := s.(*ast.ReturnStmt)
	return IsLeave(s) && !(ok && slices.ContainsFunc(r.Results, func(e ast.Expr) bool {
		_, name := e.(*ast.Ident)
		return !name && !Constant(e)
	}))
}
