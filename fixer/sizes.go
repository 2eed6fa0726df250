package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// sizeOfMake fixes a slice that was made too short for what is stored in it:
// make([]T, 0, n) where make([]T, n) was meant, or a missing append.
func (f sizeRules) sizeOfMake(x indexing) {
	if x.negative() || !isStored(x) {
		return
	}
	src := f.trace(x.place, x.frame, x.base)
	f.appendInstead(x, src)
	if src.of == fromNothing || src.expr == nil {
		return
	}
	if sel, ok := ast.Unparen(src.expr).(*ast.SelectorExpr); ok {
		f.sizeOfField(x, src.place, sel)
		return
	}
	f.growMake(x, src.place, src.expr)
	f.sizeOfRows(x)
}

// sizeOfRows fixes the length that the rows of a matrix are made with: where
// they are made, or in the call of a function that makes them.
func (f sizeRules) sizeOfRows(x indexing) {
	row, ok := ast.Unparen(x.base).(*ast.IndexExpr)
	if !ok {
		return
	}
	root := x.object(row.X)
	f.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			as, isAssign := n.(*ast.AssignStmt)
			if !isAssign || len(as.Lhs) != len(as.Rhs) {
				return true
			}
			for i, l := range as.Lhs {
				if ix, isIndex := ast.Unparen(l).(*ast.IndexExpr); isIndex && root != nil && f.same(p.object(ix.X), root) {
					f.growMake(x, p.of(as.Rhs[i]), as.Rhs[i])
				}
			}
			return true
		})
	})
	src := f.trace(x.place, x.frame, row.X)
	call, isCall := ast.Unparen(orNil(src.expr)).(*ast.CallExpr)
	if !isCall || src.declaration() != x.declaration() {
		return
	}
	want, ok := f.wantedLength(x, src.place)
	if !ok {
		return
	}
	for _, a := range call.Args {
		n, known := f.number(src.place, src.frame, a)
		if !known || n != x.length || f.text(a) == want || f.rowsToo(src.place, src.frame, call, a, n) {
			continue
		}
		f.blame(fmt.Sprintf("it is made %s long (%s)", f.text(a), f.where(a.Pos())), a.Pos())
		f.offer(idea{rule: "size/size-of-rows", title: fmt.Sprintf("make the rows %s long", want), weight: origin, change: f.change().replace(a.Pos(), a.End(), want),
			why: fmt.Sprintf("The loop stores an element for each of %s; the rows of %s are made that long.", want, f.text(row.X))})
	}
}

// rowsToo reports whether another argument of the call has the same value, so
// that it is not known which of them is the length of the rows; the last is.
func (f sizeRules) rowsToo(p place, frame int, call *ast.CallExpr, arg ast.Expr, n int64) bool {
	seen := false
	for _, a := range call.Args {
		if a == arg {
			seen = true
			continue
		}
		if m, known := f.number(p, frame, a); seen && known && m == n {
			return true
		}
	}
	return false
}

// isStored reports whether the index expression is assigned to.
func isStored(x indexing) bool {
	for i := 1; i < len(x.path); i++ {
		switch n := x.path[i].(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if contains(l, x.expr.Pos()) {
					return true
				}
			}
			return false
		case *ast.IncDecStmt:
			return true
		case ast.Stmt:
			return false
		}
	}
	return false
}

func (f sizeRules) growMake(x indexing, p place, e ast.Expr) {
	name, call := p.builtin(e)
	if name != "make" || len(call.Args) < 2 {
		return
	}
	base := f.text(x.base)
	if n, isConst := constantInt(p, call.Args[1]); isConst && n == 0 && len(call.Args) == 3 {
		f.note(fmt.Sprintf("it is made with length 0 (%s), only its capacity is %s", f.where(call.Pos()), f.text(call.Args[2])), call.Pos())
		f.offer(idea{rule: "size/grow-make", title: fmt.Sprintf("make %s with length %s", base, short(f.text(call.Args[2]))), weight: origin,
			change: f.change().replace(call.Args[1].Pos(), call.Args[2].End(), f.text(call.Args[2])),
			why:    fmt.Sprintf("A capacity gives no elements; %s is now made with the length that is stored into.", base)})
		return
	}
	if want, ok := f.wantedLength(x, p); ok && want != f.text(call.Args[1]) {
		f.note(fmt.Sprintf("it is made with length %s (%s)", f.text(call.Args[1]), f.where(call.Pos())), call.Pos())
		f.offer(idea{rule: "size/grow-make", title: fmt.Sprintf("make %s with length %s", base, want), weight: origin + 1,
			change: f.change().replace(call.Args[1].Pos(), call.Args[1].End(), want),
			why:    fmt.Sprintf("The loop stores an element for each iteration; %s now has room for all.", base)})
	} else if x.value == x.length && x.byCounter() {
		f.note(fmt.Sprintf("it is made with length %s (%s)", f.text(call.Args[1]), f.where(call.Pos())), call.Pos())
		f.offer(idea{rule: "size/grow-make", title: fmt.Sprintf("make %s one longer", base), weight: origin + 4,
			change: f.change().insert(call.Args[1].End(), "+1"),
			why:    fmt.Sprintf("The index %s is one past the end of %s; it is now made with one more element.", f.text(x.index), base)})
	}
}

// byCounter reports whether the index is a constant or the counter of a loop.
func (x indexing) byCounter() bool {
	if isConstant(x.place, x.index) {
		return true
	}
	counter, _ := x.offset()
	for _, l := range x.loops() {
		switch l := l.(type) {
		case *ast.RangeStmt:
			if l.Key != nil && x.object(l.Key) == x.object(counter) {
				return true
			}
		case *ast.ForStmt:
			if countsWith(x, l, x.object(counter)) {
				return true
			}
		}
	}
	return false
}

