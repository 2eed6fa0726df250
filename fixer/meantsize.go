package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// wideEnough makes the width of a table or box that of the longest of what is
// padded to it, where the width is computed from something else before.
func (f sizeRules) wideEnough(s suspect) {
	diff, ok := ast.Unparen(s.bad).(*ast.BinaryExpr)
	if !ok || diff.Op != token.SUB {
		return
	}
	id, isIdent := ast.Unparen(diff.X).(*ast.Ident)
	loop, inLoop := s.loop().(*ast.RangeStmt)
	if !isIdent || !inLoop || loop.Value == nil || !isPathOrIndex(loop.X) || isConstant(s.place, id) {
		return
	}
	v, isVar := s.object(id).(*types.Var)
	if !isVar || !mentionsObject(s.place, diff.Y, s.object(loop.Value)) {
		return
	}
	defs := f.definitions(s.place, v)
	if len(defs) == 0 || defs[0].of != fromExpr || defs[0].declaration() != s.declaration() {
		return
	}
	as, isAssign := defs[0].stmt.(*ast.AssignStmt)
	if !isAssign || defs[0].of2(as).anchor() != ast.Stmt(as) || as.Pos() > loop.Pos() || f.madeAfter(s.place, loop.X, as) {
		return
	}
	for _, d := range defs[1:] {
		if d.stmt.Pos() < loop.Pos() && mentions(f.text(d.stmt), "max") {
			return
		}
	}
	item := f.text(loop.Value)
	f.blame(fmt.Sprintf("%s (%s) does not look at %s", f.text(as), f.where(as.Pos()), f.text(loop.X)), as.Pos())
	f.offer(idea{rule: "meantsize/wide-enough", title: fmt.Sprintf("make %s wide enough for %s", id.Name, f.text(loop.X)), weight: origin,
		change: f.change().after(as, fmt.Sprintf("for _, %s := range %s {\n\t%s = max(%s, %s)\n}", item, f.text(loop.X), id.Name, id.Name, f.text(diff.Y))),
		why:    fmt.Sprintf("What is padded to %s must not be longer; it is now at least as wide as the widest of %s.", id.Name, f.text(loop.X))})
}

// madeAfter reports whether a list gets its value only after a statement.
func (f sizeRules) madeAfter(p place, list ast.Expr, s ast.Stmt) bool {
	root, _ := rootOf(list)
	id, ok := root.(*ast.Ident)
	if !ok {
		return true
	}
	v, isVar := p.object(id).(*types.Var)
	if !isVar {
		return true
	}
	for _, d := range f.definitions(p, v) {
		if d.stmt.Pos() > s.Pos() && !isGlobal(v) {
			return true
		}
	}
	return false
}
