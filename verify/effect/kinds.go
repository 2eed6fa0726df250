package effect

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/syntax"
)

func names(s source, list []ast.Expr) string {
	var text []string
	for _, e := range list {
		text = append(text, s.code(e))
	}
	return strings.Join(text, ", ")
}

func isComparison(op token.Token) bool {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}

// isLeave reports whether a statement leaves the function, or the block, that it is in.
func isLeave(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// listed are the statements of all lists in a node.
func listed(in ast.Node) (list []ast.Stmt) {
	for n := range ast.Preorder(in) {
		list = append(list, listOf(n)...)
	}
	return list
}

// listOf returns the statements that a node holds as a list.
func listOf(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case ast.Stmt:
		return syntax.ClauseBody(n)
	}
	return nil
}

// workedOut reports whether an expression does something, or makes a value: a name
// alone is nothing to look for.
func workedOut(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CallExpr, *ast.TypeAssertExpr, *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.ARROW || e.Op == token.AND
	}
	return false
}

// doesSomething reports whether a statement does more than print.
func (s source) doesSomething(stmt ast.Stmt) bool {
	switch stmt := stmt.(type) {
	case *ast.EmptyStmt:
		return false
	case *ast.AssignStmt:
		return !blank(stmt)
	case *ast.ExprStmt:
		return !prints(s, stmt)
	}
	return true
}

// blank reports whether an assignment keeps nothing.
func blank(a *ast.AssignStmt) bool {
	return !slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return !ok || id.Name != "_"
	})
}

// aboutError recognizes "err != nil".
func aboutError(cond ast.Expr) bool {
	c, ok := cond.(*ast.BinaryExpr)
	if !ok || c.Op != token.NEQ || !isNil(c.Y) {
		return false
	}
	id, ok := c.X.(*ast.Ident)
	return ok && strings.HasSuffix(strings.ToLower(id.Name), "err")
}

// constants reports whether a return gives constants only.
func constants(r *ast.ReturnStmt) bool {
	return !slices.ContainsFunc(r.Results, func(e ast.Expr) bool { return !constant(e) })
}

func constant(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return e.Name == "true" || zeroValue(e)
	case *ast.UnaryExpr:
		return e.Op == token.SUB && constant(e.X) || zeroValue(e)
	}
	return zeroValue(e)
}

// bare reports whether a statement is a return that computes nothing: it
// replaces no work.
func bare(s ast.Stmt) bool {
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
	return isLeave(s) && !(ok && slices.ContainsFunc(r.Results, func(e ast.Expr) bool {
		_, name := e.(*ast.Ident)
		return !name && !constant(e)
	}))
}