// wantedLength is the number of iterations of the loop whose key is the index, as
// it can be written where the slice is made.
func (f sizeRules) wantedLength(x indexing, p place) (string, bool) {
	if p.declaration() != x.declaration() {
		return "", false
	}
	counter, offset := x.offset()
	plus := ""
	if offset > 0 {
		plus = fmt.Sprintf("+%d", offset)
	}
	for _, l := range x.loops() {
		switch l := l.(type) {
		case *ast.RangeStmt:
			if l.Key == nil || x.object(l.Key) != x.object(counter) || !isPathOrIndex(l.X) {
				continue
			}
			if isInteger(x.info().TypeOf(l.X)) {
				return f.text(l.X) + plus, true
			}
			return "len(" + f.text(l.X) + ")" + plus, true
		case *ast.ForStmt:
			b := comparison(x, l.Cond, x.object(counter))
			if b == nil || !isPathOrIndex(b.Y) {
				continue
			}
			if b.Op == token.LEQ {
				return f.text(b.Y) + fmt.Sprintf("+%d", offset+1), true
			}
			return f.text(b.Y) + plus, true
		}
	}
	return "", false
}

// sizeOfField fixes the make in the constructors of a struct.
func (f sizeRules) sizeOfField(x indexing, p place, sel *ast.SelectorExpr) {
	t, field := structOf(p, sel)
	if t == nil {
		return
	}
	for _, b := range f.buildings(t) {
		if v, present := b.fieldValue(field); present {
			f.growMake(x, b.of(v), v)
		}
	}
	for _, as := range f.assignmentsTo(field) {
		stmt := as.node().(*ast.AssignStmt)
		for i, l := range stmt.Lhs {
			if s, ok := ast.Unparen(l).(*ast.SelectorExpr); ok && len(stmt.Lhs) == len(stmt.Rhs) && f.same(as.info().ObjectOf(s.Sel), field) {
				f.growMake(x, as.of(stmt.Rhs[i]), stmt.Rhs[i])
			}
		}
	}
}

// appendInstead appends where an element past the end is stored in order.
func (f sizeRules) appendInstead(x indexing, src source) {
	as, ok := x.anchor().(*ast.AssignStmt)
	if !ok || as.Tok != token.ASSIGN || len(as.Lhs) != 1 || as.Lhs[0] != x.expr || x.value != x.length || x.loop() == nil {
		return
	}
	if _, isSlice := x.info().TypeOf(x.base).Underlying().(*types.Slice); !isSlice {
		return
	}
	if src.of == fromNothing {
		f.note(fmt.Sprintf("it is declared without elements (%s)", f.where(src.stmt.Pos())), src.stmt.Pos())
	}
	base := f.text(x.base)
	f.offer(idea{rule: "size/append-instead", title: fmt.Sprintf("append to %s", base), weight: origin + 2,
		change: f.change().replace(as.Pos(), as.End(), fmt.Sprintf("%s = append(%s, %s)", base, base, f.text(as.Rhs[0]))),
		why:    fmt.Sprintf("The element belongs after the last one: %s grows by append.", base)})
}

// tracedIndex fixes an index that was computed elsewhere: by a caller, or by
// an assignment that gives the length or nothing found.
func (f sizeRules) tracedIndex(x indexing) {
	src := f.trace(x.place, x.frame, x.index)
	if src.expr == nil || src.expr == ast.Unparen(x.index) {
		return
	}
	e := ast.Unparen(src.expr)
	inner, off, _ := offsetOf(src.place, e)
	name, call := src.builtin(inner)
	if name == "len" && x.value == x.length && off == 0 {
		f.comesFrom(src, ", which is one past the last index")
		f.offer(idea{rule: "size/traced-index", title: fmt.Sprintf("use len(%s)-1 as the index", f.text(call.Args[0])), weight: origin,
			change: f.change().insert(e.End(), "-1"), why: "Indices begin at 0: the last one is the length less one."})
		return
	}
	if x.value == x.length && src.declaration() == x.declaration() {
		f.partsOfIndex(x, src, e)
	}
	if src.of != fromRange {
		f.comesFrom(src, "")
	}
	if call, ok := e.(*ast.CallExpr); ok && x.value == -1 && src.declaration() == x.declaration() {
		if fn := src.callee(call); fn != nil {
			f.libraryRules.notFound(x.place, f.text(x.index), src, call)
		}
	}
}

// partsOfIndex fixes the upper bound that an index is computed from, as in a
// binary search whose bounds are both meant to be indices.
func (f sizeRules) partsOfIndex(x indexing, src source, e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, isVar := src.info().ObjectOf(id).(*types.Var)
		if !isVar {
			return true
		}
		for _, d := range f.definitions(src.place, v) {
			if d.expr == nil {
				continue
			}
			name, call := d.builtin(d.expr)
			if name != "len" || f.text(call.Args[0]) != f.text(x.base) {
				continue
			}
			f.note(fmt.Sprintf("%s starts at %s (%s), one past the last index", v.Name(), f.text(call), f.where(call.Pos())), call.Pos())
			f.offer(idea{rule: "size/parts-of-index", title: fmt.Sprintf("start %s at %s-1", v.Name(), f.text(call)), weight: origin,
				change: f.change().insert(call.End(), "-1"),
				why:    fmt.Sprintf("%s is computed from %s, which is used as an index itself; the last index is the length less one.", f.text(x.index), v.Name())})
		}
		return true
	})
}
