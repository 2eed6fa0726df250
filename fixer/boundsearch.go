package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// Bounds that a search gave are -1 where it found nothing: this file says what
// the slice is then.

// wholeInstead takes all of the text where the mark that ends it is missing, and
// nothing where the mark that begins it is.
func (f boundRules) wholeInstead(x slicing, name string, src source) {
	base := f.text(x.slice.X)
	var title, why string
	switch {
	case x.fault == highNegative && x.slice.High != nil && (x.slice.Low == nil || x.bad == x.slice.High):
		title, why = fmt.Sprintf("take all of %s where the mark is missing", base), fmt.Sprintf("Where the search finds nothing, the slice reaches to the end of %s.", base)
	case x.fault == lowNegative && x.slice.High == nil && f.text(x.bad) == name:
		title, why = fmt.Sprintf("take nothing of %s where the mark is missing", base), "Where the search finds nothing, the slice is empty."
	default:
		return
	}
	ch := f.change().after(src.stmt, fmt.Sprintf("if %s < 0 {\n\t%s = len(%s)\n}", name, name, base))
	f.offer(idea{rule: "bound/whole-instead", title: title, weight: handled + 4, change: ch, why: why})
}

// wholeInline does so for a search that is inside the bounds.
func (f boundRules) wholeInline(x slicing, call *ast.CallExpr) {
	anchor := x.anchor()
	if anchor == nil || !hoistable(x.of(call), anchor) || x.slice.Low != nil && x.slice.High != nil || ast.Unparen(x.bad) != ast.Expr(call) || f.text(call.Args[0]) != f.text(x.slice.X) {
		return
	}
	base := f.text(x.slice.X)
	name := fresh(x.place, "end", "at", "pos")
	title, why := fmt.Sprintf("take all of %s where the mark is missing", base), fmt.Sprintf("Where the search finds nothing, the slice reaches to the end of %s.", base)
	if x.slice.High == nil {
		title, why = fmt.Sprintf("take nothing of %s where the mark is missing", base), "Where the search finds nothing, the slice is empty."
	}
	ch := f.change().before(anchor, fmt.Sprintf("%s := %s\nif %s < 0 {\n\t%s = len(%s)\n}", name, f.text(call), name, name, base)).replace(call.Pos(), call.End(), name)
	f.offer(idea{rule: "bound/whole-inline", title: title, weight: handled + 4, change: ch, why: why})
}

// found is a bound that a search gave to a variable.
type found struct {
	name string
	as   *ast.AssignStmt
}

func (f boundRules) foundBound(x slicing, e ast.Expr) (found, bool) {
	e, _, _ = offsetOf(x.place, orNil(e))
	id, ok := ast.Unparen(orNil(e)).(*ast.Ident)
	if !ok {
		return found{}, false
	}
	src := f.trace(x.place, f.at, id)
	as, isAssign := src.stmt.(*ast.AssignStmt)
	call, isCall := ast.Unparen(orNil(src.expr)).(*ast.CallExpr)
	if !isAssign || !isCall || len(as.Lhs) != 1 || src.function() != x.function() || len(call.Args) == 0 || f.text(call.Args[0]) != f.text(x.slice.X) {
		return found{}, false
	}
	fn := src.callee(call)
	return found{f.text(as.Lhs[0]), as}, fn != nil && isSearch(fn)
}

// bothFound refuses a text in which one of two marks is missing, or they stand
// in the wrong order.
func (f boundRules) bothFound(x slicing) bool {
	low, okLow := f.foundBound(x, x.slice.Low)
	high, okHigh := f.foundBound(x, x.slice.High)
	if !okLow || !okHigh || low.name == high.name {
		return false
	}
	last := low.as
	if high.as.Pos() > last.Pos() {
		last = high.as
	}
	at := x.of(last)
	if at.anchor() != ast.Stmt(last) || f.text(x.of(low.as).path[1]) != f.text(x.of(high.as).path[1]) {
		return false
	}
	cond := fmt.Sprintf("%s < 0 || %s < %s", low.name, high.name, low.name)
	offered := false
	for _, e := range f.exits(at, message{"%q: it has not both marks in order", []string{f.text(x.slice.X)}}, "") {
		ch := f.change().after(last, "if "+cond+" {\n\t"+indented(e.lines)+"\n}").need(x.file, e.imports...)
		if e.edit != nil && !e.edit(ch) {
			continue
		}
		offered = f.offer(idea{rule: "bound/both-found", title: fmt.Sprintf("check that %s and %s were found: %s", low.name, high.name, shortHow(e)), weight: e.weight, change: ch, grounds: e.grounds,
			why: fmt.Sprintf("A search gives -1 when there is nothing, and the second mark must stand after the first; otherwise %s %s.", funcName(at.function()), e.how)}) || offered
	}
	return offered
}

// breakAnyway cuts at the limit where a search for a place to cut, in as much as
// fits, finds none.
func (f boundRules) breakAnyway(x slicing, as *ast.AssignStmt, call *ast.CallExpr) {
	fits, ok := ast.Unparen(call.Args[0]).(*ast.SliceExpr)
	if !ok || fits.High == nil || fits.Low != nil || f.text(fits.X) != f.text(x.slice.X) || !strings.HasPrefix(lastNameOnly(call.Fun), "LastIndex") {
		return
	}
	limit, _, _ := offsetOf(x.place, fits.High)
	name := f.text(as.Lhs[0])
	if !isPathOrIndex(limit) || isConstant(x.place, as.Lhs[0]) {
		return
	}
	limitText := f.text(limit)
	f.offer(idea{rule: "bound/break-anyway", title: fmt.Sprintf("cut at %s where there is no place to break", limitText), weight: handled - 2,
		change: f.change().after(as, fmt.Sprintf("if %s <= 0 {\n\t%s = %s\n}", name, name, limitText)),
		why:    fmt.Sprintf("Where %s finds nothing, the first %s are cut off all the same, so that the rest becomes shorter.", short(f.text(call)), limitText)})
}

// bothEnds asks that the marks at both ends are two, where an if looks at the
// first and at the last of a text and takes what is between them.
func (f boundRules) bothEnds(x slicing) {
	front, isConst := constantInt(x.place, orNil(x.slice.Low))
	back, fromEnd := f.fromEndBound(x, x.slice.High)
	if !isConst || !fromEnd {
		return
	}
	for i := 1; i < len(x.path); i++ {
		s, ok := x.path[i].(*ast.IfStmt)
		if !ok || s.Body != x.path[i-1] {
			continue
		}
		base := f.text(x.slice.X)
		if !mentions(f.text(s.Cond), base) || f.asksLength(s, base) {
			return
		}
		cond := f.text(s.Cond)
		if b, isBinary := ast.Unparen(s.Cond).(*ast.BinaryExpr); isBinary && b.Op == token.LOR {
			cond = "(" + cond + ")"
		}
		f.offer(idea{rule: "bound/both-ends", title: fmt.Sprintf("ask for both ends of %s", base), weight: origin, change: f.change().replace(s.Cond.Pos(), s.Cond.End(), fmt.Sprintf("len(%s) >= %d && %s", base, front+back, cond)),
			grounds: fmt.Sprintf("%s holds for a single mark, which is both the first and the last (%s)", short(cond), f.where(s.Cond.Pos())),
			why:     fmt.Sprintf("A %s of fewer than %d has not both; for it, the function goes on below the if.", base, front+back)})
		return
	}
}
