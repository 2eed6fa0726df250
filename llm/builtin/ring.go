package builtin

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// remainders keeps the index of a ring inside of it.
func (f *fixer) remainders(x indexing) {
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
		f.offer(idea{title: fmt.Sprintf("wrap %s into the range of %s", short(f.text(b)), base), weight: origin,
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
		f.offer(idea{title: fmt.Sprintf("take the remainder by len(%s)", base), weight: origin,
			change: f.change().replace(b.Y.Pos(), b.Y.End(), text), why: "The remainder is now always an index of " + base + "."})
	}
}

// wrapRing takes the remainder of an index into a ring: a slice whose other
// indices are taken by its length.
func (f *fixer) wrapRing(x indexing) {
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
	base, index := x.text(f)
	f.diagnosis.Origin = ""
	f.note(fmt.Sprintf("%s is a ring, and its end is not wrapped here", base), x.index.Pos())
	f.offer(idea{title: fmt.Sprintf("wrap the index around the end of %s", base), weight: origin, change: f.change().replace(x.index.Pos(), x.index.End(), paren(x.index, index)+" % len("+base+")"),
		why: fmt.Sprintf("Elsewhere indices of %s are taken by its length; the same is done here, so that the place behind the last is the first.", base)})
}

// cycles are the lengths of tables that begin anew: months, hours, minutes, days of the week.
var cycles = map[int64][]string{12: {"month", "note", "hour", "clock"}, 24: {"hour", "price", "tariff", "slot"}, 60: {"minute", "second"}, 7: {"day", "week"}, 26: {"letter", "alphabet", "rot", "shift"}, 360: {"degree", "angle"}}

// wrapCycle begins a table of hours, months or the like again behind its end.
func (f *fixer) wrapCycle(x indexing) {
	words, ok := cycles[x.length]
	if !ok || x.negative() || isConstant(x.place, x.index) || x.suffix != "" {
		return
	}
	text := strings.ToLower(f.text(x.base) + " " + f.text(x.index) + " " + funcName(x.function()))
	if d := x.declaration(); d != nil {
		text += strings.ToLower(d.Doc.Text())
		for _, p := range d.Type.Params.List {
			text += " " + strings.ToLower(f.text(p))
		}
	}
	for _, word := range words {
		if strings.Contains(text, word) {
			base, index := x.text(f)
			f.note(fmt.Sprintf("%s goes on behind the last of %d (%s)", index, x.length, f.where(x.index.Pos())), x.index.Pos())
			f.offer(idea{title: fmt.Sprintf("begin %s again behind its end", base), weight: origin + 1, change: f.change().replace(x.index.Pos(), x.index.End(), paren(x.index, index)+"%len("+base+")"),
				why: fmt.Sprintf("%s has %d places, one for each %s; behind the last comes the first.", base, x.length, word)})
			return
		}
	}
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
