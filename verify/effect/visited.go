package effect

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
)

// makesUp reports whether a guard of a recursion gives a constant for what was
// visited before, and the function does with it what it does with real results.
// Where results are added up, zero is nothing; anywhere else it is a made-up
// value. What is nil has no value, and is another case.
func (b *function) makesUp(s *ast.ReturnStmt, when string) bool {
	if len(s.Results) == 0 || !match.Constants(s) || !lookup(when) {
		return false
	}
	kinds := results(b.typ)
	if last := kinds[len(kinds)-1]; last == "bool" || last == "error" && len(kinds) == 1 {
		return false
	}
	calls, neutral := 0, 0
	ast.Inspect(b.fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			switch {
			case b.recursive(n):
				calls++
			case syntax.Called(n) == "append" && n.Ellipsis.IsValid() && b.recursive(n.Args[len(n.Args)-1]):
				neutral++
			}
		case *ast.ExprStmt:
			neutral += b.count(n.X)
		case *ast.AssignStmt:
			if n.Tok == token.ADD_ASSIGN {
				neutral += b.count(n.Rhs[0])
			}
		case *ast.BinaryExpr:
			if n.Op == token.ADD {
				neutral += b.count(n.X) + b.count(n.Y)
			}
		}
		return true
	})
	return neutral < calls
}

// addedOnce notes a guard that gives zero for what was visited before where the
// results are numbers that are added up. A visit from within another of the same
// thing never came to an end; one after it did, and its share is missing now.
func (b *function) addedOnce(s *ast.ReturnStmt, at place) {
	kinds := results(b.typ)
	if len(kinds) != 1 || !match.AllZero(s) || !lookup(at.when) || !number(kinds[0]) {
		return
	}
	for _, stmt := range b.fn.Body.List {
		a, ok := stmt.(*ast.AssignStmt)
		if !ok || a.Tok != token.ASSIGN || b.after.code(a.Lhs[0]) != at.when {
			continue
		}
		b.point(s, at, verdict.Skips, "adds nothing")
		p := &b.report.Points[len(b.report.Points)-1]
		p.key, p.entered = b.after.code(a.Lhs[0].(*ast.IndexExpr).Index), b.after.offset(a.End())
	}
}

// number reports whether a type is one of numbers.
func number(kind string) bool {
	return strings.HasPrefix(kind, "int") || strings.HasPrefix(kind, "uint") || strings.HasPrefix(kind, "float")
}

// count is 1 for a call of the function itself.
func (b *function) count(e ast.Expr) int {
	if b.recursive(e) {
		return 1
	}
	return 0
}

// recursive reports whether an expression calls the function that it is in.
func (b *function) recursive(e ast.Expr) bool {
	c, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	switch f := c.Fun.(type) {
	case *ast.Ident:
		return b.fn.Recv == nil && f.Name == b.fn.Name.Name
	case *ast.SelectorExpr:
		return b.fn.Recv != nil && f.Sel.Name == b.fn.Name.Name
	}
	return false
}

// lookup reports whether a condition is one of a map's elements, "seen[x]".
func lookup(when string) bool {
	e, err := parser.ParseExpr(when)
	if err != nil {
		return false
	}
	_, ok := e.(*ast.IndexExpr)
	return ok
}
