package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// growFirst makes a slice as long as the index needs, where the element of a
// group is appended to or counted: groups come into being as they are named.
func (f indexRules) growFirst(x indexing) {
	t, isSlice := x.info().TypeOf(x.base).Underlying().(*types.Slice)
	anchor := x.anchor()
	if !isSlice || x.negative() || anchor == nil || x.suffix != "" || !isPathOrIndex(x.base) || !isPathOrIndex(x.index) || isConstant(x.place, x.index) {
		return
	}
	var w weight
	switch s := anchor.(type) {
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || ast.Unparen(s.Lhs[0]) != ast.Expr(x.expr.(*ast.IndexExpr)) {
			return
		}
		w = f.growWeight(x, s)
	case *ast.IncDecStmt:
		w = handled - 1
	default:
		return
	}
	if w < 0 {
		return
	}
	empty, fits := zero(x.place, t.Elem())
	if !fits {
		return
	}
	base, index := x.text(f.code)
	f.offer(idea{rule: "grow/grow-first", title: fmt.Sprintf("make %s long enough first", base), weight: w,
		change: f.change().before(anchor, fmt.Sprintf("for len(%s) <= %s {\n\t%s = append(%s, %s)\n}", base, index, base, base, empty)),
		why:    fmt.Sprintf("%s has no place %s yet; it grows by empty ones until it has.", base, index)})
}

// growWeight weighs an assignment: x[i] = append(x[i], v) can mean nothing
// else; others may; -1 for those that do not.
func (f indexRules) growWeight(x indexing, s *ast.AssignStmt) weight {
	if name, call := x.builtin(s.Rhs[0]); name == "append" && f.text(call.Args[0]) == f.text(s.Lhs[0]) {
		return origin + 1
	}
	if s.Tok == token.ADD_ASSIGN {
		return handled - 1
	}
	return -1
}
