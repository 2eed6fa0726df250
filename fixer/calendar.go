package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
)

// monthIndex takes one off a time.Month that indexes a table of twelve: months
// begin at 1.
func (f indexRules) monthIndex(x indexing) {
	isMonth := func(p place, e ast.Expr) bool {
		t := p.info().TypeOf(unconvert(p, e))
		return t != nil && types.TypeString(t, nil) == "time.Month"
	}
	obj := x.object(x.base)
	if x.length != 12 || x.value != 12 || obj == nil || !isMonth(x.place, x.index) {
		return
	}
	ch := f.change()
	f.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			if ix, ok := n.(*ast.IndexExpr); ok && f.same(p.object(ix.X), obj) && isMonth(p, ix.Index) {
				ch.insert(ix.Index.End(), "-1")
			}
			return true
		})
	})
	base, index := x.text(f.code)
	f.note("months are counted from 1", x.index.Pos())
	f.offer(idea{rule: "calendar/month-index", title: fmt.Sprintf("index %s with %s-1", base, short(index)), weight: origin - 2, change: ch,
		grounds: "time.January is 1, and the table begins with its first month at 0",
		why:     fmt.Sprintf("%s has twelve places from 0 on, while time.Month counts from 1.", base)})
}

// scaledIndex keeps an index inside that is a share of the length, scaled with
// floating point: the largest value itself comes to the length.
func (f indexRules) scaledIndex(x indexing) {
	if x.value != x.length || x.length <= 0 || x.suffix != "" {
		return
	}
	src := f.trace(x.place, x.frame, x.index)
	e, p := ast.Unparen(orNil(src.expr)), src.place
	base := f.text(x.base)
	if call, ok := e.(*ast.CallExpr); ok {
		if d, found := f.declarationOf(p.callee(call)); found {
			list := returnsOf(d.node())
			if len(list) != 1 || len(list[0].Results) != 1 {
				return
			}
			e, p = ast.Unparen(list[0].Results[0]), d
			if base = f.lengthTaken(d, e, x.object(x.base)); base == "" {
				return
			}
		}
	} else if src.declaration() != x.declaration() {
		return
	}
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !p.info().Types[call.Fun].IsType() || !isFloat(p.info().TypeOf(call.Args[0])) || !isIntType(p.info().TypeOf(call)) {
		return
	}
	f.note(fmt.Sprintf("%s (%s) comes to the length for the largest value", short(f.text(e)), f.where(e.Pos())), e.Pos())
	f.offer(idea{rule: "calendar/scaled-index", title: "put the largest value into the last place", weight: origin + 1,
		change: f.change().replace(e.Pos(), e.End(), fmt.Sprintf("min(%s, len(%s)-1)", f.text(e), base)),
		why:    fmt.Sprintf("The largest value is the upper bound itself, and scales to one past the last index of %s; it now belongs to the last place.", base)})
}

func isFloat(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsFloat != 0
}

// lengthTaken is how an expression of another function names the base whose
// length it takes.
func (f indexRules) lengthTaken(p place, e ast.Expr, base types.Object) string {
	text := ""
	ast.Inspect(e, func(n ast.Node) bool {
		if m, ok := n.(ast.Expr); ok {
			if name, call := p.builtin(m); name == "len" && base != nil && f.same(p.object(call.Args[0]), base) {
				text = f.text(call.Args[0])
			}
		}
		return text == ""
	})
	return text
}
