package fixer

import (
	"fmt"
	"go/ast"
)

// otherOrder fixes grid[x][y] where grid[y][x] is meant: the indices fit the
// other way round, and the code next to it says so.
func (f indexRules) otherOrder(x indexing) {
	outer, inner, ok := matrix(x)
	if !ok {
		return
	}
	i, j := f.text(inner.Index), f.text(outer.Index)
	base := f.text(inner.X)
	rows, okRows := f.length(x.place, x.frame, inner.X)
	row, okRow := f.values.variable(x.frame, base+"[0]"), false
	if row.known {
		okRow = true
	}
	vi, okI := f.number(x.place, x.frame, inner.Index)
	vj, okJ := f.number(x.place, x.frame, outer.Index)
	if !okRows || !okRow || !okI || !okJ || vj < 0 || vj >= rows || vi < 0 || vi >= row.value.Len {
		return
	}
	why, found := f.orderElsewhere(x, inner.X, i, j)
	if !found {
		return
	}
	ch, seen := f.change(), 0
	ast.Inspect(x.declaration(), func(n ast.Node) bool {
		if o, in, is := matrixIndex(n); is && f.text(in.X) == base && f.text(in.Index) == i && f.text(o.Index) == j {
			ch.replace(in.Index.Pos(), in.Index.End(), j).replace(o.Index.Pos(), o.Index.End(), i)
			seen++
		}
		return true
	})
	f.blame(fmt.Sprintf("%s (%s) indexes %s in the wrong order", funcName(x.function()), f.where(x.expr.Pos()), base), x.expr.Pos())
	f.offer(idea{rule: "order/other-order", title: fmt.Sprintf("index %s as [%s][%s]", base, j, i), weight: origin - 2, change: ch, grounds: why,
		why: fmt.Sprintf("%s is indexed by %s first and %s second; the other way round both fit.", base, i, j)})
}

func matrixIndex(n ast.Node) (outer, inner *ast.IndexExpr, ok bool) {
	outer, ok = n.(*ast.IndexExpr)
	if !ok {
		return nil, nil, false
	}
	inner, ok = ast.Unparen(outer.X).(*ast.IndexExpr)
	return outer, inner, ok
}

// matrix finds m[i][j] around or in the faulting index expression.
func matrix(x indexing) (outer, inner *ast.IndexExpr, ok bool) {
	ix, isIndex := x.expr.(*ast.IndexExpr)
	if !isIndex {
		return nil, nil, false
	}
	if outer, inner, ok = matrixIndex(ix); ok && !isMap(x.info().TypeOf(inner.X)) {
		return outer, inner, isPathOrIndex(outer)
	}
	if len(x.path) > 1 {
		if outer, inner, ok = matrixIndex(x.path[1]); ok && inner == ix && !isMap(x.info().TypeOf(outer.X)) {
			return outer, inner, isPathOrIndex(outer)
		}
	}
	return nil, nil, false
}

// orderElsewhere looks for what shows that the second index counts rows: the
// same names in the other order on the same matrix, or the bounds of the loops.
func (f indexRules) orderElsewhere(x indexing, base ast.Expr, i, j string) (grounds string, ok bool) {
	obj := x.object(base)
	f.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			o, in, is := matrixIndex(n)
			if is && !ok && obj != nil && f.same(p.object(in.X), obj) && f.text(in.Index) == j && f.text(o.Index) == i {
				grounds, ok = fmt.Sprintf("%s is written at %s", f.text(o), f.where(o.Pos())), true
			}
			return true
		})
	})
	if ok {
		return grounds, true
	}
	for _, l := range x.loops() {
		if counts, name := f.loopCounts(l, f.text(base), i); counts == "columns" {
			return fmt.Sprintf("%s counts columns (%s), by %s", i, f.where(l.Pos()), name), true
		}
		if counts, name := f.loopCounts(l, f.text(base), j); counts == "rows" {
			return fmt.Sprintf("%s counts rows (%s), by %s", j, f.where(l.Pos()), name), true
		}
	}
	return "", false
}

// loopCounts reports whether a loop's counter goes over the rows or columns of a
// matrix, by its length or that of its first row.
func (f indexRules) loopCounts(l ast.Stmt, base, counter string) (what, bound string) {
	switch l := l.(type) {
	case *ast.RangeStmt:
		if l.Key == nil || f.text(l.Key) != counter {
			return "", ""
		}
		bound = f.text(l.X)
	case *ast.ForStmt:
		b, ok := l.Cond.(*ast.BinaryExpr)
		if !ok || f.text(b.X) != counter {
			return "", ""
		}
		bound = f.text(b.Y)
	}
	switch bound {
	case "len(" + base + "[0])", base + "[0]":
		return "columns", bound
	case "len(" + base + ")", base:
		return "rows", bound
	}
	return "", ""
}
