package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// twoLists fixes the comparison of two lists by place where one is longer: lists
// of different lengths are not the same, and what only one has differs.
func (f indexRules) twoLists(x indexing) {
	if x.negative() || x.suffix != "" || len(x.path) < 2 {
		return
	}
	cmp, ok := x.path[1].(*ast.BinaryExpr)
	if !ok || cmp.Op != token.NEQ {
		return
	}
	other, ok := ast.Unparen(cmp.X).(*ast.IndexExpr)
	if !ok || other == x.expr {
		if other, ok = ast.Unparen(cmp.Y).(*ast.IndexExpr); !ok {
			return
		}
	}
	loop, isRange := x.loop().(*ast.RangeStmt)
	check, isIf := x.of(cmp).path[1].(*ast.IfStmt)
	if !isRange || !isIf || loop.Key == nil || f.text(loop.Key) != f.text(x.index) || f.text(other.Index) != f.text(x.index) || f.text(loop.X) != f.text(other.X) || !isPathOrIndex(x.base) || !isPathOrIndex(other.X) {
		return
	}
	a, b := f.text(other.X), f.text(x.base)
	if f.sameLengthFirst(x, loop, check, a, b) {
		return
	}
	f.onlyOneHas(loop, cmp, a, b)
}

// sameLengthFirst compares the lengths before the elements, in a function that
// returns false at the first difference.
func (f indexRules) sameLengthFirst(x indexing, loop *ast.RangeStmt, check *ast.IfStmt, a, b string) bool {
	sig := x.signature()
	if sig == nil || sig.Results().Len() != 1 || !isBool(sig.Results().At(0).Type()) || len(check.Body.List) != 1 {
		return false
	}
	r, ok := check.Body.List[0].(*ast.ReturnStmt)
	if !ok || f.text(r.Results[0]) != "false" || x.of(loop).anchor() != ast.Stmt(loop) {
		return false
	}
	return f.offer(idea{rule: "twolists/same-length-first", title: fmt.Sprintf("compare the lengths of %s and %s first", a, b), weight: origin - 2,
		change:  f.change().before(loop, fmt.Sprintf("if len(%s) != len(%s) {\n\treturn false\n}", a, b)),
		grounds: fmt.Sprintf("the loop returns false at the first difference (%s)", f.where(r.Pos())),
		why:     "Lists of different lengths are not the same, whatever is in them."})
}

// onlyOneHas counts as different what only one of the lists has.
func (f indexRules) onlyOneHas(loop *ast.RangeStmt, cmp *ast.BinaryExpr, a, b string) {
	i := f.text(loop.Key)
	ch := f.change()
	if loop.Value == nil && !f.indexedElsewhere(loop, cmp, i) {
		ch.replace(loop.X.Pos(), loop.X.End(), fmt.Sprintf("max(len(%s), len(%s))", a, b)).
			insert(cmp.Pos(), fmt.Sprintf("%s >= len(%s) || %s >= len(%s) || ", i, a, i, b))
	} else {
		ch.insert(cmp.Pos(), fmt.Sprintf("%s >= len(%s) || ", i, b))
	}
	f.offer(idea{rule: "twolists/only-one-has", title: fmt.Sprintf("count what only one of %s and %s has as different", a, b), weight: handled - 2, change: ch,
		why: fmt.Sprintf("Where one of %s and %s ends, the other goes on; what it has there differs.", a, b)})
}

// indexedElsewhere reports whether a loop uses its counter for more than the
// comparison, other than as a number.
func (f indexRules) indexedElsewhere(loop *ast.RangeStmt, cmp *ast.BinaryExpr, i string) bool {
	found := false
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		if n == ast.Node(cmp) {
			return false
		}
		if ix, ok := n.(*ast.IndexExpr); ok && strings.TrimSpace(f.text(ix.Index)) == i {
			found = true
		}
		return !found
	})
	return found
}
