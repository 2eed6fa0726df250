package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// remainders keeps the index of a ring inside of it.
func (f indexRules) remainders(x indexing) {
	base := f.text(x.base)
	e, p := ast.Unparen(x.index), x.place
	if id, ok := e.(*ast.Ident); ok {
		src := f.trace(x.place, x.frame, id)
		if src.expr != nil {
			e, p = ast.Unparen(src.expr), src.place
		}
	}
	e = unconvert(p, e)
	b, ok := e.(*ast.BinaryExpr)
	if !ok || b.Op != token.REM {
		return
	}
	n := f.text(b.Y)
	if x.negative() {
		f.note(fmt.Sprintf("the remainder of a negative number is negative (%s)", f.where(b.OpPos)), b.OpPos)
		text := fmt.Sprintf("(%s%%%s + %s) %% %s", paren(b.X, f.text(b.X)), n, n, n)
		if _, isParen := b.X.(*ast.ParenExpr); isParen {
			text = fmt.Sprintf("(%s%%%s + %s) %% %s", f.text(b.X), n, n, n)
		}
		f.offer(idea{rule: "ring/remainders", title: fmt.Sprintf("wrap %s into the range of %s", short(f.text(b)), base), weight: origin,
			change: f.change().replace(b.Pos(), b.End(), text), why: "Adding the divisor before a second remainder makes it the index it should be, from 0 up."})
		return
	}
	if d, known := f.number(p, x.frame, b.Y); (known && d > x.length) || !known {
		text := "len(" + base + ")"
		if t := p.info().TypeOf(b.X); t != nil && !types.Identical(t, types.Typ[types.Int]) {
			name, _ := typeText(p, t)
			text = name + "(" + text + ")"
		}
		f.note(fmt.Sprintf("the divisor %s is larger than the length (%s)", n, f.where(b.OpPos)), b.OpPos)
		f.offer(idea{rule: "ring/remainders", title: fmt.Sprintf("take the remainder by len(%s)", base), weight: origin,
			change: f.change().replace(b.Y.Pos(), b.Y.End(), text), why: "The remainder is now always an index of " + base + "."})
	}
}

// wrapRing takes the remainder of an index into a ring: a slice whose other
// indices are taken by its length.
func (f indexRules) wrapRing(x indexing) {
	if x.negative() || x.length <= 0 {
		return
	}
	obj := x.object(x.base)
	_, field := obj.(*types.Var)
	ring := false
	f.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			if b, ok := n.(*ast.BinaryExpr); ok && b.Op == token.REM {
				if name, call := p.builtin(b.Y); name == "len" && field && f.same(p.object(call.Args[0]), obj) {
					ring = true
				}
			}
			return true
		})
	})
	if !ring || isConstant(x.place, x.index) {
		return
	}
	base, index := x.text(f.code)
	f.diagnosis.Origin = ""
	f.note(fmt.Sprintf("%s is a ring, and its end is not wrapped here", base), x.index.Pos())
	f.offer(idea{rule: "ring/wrap-ring", title: fmt.Sprintf("wrap the index around the end of %s", base), weight: origin, change: f.change().replace(x.index.Pos(), x.index.End(), paren(x.index, index)+" % len("+base+")"),
		why: fmt.Sprintf("Elsewhere indices of %s are taken by its length; the same is done here, so that the place after the last is the first.", base)})
}

func unconvert(p place, e ast.Expr) ast.Expr {
	e = ast.Unparen(e)
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 {
		if tv, ok := p.info().Types[call.Fun]; ok && tv.IsType() {
			return ast.Unparen(call.Args[0])
		}
	}
	return e
}
