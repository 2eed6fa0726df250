package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// shortEnough leaves a text as it is where there is nothing to cut off: a
// function that shortens, or a cut that is marked with dots.
func (f boundRules) shortEnough(x slicing) {
	if x.fault != highTooLarge || x.slice.Low != nil || !isPathOrIndex(x.slice.X) || f.slicedAgain(x) {
		return
	}
	limit := f.limitOf(x)
	base := f.text(x.slice.X)
	marked := false
	for i := 1; i < len(x.path); i++ {
		b, ok := x.path[i].(*ast.BinaryExpr)
		if !ok {
			break
		}
		marked = marked || b.Op == token.ADD && b.X == x.path[i-1]
	}
	if limit == "" || !marked && !shortens(funcName(x.declaration())) {
		return
	}
	why := fmt.Sprintf("%s that is no longer than %s needs no cut and stays as it is.", base, limit)
	switch s := x.anchor().(type) {
	case *ast.ReturnStmt:
		if len(s.Results) != 1 || !types.Identical(x.info().TypeOf(s.Results[0]), x.info().TypeOf(x.slice.X)) || !cutAlone(x, s.Results[0]) {
			return
		}
		f.offer(idea{rule: "shorten/short-enough", title: fmt.Sprintf("leave %s as it is where it is short enough", base), weight: origin, why: why,
			change: f.change().before(s, fmt.Sprintf("if len(%s) <= %s {\n\treturn %s\n}", base, limit, base))})
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 || !cutAlone(x, s.Rhs[0]) || !types.Identical(x.info().TypeOf(s.Rhs[0]), x.info().TypeOf(x.slice.X)) {
			return
		}
		f.cutOnlyLong(x, s, base, limit, why)
	}
}

func (f boundRules) cutOnlyLong(x slicing, s *ast.AssignStmt, base, limit, why string) {
	name := f.text(s.Lhs[0])
	text := fmt.Sprintf("if len(%s) > %s {\n\t%s = %s\n}", base, limit, name, f.text(s.Rhs[0]))
	if name != base {
		text = fmt.Sprintf("%s %s %s\n", name, s.Tok, base) + text
	}
	f.offer(idea{rule: "shorten/cut-only-long", title: fmt.Sprintf("cut %s only where it is too long", base), weight: origin, change: f.change().replace(s.Pos(), s.End(), text), why: why,
		grounds: fmt.Sprintf("the cut is there to make it at most %s long (%s)", limit, f.where(x.slice.Pos()))})
}

// cutAlone reports whether an expression is the cut with nothing but a mark after it.
func cutAlone(x slicing, e ast.Expr) bool {
	for {
		e = ast.Unparen(e)
		if e == ast.Expr(x.slice) {
			return true
		}
		b, ok := e.(*ast.BinaryExpr)
		if !ok || b.Op != token.ADD {
			return false
		}
		e = b.X
	}
}

// limitOf is the length that the result is to have at most: the bound without
// what is kept for the mark.
func (f boundRules) limitOf(x slicing) string {
	e := ast.Unparen(x.bad)
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.SUB {
		if name, _ := x.builtin(b.Y); isConstant(x.place, b.Y) || name == "len" {
			e = ast.Unparen(b.X)
		}
	}
	if !isPathOrIndex(e) {
		return ""
	}
	return f.text(e)
}

// shortens reports whether a function makes things shorter, by its name.
func shortens(name string) bool {
	low := strings.ToLower(name)
	for _, word := range []string{"trunc", "short", "abbr", "ellips", "elide", "crop", "clip", "limit", "preview", "summar", "excerpt", "snippet", "fit", "trim", "cap", "head", "first", "take", "top"} {
		if strings.Contains(low, word) {
			return true
		}
	}
	return false
}

// slicedAgain reports whether the function slices the base at this bound elsewhere
// too, so that a cut is not all there is to fix.
func (f boundRules) slicedAgain(x slicing) bool {
	again := false
	ast.Inspect(bodyOf(x.function()), func(n ast.Node) bool {
		sl, ok := n.(*ast.SliceExpr)
		if ok && sl != x.slice && f.text(sl.X) == f.text(x.slice.X) {
			again = again || f.text(orNil(sl.Low)) == f.text(x.bad) || f.text(orNil(sl.High)) == f.text(x.bad)
		}
		return !again
	})
	return again
}
